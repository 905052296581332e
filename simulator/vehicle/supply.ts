import { noiseAt } from '../random.ts'

/** Loads and sources on the vehicle's supply, strongest first. */
export interface SupplyLoad {
  systemVolts: 12 | 24
  isCranking: boolean
  engineOn: boolean
  keyOn: boolean
}

/** Voltage of the vehicle's supply in millivolts: it dips while cranking and rises with the alternator's ripple. */
export function supplyMvOf(load: SupplyLoad, seed: number, atMs: number): number {
  const scale = load.systemVolts / 12
  const noise = noiseAt(seed, 'supply', Math.floor(atMs / 50))
  if (load.isCranking) return Math.round((9500 + 250 * noise) * scale)
  if (load.engineOn) return Math.round((14_100 + 60 * noise) * scale)
  return Math.round(((load.keyOn ? 12_400 : 12_600) + 5 * noise) * scale)
}

/** The device derives TIG from the alternator's ripple and needs about a second to detect it. */
export const rippleSettlesMs = 1000

/** The upper limit of the device's single-ended analog range. */
export const analogTopMv = 28_000
