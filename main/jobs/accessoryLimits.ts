import { z } from 'zod'

/** The limits of the steps about accessories, as they stand in a profile. */
export const accessoryLimits = {
  iButton: z.strictObject({ giveUpS: z.number() }),
  btTag: z.strictObject({ batteryPercent: z.number(), minDegC: z.number(), maxDegC: z.number(), giveUpS: z.number() }),
  tyres: z.strictObject({ minPsi: z.number(), maxPsi: z.number(), giveUpS: z.number() }),
  temperature: z.strictObject({ minDegC: z.number(), maxDegC: z.number(), giveUpS: z.number() }),
  expander: z.strictObject({ cycles: z.number(), giveUpS: z.number() }),
  /** A picture darker and flatter than these (0 to 255) is one of a covered lens, or of the night. */
  camera: z.strictObject({ darkestMean: z.number(), flattestSpread: z.number(), giveUpS: z.number() }),
  trigger: z.strictObject({ giveUpS: z.number() }),
  /** Jobs of earlier versions have no limit for engine hours. */
  counters: z.strictObject({ withinKm: z.number(), withinHours: z.number().default(2), giveUpS: z.number() })
}
