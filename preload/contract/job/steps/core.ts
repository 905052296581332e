import { z } from 'zod'
import { inputLine, outputLine, templateText } from './texts.ts'

export const coreSettings = {
  identity: z.object({}),
  externalPower: z.object({}),
  ignition: z.object({}),
  position: z.object({}),
  network: z.object({}),
  delivered: z.object({}),
  samePlace: z.object({}),
  inputs: z.strictObject({
    /** The wanted inputs; omitted: those that move are recorded. */
    inputs: z.array(inputLine).optional(),
    /** What is connected to an input, by which wire, and how it is operated, if known. */
    wires: z
      .record(
        inputLine,
        z.strictObject({ name: templateText, wire: templateText.optional(), instruction: templateText.optional() })
      )
      .optional()
  }),
  output: z.strictObject({
    /** The line; omitted: OUT1. */
    output: outputLine.optional(),
    /** The relay acts, or may act, on the starter, so the engine must be off. */
    engineOff: z.boolean().optional(),
    /** What the person must see while the output is on. */
    effectQuestion: templateText.optional()
  }),
  alignment: z.object({}),
  vehicle: z.object({}),
  link: z.object({})
}

/** What the steps that see a vehicle through a drive, or a device out of it, may be told, by kind. */
export const roadSettings = {
  testTrip: z.strictObject({
    /** How far and how long the trip has to be, where the checklist wants another one than the profile. */
    minKm: z.number().min(0).max(500).optional(),
    minMinutes: z.number().min(0).max(240).optional()
  }),
  /** The device is gone from its vehicle at the gateway. */
  removed: z.object({}),
  /** This device has taken the place of another one, counters and all. */
  swapped: z.object({})
}
