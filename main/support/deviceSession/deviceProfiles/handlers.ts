import type { HandlersOf } from '../../../../preload/contract/index.ts'
import type { DeviceProfiles } from './deviceProfiles.ts'

/** The calls about device profiles. */
export function createDeviceProfileHandlers(profiles: DeviceProfiles): HandlersOf<'deviceProfiles'> {
  return {
    'deviceProfiles.list': () => ({ profiles: profiles.list() }),
    'deviceProfiles.show': ({ id }) => ({ profile: profiles.show(id) }),
    'deviceProfiles.read': ({ key }, signal) => profiles.read(key, signal),
    'deviceProfiles.save': (input) => ({ profile: profiles.save(input) }),
    'deviceProfiles.rename': ({ id, name }) => ({ profile: profiles.rename(id, name) }),
    'deviceProfiles.remove': ({ id }) => profiles.remove(id),
    'deviceProfiles.export': ({ id }) => profiles.export(id),
    'deviceProfiles.import': ({ text }) => profiles.import(text),
    'deviceProfiles.preview': ({ key, id }, signal) => profiles.preview(key, id, signal),
    'deviceProfiles.apply': (input, signal) => profiles.apply(input, signal),
    'deviceProfiles.runs': () => ({ runs: profiles.runs() }),
    'deviceProfiles.stop': ({ id }) => profiles.stop(id),
    'deviceProfiles.plans': () => ({ plans: profiles.plans() }),
    'deviceProfiles.cancelPlan': ({ imei }) => {
      profiles.cancelPlan(imei)
      return {}
    }
  }
}
