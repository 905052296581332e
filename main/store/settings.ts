import { settings as settingsSchema, type Settings } from '../../preload/contract/settings.ts'
import type { DataFile } from './database.ts'
import { readJson } from './errors.ts'

export const defaultSettings: Settings = {
  technician: '',
  theme: 'system',
  language: 'en',
  units: 'metric',
  timeZone: '',
  gatewayUrl: '',
  gatewayUser: '',
  gatewaySites: [],
  deviceModels: [],
  profile: 'standard'
}

type Changes<T> = { [Name in keyof T]?: T[Name] | undefined }

export interface SettingsStore {
  get(): Settings
  change(change: Changes<Settings>): Settings
}

/** The person's settings. A value of a form that this version does not know falls back to its default. */
export function createSettingsStore(data: DataFile): SettingsStore {
  const all = data.prepare<[], { name: string; value: string }>("select name, value from setting where name not like '$%'")
  const put = data.prepare(
    'insert into setting (name, value) values (?, ?) on conflict (name) do update set value = excluded.value'
  )

  function get(): Settings {
    const stored = new Map(all.all().map((row) => [row.name, row.value]))
    const merged: Record<string, unknown> = { ...defaultSettings }
    for (const [name, schema] of Object.entries(settingsSchema.shape)) {
      const text = stored.get(name)
      if (text === undefined) continue
      const parsed = schema.safeParse(readJson(text))
      if (parsed.success) merged[name] = parsed.data
    }
    return settingsSchema.parse(merged)
  }

  return {
    get,
    change(change) {
      data.write(() => {
        for (const [name, value] of Object.entries(change)) {
          if (value !== undefined) put.run(name, JSON.stringify(value))
        }
      })
      return get()
    }
  }
}
