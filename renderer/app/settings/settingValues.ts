import type { PolicyKey } from '../../../preload/contract/app/policy.ts'
import { say } from '../../base/say.ts'
import { t } from '../../base/texts.ts'
import { useSettings } from '../../base/shell/settings.store.ts'
import { languageName } from '../../base/languages.ts'
import type { SettingId } from './settingRows.ts'

type Value = unknown

/** The values of settings that are words of a list, by what they mean. */
function listed(id: SettingId, value: string): string | undefined {
  if (id === 'theme' && (value === 'system' || value === 'light' || value === 'dark' || value === 'sunlight'))
    return t(`windowSettings.theme.${value}`)
  if (id === 'units' && (value === 'gateway' || value === 'metric' || value === 'imperial'))
    return t(`windowSettings.units.${value}`)
  if (id === 'rows' && (value === 'dense' || value === 'roomy')) return t(`windowSettings.rows.${value}`)
  if (id === 'proxy' && (value === 'system' || value === 'none')) return t(`windowConnection.proxy.${value}`)
  if (id === 'savedPasswords' && (value === 'keychain' || value === 'session'))
    return t(`windowSettings.savedPasswords.${value}`)
  if (id === 'language') return languageName(value)
  if (id === 'profile') {
    const name = useSettings().profiles.find((profile) => profile.id === value)?.name
    return name && say(name)
  }
  return undefined
}

function isRecord(value: Value): value is Record<string, Value> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What a value of a setting means, in words; empty when nothing is set. */
export function sayValue(id: SettingId, value: Value): string {
  if (value === null || value === undefined || value === '') return ''
  if (id === 'gatewayCalls') return t('windowSettings.callsAMinute', { calls: Number(value) })
  if (id === 'certificates' && Array.isArray(value))
    return t('windowSettings.certificates', { certificates: value.length })
  if (id === 'mapOnline' && isRecord(value)) return String(value['address'] ?? '')
  if (id === 'proxy' && isRecord(value)) return listed(id, String(value['kind'])) ?? String(value['address'] ?? '')
  if (typeof value === 'boolean') return t(value ? 'windowSettings.allowed' : 'windowSettings.notAllowed')
  if (id === 'languages' && Array.isArray(value))
    return value.map((one) => languageName(String(one)) ?? String(one)).join(', ')
  if (Array.isArray(value))
    return value.map((one) => (isRecord(one) ? String(one['name'] ?? '') : String(one))).join(', ')
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
  return listed(id, text) ?? text
}

/** Whether a key only suggests a value, or limits it, so that the person still chooses. */
export function isFixed(key: PolicyKey, areOthersForbidden: boolean): boolean {
  return key === 'gateway.address'
    ? areOthersForbidden
    : key !== 'gateway.callsPerMinute' && key !== 'gateway.certificates'
}
