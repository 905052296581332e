import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { Settings } from '../../../preload/contract/app/settings.ts'
import type { DeviceProfile } from '../../../preload/contract/device/deviceProfiles.ts'
import type { DeviceProfileStore } from '../../data/store/deviceProfiles.ts'
import type { MapStore } from '../../data/store/maps.ts'
import type { SettingsStore } from '../../data/store/settings.ts'
import { gatewaysOf, type Policy } from './policy.ts'

/** A choice among what the company allows: the person's, if it is allowed, otherwise the first one. */
function among<Value>(allowed: readonly Value[] | undefined, own: Value): Value {
  return allowed === undefined || allowed.includes(own) ? own : (allowed[0] ?? own)
}

/** The settings that the company decides. */
function decided(policy: Policy): Partial<Settings> {
  const { values } = policy
  const proxy = values['gateway.proxy']
  const all: { [Name in keyof Settings]?: Settings[Name] | undefined } = {
    language: values['reading.language'],
    units: values['reading.units'],
    timeZone: values['reading.timeZone'],
    gatewayProxy:
      proxy === undefined
        ? undefined
        : proxy === 'system' || proxy === 'none'
          ? { kind: proxy }
          : { kind: 'address', address: proxy },
    profile: values['work.profile'],
    deviceModels: values['work.deviceModels']
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** A limit of the company is not the person's choice: whichever allows fewer calls applies. */
function fewestCalls(own: number | null | undefined, { values }: Policy): number | null {
  const limits = [own, values['gateway.callsPerMinute']].filter((limit) => typeof limit === 'number')
  return limits.length === 0 ? null : Math.min(...limits)
}

/** Settings with the company's values in place of the person's. A key that `own` does not have is not added. */
export function applyPolicy<Own extends Partial<Settings>>(own: Own, policy: Policy): Own {
  const address = policy.values['gateway.address']
  const company: Partial<Settings> = {
    ...decided(policy),
    ...(own.language === undefined
      ? {}
      : { language: policy.values['reading.language'] ?? among(policy.values['reading.languages'], own.language) }),
    ...(own.gatewayUrl === undefined ? {} : { gatewayUrl: among(gatewaysOf(policy), own.gatewayUrl) }),
    // Another gateway may be chosen, but until then the company's is used.
    ...(address !== undefined && own.gatewayUrl === '' ? { gatewayUrl: address } : {}),
    gatewayCalls: fewestCalls(own.gatewayCalls, policy),
    gatewayAuthorities: [
      ...new Set([...(policy.values['gateway.certificates'] ?? []), ...(own.gatewayAuthorities ?? [])])
    ]
  }
  return { ...own, ...Object.fromEntries(Object.entries(company).filter(([name]) => name in own)) }
}

/**
 * The person's settings below the company's: what the policy decides is read from it, and a change of it is refused
 * with
 * AppError REFUSED. The person's own values stay stored, and apply again when the policy no longer has the key.
 */
export function manageSettings(own: SettingsStore, policy: Policy): SettingsStore {
  const fixed: Partial<Record<string, unknown>> = decided(policy)
  const allowed: Partial<Record<string, readonly string[] | undefined>> = {
    language: policy.values['reading.languages'],
    gatewayUrl: gatewaysOf(policy)
  }
  const certificates = policy.values['gateway.certificates'] ?? []
  return {
    get: () => applyPolicy(own.get(), policy),
    stored: () => own.stored(),
    change(change) {
      const asked = Object.entries(change).filter(([, value]) => value !== undefined)
      if (
        asked.some(
          ([name, value]) => fixed[name] !== undefined && JSON.stringify(value) !== JSON.stringify(fixed[name])
        )
      )
        throw new AppError('REFUSED', message('policy.setByCompany'))
      if (asked.some(([name, value]) => allowed[name] !== undefined && !allowed[name].includes(value as string)))
        throw new AppError('REFUSED', message('policy.setByCompany'))
      const free: typeof change = Object.fromEntries(asked.filter(([name]) => fixed[name] === undefined))
      if (free.gatewayAuthorities !== undefined)
        free.gatewayAuthorities = free.gatewayAuthorities.filter((pem) => !certificates.includes(pem))
      return applyPolicy(own.change(free), policy)
    }
  }
}

/** The same for maps. */
export function manageMaps(own: MapStore, { values }: Policy): MapStore {
  const file = values['maps.file']
  const online = values['maps.online']
  const fixed = {
    ...(file === undefined ? {} : { path: file }),
    ...(online === undefined
      ? {}
      : {
          online:
            online === false
              ? { isOn: false, template: '', attribution: '' }
              : { isOn: true, template: online.address, attribution: online.attribution }
        })
  }
  return {
    get: () => ({ ...own.get(), ...fixed }),
    keep(maps) {
      const before = own.get()
      for (const name of Object.keys(fixed) as (keyof typeof fixed)[]) {
        if (JSON.stringify(maps[name]) !== JSON.stringify(fixed[name]))
          throw new AppError('REFUSED', message('policy.setByCompany'))
      }
      own.keep({
        ...maps,
        ...(file === undefined ? {} : { path: before.path }),
        ...(online === undefined ? {} : { online: before.online })
      })
    }
  }
}

/** Device profiles with those that the company offers, which nobody can change. */
export function manageDeviceProfiles(own: DeviceProfileStore, offered: readonly DeviceProfile[]): DeviceProfileStore {
  const find = (id: string): DeviceProfile | undefined => offered.find((profile) => profile.id === id)
  const refuse = (id: string): void => {
    if (find(id)) throw new AppError('REFUSED', message('policy.setByCompany'))
  }
  return {
    ...own,
    list: () => [
      ...offered.map(({ settings, ...head }) => ({ ...head, settings: settings.length, byCompany: true })),
      ...own.list()
    ],
    find: (id) => find(id) ?? own.find(id),
    hasName: (name) => offered.some((profile) => profile.name === name) || own.hasName(name),
    rename(id, name) {
      refuse(id)
      own.rename(id, name)
    },
    remove(id) {
      refuse(id)
      own.remove(id)
    }
  }
}
