import { z } from 'zod'
import { defineCalls, isoTime, json } from '../define.ts'
import { fact } from './facts.ts'
import { messageSchema } from '../messageSchema.ts'

/** From the wire to the eyes of the user, in the order in which they are walked. */
export const chainLinks = ['power', 'sim', 'registration', 'address', 'apn', 'gatewayEvent', 'fix', 'vehicle', 'visible'] as const
export const chainLink = z.enum(chainLinks)
export type ChainLink = z.infer<typeof chainLink>

/** unknown: nobody could say; it accuses nothing and the walk goes on. notReached: it stands behind a broken link. */
export const linkState = z.enum(['ok', 'broken', 'unknown', 'notReached'])

/** What a button beside the remedy does; where there is none, the remedy is words. */
export const remedyAction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('setApn'), apn: z.string() }),
  z.object({ kind: z.literal('linkVehicle'), vehicleId: z.number(), imei: z.string() }),
  z.object({ kind: z.literal('openVehicle'), vehicleId: z.number() }),
  /** A part of the device's workspace. */
  z.object({ kind: z.literal('openPart'), part: z.enum(['lines', 'position', 'network', 'engineBus', 'apps']) }),
  z.object({ kind: z.literal('signInGateway') }),
  z.object({ kind: z.literal('signInDevice') })
])
export type RemedyAction = z.infer<typeof remedyAction>

export const diagnosisWitness = z.enum(['device', 'gateway', 'both'])

export const chainStep = z.object({
  link: chainLink,
  state: linkState,
  /** What is so, in one sentence. */
  sentence: messageSchema,
  /** Its short form under the name of the link: "LTE, -88 dBm". */
  short: messageSchema,
  /** What more is known of it. */
  detail: messageSchema.nullable(),
  /** Where what was expected comes from: an order, a job, a snapshot. */
  source: messageSchema.nullable(),
  /** Only of a broken link. */
  remedy: messageSchema.nullable(),
  action: remedyAction.nullable(),
  /** Who said so; null: nobody could be asked. */
  witness: diagnosisWitness.nullable(),
  /** When the witness was read, on our clock. */
  readAt: isoTime.nullable(),
  /** Since when a broken link is broken, on our clock; null where nobody knows. */
  sinceAt: isoTime.nullable()
})
export type ChainStep = z.infer<typeof chainStep>

/** What is wrong beside the chain: it does not keep the vehicle from reporting. */
export const finding = z.object({
  id: z.string(),
  sentence: messageSchema,
  remedy: messageSchema.nullable(),
  witness: diagnosisWitness,
  readAt: isoTime.nullable(),
  /** fail: this may not be the device, the vehicle or the SIM that was meant. */
  tone: z.enum(['fail', 'warn']),
  /** Since when it is so, on our clock; null where nobody knows. */
  sinceAt: isoTime.nullable()
})
export type Finding = z.infer<typeof finding>

/** One of them: a device of the table, a vehicle of the gateway, or a device by its IMEI. */
export const diagnosisSubject = z.union([
  z.strictObject({ key: z.string().min(1).max(255), vehicleId: z.number().int().nonnegative().optional() }),
  z.strictObject({ vehicleId: z.number().int().nonnegative() }),
  z.strictObject({ imei: z.string().regex(/^\d{15}$/) })
])
export type DiagnosisSubject = z.infer<typeof diagnosisSubject>

/** The pure part: what evidence of one moment comes to. */
export const verdicts = z.object({
  /** The worst of chain and findings. fail: broken, or not who was meant. unknown: nothing was found, and not all could be seen. */
  tone: z.enum(['fail', 'warn', 'unknown', 'pass']),
  /** Since when that is so; null where nobody knows. */
  since: isoTime.nullable(),
  /** What the headline says: a finding by its id, or a link. Null: nothing was found. */
  headline: z.union([z.object({ finding: z.string() }), z.object({ link: chainLink })]).nullable(),
  brokenAt: chainLink.nullable(),
  chain: z.array(chainStep),
  findings: z.array(finding),
  facts: z.array(fact)
})
export type Verdicts = z.infer<typeof verdicts>

export const diagnosis = verdicts.extend({
  /** When the evidence was put together. */
  at: isoTime,
  subject: z.object({
    deviceKey: z.string().nullable(),
    vehicleId: z.number().nullable(),
    imei: z.string().nullable(),
    name: z.string().nullable(),
    plate: z.string().nullable(),
    model: z.string().nullable(),
    host: z.string().nullable()
  }),
  /** Null: none is asked. */
  device: z.object({ state: z.enum(['answers', 'away', 'another', 'locked', 'asking']), why: messageSchema.nullable(), readAt: isoTime.nullable() }).nullable(),
  gateway: z.object({ state: z.enum(['answers', 'asking', 'away', 'signedOut', 'notShown']), why: messageSchema.nullable(), readAt: isoTime.nullable(), aheadS: z.number().nullable() }).nullable(),
  /** The latest that the gateway heard of it: when, on our clock, how long ago by its own, and until which age it counts as reporting. */
  lastReport: z.object({ at: isoTime, ageS: z.number(), reportsWithinS: z.number() }).nullable(),
  /** What was recorded since it was opened here; null: nothing. */
  recorded: z.object({ fromMs: z.number(), toMs: z.number() }).nullable(),
  /** False while something was asked and has not answered yet: look again soon. */
  isWhole: z.boolean(),
  /** When it is worth looking again. */
  nextInMs: z.number(),
  /** Not looked at for longer, it is opened again: everything is asked afresh, and what was read before is of an earlier visit. */
  openedAfterMs: z.number()
})
export type Diagnosis = z.infer<typeof diagnosis>

export const diagnosisCalls = defineCalls({
  /**
   * What is known by now. It asks what is due and waits for it a moment, not for a witness that cannot change the first
   * broken link: look again after `nextInMs`. `atMs`: as it was then, from what was recorded since the device was opened.
   */
  'diagnosis.look': { input: z.strictObject({ subject: diagnosisSubject, atMs: z.number().nullable().default(null) }), output: diagnosis },
  /** What the chain and the table were made of, as it came: by operation of the device, and by part of the gateway. NOT_FOUND before anybody looked. */
  'diagnosis.raw': {
    input: z.strictObject({ subject: diagnosisSubject, atMs: z.number().nullable().default(null) }),
    output: z.object({ at: isoTime, device: z.record(z.string(), json), gateway: z.record(z.string(), json) })
  },
  /** The table of a device as it was when its last installation was signed off; null where no snapshot of it was kept here. */
  'diagnosis.installed': {
    input: z.strictObject({ imei: z.string().min(1).max(40) }),
    output: z.object({ installed: z.object({ takenAt: isoTime, facts: z.array(fact) }).nullable() })
  },
  /** Asks afresh what this link is judged by, past everything that is kept; null: all of them. */
  'diagnosis.retest': { input: z.strictObject({ subject: diagnosisSubject, link: chainLink.nullable() }), output: diagnosis }
})
