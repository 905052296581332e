import { z } from 'zod'
import { ecuEntry } from '../../device/workspace.ts'
import { templateText } from './texts.ts'

const analogMv = z.number().min(0).max(28_000)
const radio = z.strictObject({
  /** Omitted: any value. */
  isOn: z.boolean().optional(),
  /** The name of the network; its password is a secret and is never part of a checklist. */
  ssid: z.string().min(1).max(32).optional()
})

/** The settings of the steps about the device's own configuration and wiring, by kind. */
export const orderedSettings = {
  clock: z.object({}),
  analog: z.strictObject({
    channels: z
      .array(
        z
          .strictObject({
            channel: z.enum(['AN1', 'AN2', 'DAN']),
            name: templateText.optional(),
            minMv: analogMv,
            maxMv: analogMv
          })
          .refine(({ minMv, maxMv }) => minMv <= maxMv)
      )
      .max(3)
      .optional()
  }),
  wifi: radio,
  hotspot: radio,
  apn: z.strictObject({
    /**
     * The access point name that the modem is to use. User, password and PIN are secrets and are never part of a
     * checklist.
     */
    apn: z.string().trim().min(1).max(100).optional(),
    /**
     * The APN needs no user, password and PIN. The device API sets all four at once: only then may the step send these
     * three empty.
     */
    clearsSignIn: z.boolean().optional()
  }),
  engineBus: z.strictObject({
    /** Names as the gateway's `ecu_state` has them, or the `ecu_` fields of raw data. */
    parameters: z.array(z.string().trim().min(1).max(60)).max(200).optional(),
    /**
     * Entries to add to the device's own list if missing. The list cannot be read back: the gateway shows the result.
     */
    entries: z.array(ecuEntry).max(200).optional()
  }),
  software: z.strictObject({
    osVersion: z.string().min(1).max(60).optional(),
    apps: z
      .array(z.strictObject({ name: z.string().min(1).max(100), version: z.string().min(1).max(60).optional() }))
      .max(50)
      .optional()
  })
}
