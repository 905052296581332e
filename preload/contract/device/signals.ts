import { z } from 'zod'
import { defineCalls } from '../define.ts'

/** The numbers of a device whose history is kept while Fitter runs; the end of a name is its unit. */
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
  /** How often the device was seen to have started anew since Fitter reads it. */
  'restarts',
  /** How long the device took to answer. */
  'answerMs'
])
export type SignalName = z.infer<typeof signalName>

/** Readings in the order of time; null where nothing could be read. */
export const signalPoints = z.object({ atMs: z.array(z.number()), values: z.array(z.number().nullable()) })

export const signalsCalls = defineCalls({
  /** What was read since `sinceMs` (the `nowMs` of the answer before): all of the last 24 h at first, thinned out. */
  'workspace.signals': {
    input: z.strictObject({
      key: z.string().min(1).max(255),
      names: z.array(signalName).max(signalName.options.length).default([...signalName.options]),
      sinceMs: z.number().min(0).default(0)
    }),
    output: z.object({ nowMs: z.number(), signals: z.partialRecord(signalName, signalPoints) })
  }
})
