import type { WorkspaceLimits } from '../../preload/contract/workspace.ts'
import type { Profile } from '../jobs/profile.ts'

/** The limits of a profile that a device is held against outside of a checklist. */
export function limitsOf({ network, position, delivered, samePlace }: Profile): WorkspaceLimits {
  return {
    signalPassDbm: network.signalPassDbm,
    signalWarnDbm: network.signalWarnDbm,
    satellitesPass: position.satellitesPass,
    satellitesWarn: position.satellitesWarn,
    hdopPass: position.hdopPass,
    delayPassS: delivered.delayPassS,
    eventAgeWarnS: delivered.eventAgeWarnS,
    apartPassM: samePlace.passM,
    apartWarnM: samePlace.warnM
  }
}
