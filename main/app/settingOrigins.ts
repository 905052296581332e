import path from 'node:path'
import type { SettingLayers, SettingOrigin } from '../../preload/contract/app/app.ts'
import type { Json } from '../../preload/contract/define.ts'
import type { Settings } from '../../preload/contract/app/settings.ts'
import type { PolicyKey } from '../../preload/contract/app/policy.ts'
import { message, plainMessage, type Message } from '../../preload/contract/messages.ts'
import { gatewaysOf, type Policy } from './policy/policy.ts'
import { defaultSettings } from '../../preload/app/defaultSettings.ts'
import type { Store } from '../data/store/index.ts'

interface SettingSources {
  store: Pick<Store, 'settings' | 'maps' | 'teamPush'>
  policy: Pick<Policy, 'values' | 'lines'>
  /** What set the values of this process, besides the environment. */
  given: { gatewayUrl?: string | undefined; profileId?: string | undefined; inMemorySecrets?: boolean | undefined }
}

/** The layers of every setting, by its name. */
export function findSettingLayers(
  store: Pick<Store, 'settings'>,
  commandLine: Partial<Settings>
): Record<string, SettingLayers> {
  const own: Partial<Record<string, Json>> = store.settings.stored()
  const given: Partial<Record<string, Json>> = commandLine
  return Object.fromEntries(
    Object.entries(defaultSettings as Record<string, Json>).map(([name, byDefault]) => [
      name,
      { own: own[name] ?? null, commandLine: given[name] ?? null, byDefault }
    ])
  )
}

const nothing = (): Message => message('common.noneInText')

/**
 * The value of each setting that explains how Fitter behaves, and who set it: company above start above person above
 * default.
 */
export function findSettingOrigins({ store, policy, given }: SettingSources): SettingOrigin[] {
  const settings = store.settings.get()
  const stored = store.settings.stored()
  const maps = store.maps.get()
  const teamHost = store.teamPush.membership()?.host ?? null
  const log = process.env['FITTER_LOG']
  const lineOf = (...keys: PolicyKey[]): number | null => {
    const key = keys.find((one) => policy.values[one] !== undefined)
    return key === undefined ? null : (policy.lines.get(key) ?? null)
  }
  const origin = (
    name: Message,
    value: Message,
    {
      keys = [],
      isGiven = false,
      isChosen,
      unset = 'default'
    }: { keys?: PolicyKey[]; isGiven?: boolean; isChosen: boolean; unset?: 'default' | 'system' }
  ): SettingOrigin => {
    const isCompany = keys.some((key) => policy.values[key] !== undefined)
    return {
      name,
      value,
      from: isCompany ? 'company' : isGiven ? 'environment' : isChosen ? 'person' : unset,
      line: lineOf(...keys)
    }
  }
  const isOwn = (...names: (keyof Settings)[]): boolean => names.some((name) => name in stored)
  const text = (words: string): Message => (words === '' ? nothing() : plainMessage(words))
  const address = given.gatewayUrl ?? settings.gatewayUrl
  const isOwnGateway = stored.gatewayUrl === settings.gatewayUrl && settings.gatewayUrl !== ''
  // Where the company leaves a choice, its gateways are only what is offered.
  const isChoice = gatewaysOf(policy)?.length !== 1 && (given.gatewayUrl !== undefined || isOwnGateway)
  const { kind } = settings.gatewayProxy
  return [
    origin(message('common.gateway'), text(address), {
      keys: isChoice ? [] : ['gateway.address', 'gateway.sites'],
      isGiven: given.gatewayUrl !== undefined,
      isChosen: isOwnGateway
    }),
    origin(
      message('common.proxy'),
      kind === 'address' || kind === 'pac'
        ? text(settings.gatewayProxy.address)
        : message(kind === 'system' ? 'windowConnection.proxy.system' : 'windowConnection.proxy.none'),
      {
        keys: ['gateway.proxy'],
        isChosen: isOwn('gatewayProxy'),
        unset: 'system'
      }
    ),
    origin(
      message('windowConnection.card'),
      settings.gatewayCard === '' ? message('windowConnection.card.any') : text(settings.gatewayCard),
      { isChosen: isOwn('gatewayCard') && settings.gatewayCard !== '' }
    ),
    origin(
      message('selfTest.passwords'),
      message(
        policy.values['credentials.keep'] === 'session' || given.inMemorySecrets === true
          ? 'selfTest.passwordsInMemory'
          : 'selfTest.passwordsKept'
      ),
      { keys: ['credentials.keep'], isGiven: given.inMemorySecrets === true, isChosen: false }
    ),
    origin(message('common.teamLog'), text(teamHost ?? ''), { keys: ['team.server'], isChosen: teamHost !== null }),
    origin(
      message('common.language'),
      text(new Intl.DisplayNames([settings.language], { type: 'language' }).of(settings.language) ?? settings.language),
      { keys: ['reading.language'], isChosen: isOwn('language') }
    ),
    origin(message('windowSettings.units'), message(`windowSettings.units.${settings.units}`), {
      keys: ['reading.units'],
      isChosen: isOwn('units')
    }),
    origin(
      message('windowSettings.timeZone'),
      text(settings.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone),
      { keys: ['reading.timeZone'], isChosen: settings.timeZone !== null, unset: 'system' }
    ),
    origin(message('windowSettings.profile'), text(given.profileId ?? settings.profile), {
      keys: ['work.profile'],
      isGiven: given.profileId !== undefined,
      isChosen: isOwn('profile')
    }),
    origin(message('windowSettings.models'), text(settings.deviceModels.join(', ')), {
      keys: ['work.deviceModels'],
      isChosen: isOwn('deviceModels') && settings.deviceModels.length > 0
    }),
    origin(message('common.offlineMap'), text(maps.path === null ? '' : path.basename(maps.path)), {
      keys: ['maps.file'],
      isChosen: maps.path !== null
    }),
    origin(message('selfTest.onlineMap'), message(maps.online.isOn ? 'common.onInText' : 'common.offInText'), {
      keys: ['maps.online'],
      isChosen: maps.online.isOn
    }),
    origin(
      message('selfTest.logLevel'),
      text(
        log ??
          (Object.entries(settings.logLevels)
            .map(([topic, level]) => `${topic}=${level}`)
            .join(', ') ||
            'info')
      ),
      { isGiven: log !== undefined, isChosen: Object.keys(settings.logLevels).length > 0 }
    )
  ]
}
