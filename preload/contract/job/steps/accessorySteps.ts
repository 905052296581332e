import { z } from 'zod'
import { templateText } from './texts.ts'

export const accessorySettings = {
  iButton: z.strictObject({
    /** The keys to hold to the reader; omitted: any registered one. */
    ids: z.array(z.string().regex(/^[0-9A-Za-z]{16}$/)).optional()
  }),
  btTag: z.strictObject({
    /** The wanted tags; omitted: received tags are recorded. */
    macs: z.array(z.string().regex(/^([0-9A-Fa-f]{2}[\s:.-]?){5}[0-9A-Fa-f]{2}$/)).optional(),
    minBatteryPercent: z.number().min(0).max(100).optional(),
    minDegC: z.number().min(-100).max(100).optional(),
    maxDegC: z.number().min(-100).max(100).optional()
  }),
  tyres: z.strictObject({
    /** Axles are counted from the front, wheels from the left, facing forward; both from 0, as the gateway does. */
    wheels: z
      .array(
        z.strictObject({
          axle: z.number().int().min(0).max(15),
          wheel: z.number().int().min(0).max(15),
          sensorId: z
            .string()
            .regex(/^\d{1,10}$/)
            .optional()
        })
      )
      .optional(),
    minPsi: z.number().min(0).max(999).optional(),
    maxPsi: z.number().min(0).max(999).optional()
  }),
  temperature: z.strictObject({
    probes: z
      .array(
        z.strictObject({
          probe: z.enum(['a', 'b', 'c']),
          name: templateText.optional(),
          minDegC: z.number().min(-60).max(100).optional(),
          maxDegC: z.number().min(-60).max(100).optional()
        })
      )
      .optional()
  }),
  expander: z.strictObject({
    /** The wired inputs of the expander; omitted: only the expander itself must answer. */
    inputs: z.array(z.number().int().min(1).max(4)).optional(),
    names: z.record(z.string().regex(/^[1-4]$/), templateText).optional()
  }),
  trigger: z.strictObject({
    /** The label of the event to cause, as the gateway names it. */
    label: z.string().min(1).max(60).optional()
  }),
  camera: z.strictObject({
    /** The wanted cameras, 0 to 3, 99 the flash camera; omitted: those that answer. */
    views: z
      .array(
        z.strictObject({
          source: z.union([z.number().int().min(0).max(3), z.literal(99)]),
          name: templateText.optional()
        })
      )
      .optional()
  }),
  counters: z.strictObject({
    /** Omitted: the odometer. */
    counters: z
      .array(z.enum(['odometer', 'engineHours']))
      .min(1)
      .optional()
  })
}
