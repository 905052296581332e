import type { Profile } from '../jobs/engine/profile.ts'

/** What evidence is held against: the limits of the profile in use. Units stand in the names. */
export interface DiagnosisLimits {
  /** An event that arrived within this time shows that the device reports. */
  reportsS: number
  /** Silence for longer than this is no pause between two reports. */
  silentS: number
  delayPassS: number
  signalPassDbm: number
  satellitesPass: number
  hdopPass: number
  /** So long after its start a device may still look for satellites, or for a network. */
  fixWithinS: number
  networkWithinS: number
  /** A longer drop of external power is none of those that a starter makes. */
  shortDropS: number
  powerHoldS: number
  clockPassS: number
  clockWarnS: number
  apartWarnM: number
  parkedKmh: number
}

export function diagnosisLimits({ delivered, network, position, externalPower, clock, samePlace }: Profile): DiagnosisLimits {
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
