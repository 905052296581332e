import type { Profile } from '../../job/jobs/engine/profile.ts'

/** The limits for evidence, from the profile in use. Names contain the unit. */
export interface DiagnosisLimits {
  /** An event that arrived within this time proves that the device reports. */
  reportsS: number
  /** A longer silence is not a pause between two reports. */
  silentS: number
  delayPassS: number
  signalPassDbm: number
  satellitesPass: number
  hdopPass: number
  /** How long after its start a device may search for satellites or a network. */
  fixWithinS: number
  networkWithinS: number
  /** A longer drop of external power is not caused by a starter. */
  shortDropS: number
  powerHoldS: number
  clockPassS: number
  clockWarnS: number
  apartWarnM: number
  parkedKmh: number
}

export function diagnosisLimits({
  delivered,
  network,
  position,
  externalPower,
  clock,
  samePlace
}: Profile): DiagnosisLimits {
  return {
    reportsS: delivered.eventAgeWarnS,
    silentS: delivered.giveUpS,
    delayPassS: delivered.delayPassS,
    signalPassDbm: network.signalPassDbm,
    satellitesPass: position.satellitesPass,
    hdopPass: position.hdopPass,
    fixWithinS: position.giveUpS,
    networkWithinS: network.giveUpS,
    shortDropS: externalPower.shortDropS,
    powerHoldS: externalPower.holdS,
    clockPassS: clock.passS,
    clockWarnS: clock.warnS,
    apartWarnM: samePlace.warnM,
    parkedKmh: samePlace.parkedKmh
  }
}
