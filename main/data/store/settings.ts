import type { SignInScheme } from '../../../preload/contract/gateway/gateway.ts'
import type { ProxyChoice } from '../../../preload/contract/app/internet.ts'
import type { Settings } from '../../../preload/contract/app/settings.ts'
import { languageForm } from '../../../preload/contract/messages.ts'
import { defaultSettings } from '../../../preload/app/defaultSettings.ts'
import type { DataFile } from './file/database.ts'
import { readJson } from './file/errors.ts'

/** The form of each setting, without the schema library: every command needs it, and loading that takes long. */
const forms: { readonly [Name in keyof Settings]: (value: unknown) => boolean } = {
  technician: isText,
  role: oneOf<Settings['role']>(['technician', 'support']),
  theme: oneOf<Settings['theme']>(['system', 'light', 'dark', 'sunlight']),
  language: (value) => isText(value) && languageForm.test(value),
  units: oneOf<Settings['units']>(['gateway', 'metric', 'imperial']),
  gatewayUnits: (value) => value === null || value === 'metric' || value === 'imperial',
  // An earlier Fitter wrote an empty text for the time zone of the computer.
  timeZone: (value) => value === null || (isText(value) && value !== ''),
  deskRows: oneOf<Settings['deskRows']>(['dense', 'roomy']),
  gatewayUrl: isText,
  gatewayUser: isText,
  gatewaySites: (value) =>
    Array.isArray(value) &&
    value.every((site) => isRecord(site) && isText(site['url']) && isText(site['user']) && isScheme(site['scheme'])),
  gatewayProxy: isProxyChoice,
  gatewayCard: isText,
  gatewayAuthorities: (value) => Array.isArray(value) && value.every(isText),
  gatewayCalls: (value) => value === null || (Number.isInteger(value) && Number(value) >= 5 && Number(value) <= 1_000),
  deviceModels: (value) => Array.isArray(value) && value.every(isText),
  profile: isText,
  keys: (value) => isRecord(value) && Object.values(value).every(isText),
  letterKeys: (value) => typeof value === 'boolean',
  tolerances: (value) => isRecord(value) && Object.values(value).every((one) => typeof one === 'number'),
  eventViews: (value) => Array.isArray(value) && value.every(isEventView),
  sounds: (value) => typeof value === 'boolean',
  firstRun: oneOf<Settings['firstRun']>(['open', 'skipped', 'left', 'done']),
  logLevels: (value) => isRecord(value) && Object.values(value).every(oneOf(['error', 'warning', 'info', 'debug'])),
  activityReadUpTo: (value) => typeof value === 'number',
  notifications: (value) => isRecord(value) && Object.values(value).every((one) => typeof one === 'boolean')
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function oneOf<T extends string>(known: readonly T[]): (value: unknown) => boolean {
  return (value) => known.some((one) => one === value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isScheme(value: unknown): value is SignInScheme {
  if (!isRecord(value)) return false
  const { kind, ...more } = value
  if (kind === 'normal' || kind === 'infinite') return Object.keys(more).length === 0
  const { expiresS, ...rest } = more
  return (
    kind === 'finite' &&
    Number.isInteger(expiresS) &&
    Number(expiresS) >= 60 &&
    Number(expiresS) <= 31_536_000 &&
    Object.keys(rest).length === 0
  )
}

function isProxyChoice(value: unknown): value is ProxyChoice {
  if (!isRecord(value)) return false
  const { kind, ...more } = value
  if (kind === 'system' || kind === 'none') return Object.keys(more).length === 0
  const { address, ...rest } = more
  return (kind === 'address' || kind === 'pac') && isText(address) && Object.keys(rest).length === 0
}

function isEventView(value: unknown): boolean {
  if (!isRecord(value) || !isText(value['name']) || !isRecord(value['time']) || !isRecord(value['filter'])) return false
  const { time, filter } = value
  const isTime =
    time['kind'] === 'today' ||
    time['kind'] === 'yesterday' ||
    (time['kind'] === 'last' && Number.isInteger(time['hours']))
  const areNames = (list: unknown): boolean => Array.isArray(list) && list.every(isText)
  const { types, conditions } = filter
  const areTypes =
    types === null || (Array.isArray(types) && types.every((type) => type === null || typeof type === 'number'))
  const areConditions =
    Array.isArray(conditions) &&
    conditions.every(
      (one) =>
        isRecord(one) &&
        isText(one['field']) &&
        isText(one['is']) &&
        ['string', 'number', 'boolean'].includes(typeof one['value'])
    )
  return isTime && areTypes && areConditions && areNames(value['charts']) && areNames(value['columns'])
}

type Changes<T> = { [Name in keyof T]?: T[Name] | undefined }

export type SettingsStore = ReturnType<typeof createSettingsStore>

/** The person's settings. An invalid value falls back to its default. */
export function createSettingsStore(data: DataFile) {
  const all = data.prepare<[], { name: string; value: string }>(
    "select name, value from setting where name not like '$%'"
  )
  const put = data.prepare(
    'insert into setting (name, value) values (?, ?) on conflict (name) do update set value = excluded.value'
  )

  /** A job, or a team that was joined: in the terminal, perhaps, before anybody opened a window. */
  const anyWork = data.prepare<[], object>(
    "select 1 from job union all select 1 from setting where name = '$team' limit 1"
  )
  const isNew = all.all().length === 0

  /**
   * Only for a folder that was empty when this process opened it, or whose first run has not ended: people with jobs
   * never meet it.
   */
  function firstRunOf(kept: Settings['firstRun'] | undefined): Settings['firstRun'] {
    const value = kept ?? (isNew ? 'open' : 'done')
    return value === 'open' && anyWork.get() ? 'done' : value
  }

  function stored(): Partial<Settings> {
    const texts = new Map(all.all().map((row) => [row.name, row.value]))
    const valid: Record<string, unknown> = {}
    for (const [name, hasForm] of Object.entries(forms)) {
      const text = texts.get(name)
      if (text === undefined) continue
      const value = readJson<unknown>(text)
      if (hasForm(value)) valid[name] = value
    }
    return valid
  }

  function get(): Settings {
    const chosen = stored()
    return { ...structuredClone(defaultSettings), ...chosen, firstRun: firstRunOf(chosen.firstRun) }
  }

  return {
    get,
    /** What the person chose; a setting that was never changed is missing. */
    stored,
    change(change: Changes<Settings>): Settings {
      data.write(() => {
        for (const [name, value] of Object.entries(change)) {
          if (value !== undefined) put.run(name, JSON.stringify(value))
        }
      })
      return get()
    }
  }
}
