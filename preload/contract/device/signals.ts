import { z } from 'zod'
import { defineCalls, deviceKey } from '../define.ts'

/** The numbers of a device with a history while Fitter runs; each name ends with the unit. */
export const signalName = z.enum([
  'signalDbm',
  'wifiDbm',
  'satellites',
  'hdop',
  'vdop',
  'pdop',
  'speedKmh',
  'accuracyM',
  'altitudeM',
  'an1Mv',
  'an2Mv',
  'danMv',
  'batteryMv',
  'processorPercent',
  'memoryFreeBytes',
  'memoryUsedBytes',
  'load',
  'uptimeS',
  'restarts',
  'answerMs'
])
export type SignalName = z.infer<typeof signalName>

/** Readings in order of time; null: unreadable. */
export const signalPoints = z.object({ atMs: z.array(z.number()), values: z.array(z.number().nullable()) })

export const signalsCalls = defineCalls({
  /**
   * The readings since `sinceMs` (the `nowMs` of the answer before); the first time, thinned readings of the last 24 h.
   */
  'workspace.signals': {
    input: z.strictObject({
      key: deviceKey,
      names: z
        .array(signalName)
        .max(signalName.options.length)
        .default([...signalName.options]),
      sinceMs: z.number().min(0).default(0)
    }),
    output: z.object({ nowMs: z.number(), signals: z.partialRecord(signalName, signalPoints) })
  }
})
