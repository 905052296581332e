import { numberIn, type Fields } from './fields.ts'

export const derivedCounters = [
  'dev_tot_avg_speed',
  'dev_tra_avg_speed',
  'dev_tot_fuel_efcy',
  'dev_tra_fuel_efcy',
  'ecu_tot_avg_speed',
  'ecu_tra_avg_speed',
  'ecu_tot_fuel_efcy',
  'ecu_tra_fuel_efcy',
  'ecu_fuelp_idling'
] as const
export type DerivedCounter = (typeof derivedCounters)[number]

/**
 * Derived counters from base counters in meters, seconds and liters ("Counters"): speeds in m/s, efficiency in meters
 * per liter, idle fuel in percent. Null where a base counter is missing or the divisor is not above 0.
 */
export function deriveCounters(base: Fields): Record<DerivedCounter, number | null> {
  const value = (name: string): number | null => numberIn(base, name)
  const minus = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a - b)
  const over = (a: number | null, b: number | null): number | null => (a === null || b === null || !(b > 0) ? null : a / b)
  const [distance, ignition, idle] = [value('dev_dist'), value('dev_ign'), value('dev_idle')]
  const [ecuDistance, usage, ecuIdle] = [value('ecu_dist'), value('ecu_eusage'), value('ecu_eidle')]
  const [fuel, idleFuel] = [value('ecu_tfuel'), value('ecu_ifuel')]
  const idleShare = over(idleFuel, fuel)
  return {
    dev_tot_avg_speed: over(distance, ignition),
    dev_tra_avg_speed: over(distance, minus(ignition, idle)),
    dev_tot_fuel_efcy: over(distance, fuel),
    dev_tra_fuel_efcy: over(distance, minus(fuel, idleFuel)),
    ecu_tot_avg_speed: over(ecuDistance, usage),
    ecu_tra_avg_speed: over(ecuDistance, minus(usage, ecuIdle)),
    ecu_tot_fuel_efcy: over(ecuDistance, fuel),
    ecu_tra_fuel_efcy: over(ecuDistance, minus(fuel, idleFuel)),
    ecu_fuelp_idling: idleShare === null ? null : idleShare * 100
  }
}
