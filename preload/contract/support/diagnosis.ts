import { z } from 'zod'
import { defineCalls, deviceKey, imeiDigits, isoTime, json } from '../define.ts'
import { fact, factNames } from './facts.ts'
import { gatewayTrouble } from './evidence.ts'
import { messageSchema } from '../base/messageSchema.ts'
import { vehicleReporting } from '../gateway/vehicles/vehicles.ts'

/** The links from the wiring to the user, in the order of the walk. */
export const chainLinks = [
  'power',
  'sim',
  'registration',
  'address',
  'apn',
  'gatewayEvent',
  'fix',
  'vehicle',
  'visible'
] as const
export const chainLink = z.enum(chainLinks)
export type ChainLink = z.infer<typeof chainLink>

/** unknown: no witness could answer; it accuses nothing. notReached: not judged, as in a chain before the first answer. */
export const linkState = z.enum(['ok', 'broken', 'unknown', 'notReached'])

/** The action of the button beside the remedy; without one the remedy is text only. */
export const remedyAction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('setApn'), apn: z.string() }),
  z.object({ kind: z.literal('linkVehicle'), vehicleId: z.number(), imei: z.string() }),
  z.object({ kind: z.literal('openVehicle'), vehicleId: z.number() }),
  z.object({ kind: z.literal('openPart'), part: z.enum(['lines', 'position', 'network', 'engineBus', 'apps']) }),
  z.object({ kind: z.literal('signInGateway') }),
  /** An administrator of the gateway has to do it: the account lacks a right, or shares no group with the vehicle. */
  z.object({
    kind: z.literal('askAdministrator'),
    username: z.string().nullable(),
    scope: z.string().nullable(),
    status: z.number().nullable()
  }),
  z.object({ kind: z.literal('signInDevice') })
])
export type RemedyAction = z.infer<typeof remedyAction>

export const diagnosisWitness = z.enum(['device', 'gateway', 'both'])

export const chainStep = z.object({
  link: chainLink,
  state: linkState,
  sentence: messageSchema,
  /** The short result under the name of the link: "LTE, -88 dBm". */
  short: messageSchema,
  detail: messageSchema.nullable(),
  /** The source of the expected value: an order, a job, a snapshot. */
  source: messageSchema.nullable(),
  /** Only for a broken link. */
  remedy: messageSchema.nullable(),
  action: remedyAction.nullable(),
  /** The witness; null: none could be asked. */
  witness: diagnosisWitness.nullable(),
  /** When the witness was read, on our clock. */
  readAt: isoTime.nullable(),
  /** Since when the link is broken, on our clock; null when unknown. */
  sinceAt: isoTime.nullable(),
  /** It was broken, and nothing has been read since that disproves it: the verdict of then. */
  isHeld: z.boolean().optional()
})
export type ChainStep = z.infer<typeof chainStep>

/** One value of the latest events, oldest first, which shows when it became wrong: times in epoch ms on our clock. */
export const trend = z.object({
  measure: z.enum(['apartM', 'delayS', 'signalDbm', 'satellites']),
  /** The value up to which, or from which, it is in order. */
  limit: z.number(),
  points: z.array(z.tuple([z.number(), z.number()]))
})
export type Trend = z.infer<typeof trend>

/** A problem outside of the chain, which does not keep the vehicle from reporting. */
export const finding = z.object({
  id: z.string(),
  sentence: messageSchema,
  remedy: messageSchema.nullable(),
  witness: diagnosisWitness,
  readAt: isoTime.nullable(),
  /** fail: this may be the wrong device, vehicle or SIM. */
  tone: z.enum(['fail', 'warn']),
  /** When it began, on our clock; null when unknown. */
  sinceAt: isoTime.nullable(),
  /** The link of the chain that it concerns, and its words below the name of that link. */
  link: chainLink.optional(),
  short: messageSchema.optional(),
  trend: trend.optional()
})
export type Finding = z.infer<typeof finding>

/** One of them: a device of the table, a vehicle of the gateway, or a device by its IMEI. */
export const diagnosisSubject = z.union([
  z.strictObject({ key: deviceKey, vehicleId: z.number().int().nonnegative().optional() }),
  z.strictObject({ vehicleId: z.number().int().nonnegative() }),
  z.strictObject({ imei: imeiDigits })
])
export type DiagnosisSubject = z.infer<typeof diagnosisSubject>

/** The pure part: the conclusions from evidence of one moment. */
export const verdicts = z.object({
  /** The worst of chain and findings. unknown: nothing found, but not everything could be checked. */
  tone: z.enum(['fail', 'warn', 'unknown', 'pass']),
  /** When it began; null when unknown. */
  since: isoTime.nullable(),
  /** What the headline names: a finding by its id, or a link. Null: no problem was found. */
  headline: z.union([z.object({ finding: z.string() }), z.object({ link: chainLink })]).nullable(),
  /** The first broken link; later ones may be broken as well. */
  brokenAt: chainLink.nullable(),
  chain: z.array(chainStep),
  findings: z.array(finding),
  facts: z.array(fact),
  /** The facts that prove the headline, the first one first. */
  proof: z.array(z.enum(factNames)).optional()
})
export type Verdicts = z.infer<typeof verdicts>

/** Requests to the gateway that failed in a row, and when the next one is sent. */
export const gatewayRetry = z.object({ failedSince: isoTime, attempts: z.number(), nextAt: isoTime })

export const diagnosis = verdicts.extend({
  at: isoTime,
  subject: z.object({
    deviceKey: z.string().nullable(),
    vehicleId: z.number().nullable(),
    imei: z.string().nullable(),
    name: z.string().nullable(),
    plate: z.string().nullable(),
    model: z.string().nullable(),
    host: z.string().nullable(),
    /** When the local copy was made that contains the name; null: the gateway or the person says it. */
    copiedAt: isoTime.nullable().optional(),
    copiedReportAt: isoTime.nullable().optional()
  }),
  /** Null: none is asked. */
  device: z
    .object({
      state: z.enum(['answers', 'away', 'another', 'locked', 'asking']),
      why: messageSchema.nullable(),
      readAt: isoTime.nullable()
    })
    .nullable(),
  gateway: z
    .object({
      state: z.enum(['answers', 'asking', 'away', 'signedOut', 'notShown']),
      why: messageSchema.nullable(),
      readAt: isoTime.nullable(),
      aheadS: z.number().nullable(),
      trouble: gatewayTrouble.nullish(),
      username: z.string().nullish(),
      retry: gatewayRetry.nullable().optional()
    })
    .nullable(),
  /** The gateway's latest event on our clock, its age, and the age up to which it counts as reporting. */
  lastReport: z.object({ at: isoTime, ageS: z.number(), reportsWithinS: z.number() }).nullable(),
  /** Whether the vehicle reports, by the rule of the lists; the times on our clock. */
  reporting: vehicleReporting.optional(),
  /** The latest events in words, newest first, on our clock. */
  latest: z.array(z.object({ at: isoTime, what: messageSchema })).optional(),
  /** The recording since the diagnosis was opened; null: none. */
  recorded: z.object({ fromMs: z.number(), toMs: z.number() }).nullable(),
  /** False while a question has no answer yet: ask again soon. */
  isWhole: z.boolean(),
  /** When to ask again. */
  nextInMs: z.number(),
  /** After a longer pause the diagnosis is opened anew: everything is requested afresh. */
  openedAfterMs: z.number()
})
export type Diagnosis = z.infer<typeof diagnosis>

export const diagnosisCalls = defineCalls({
  /**
   * The diagnosis so far. It requests what is due and waits briefly for it, but not for a witness that cannot change
   * the first broken link: call again after `nextInMs`. `atMs`: the diagnosis at that time, from the recording since
   * the device was opened. `isQuick`: what is known already, from earlier answers and the local copy; requests are
   * sent, but nobody waits for them.
   */
  'diagnosis.look': {
    input: z.strictObject({
      subject: diagnosisSubject,
      atMs: z.number().nullable().default(null),
      isQuick: z.boolean().default(false)
    }),
    output: diagnosis
  },
  /** The raw answers behind chain and table, by operation and part. NOT_FOUND before the first look. */
  'diagnosis.raw': {
    input: z.strictObject({ subject: diagnosisSubject, atMs: z.number().nullable().default(null) }),
    output: z.object({ at: isoTime, device: z.record(z.string(), json), gateway: z.record(z.string(), json) })
  },
  /** The table of a device at the sign-off of its last installation; null when this computer has no snapshot of it. */
  'diagnosis.installed': {
    input: z.strictObject({ imei: z.string().min(1).max(40) }),
    output: z.object({ installed: z.object({ takenAt: isoTime, facts: z.array(fact) }).nullable() })
  },
  /** Requests the data of this link afresh, without any cache; null: of all links. */
  'diagnosis.retest': {
    input: z.strictObject({ subject: diagnosisSubject, link: chainLink.nullable() }),
    output: diagnosis
  }
})
