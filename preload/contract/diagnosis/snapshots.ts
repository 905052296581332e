import { z } from 'zod'
import { defineCalls, isoTime, json, nothing } from '../define.ts'
import { gatewayEvidence } from './evidence.ts'
import { messageSchema } from '../messageSchema.ts'
import { liveOperation, liveReading } from '../device/workspace.ts'

/** The form of a snapshot's file. A later one is not guessed at. */
export const snapshotVersion = 1

/** jobStart, signOff: made by itself while a job was worked on. person: somebody asked for it. */
export const snapshotCause = z.enum(['jobStart', 'signOff', 'person'])
export type SnapshotCause = z.infer<typeof snapshotCause>

/** What a snapshot reads: everything that only looks, and what somebody else was told by the update check. */
export const snapshotOperation = z.enum([...liveOperation.options, 'updates.osCheck'])
export type SnapshotOperation = z.infer<typeof snapshotOperation>

const short = z.string().max(200)
/** Files come from anybody: a time that is none is refused at the door. */
const time = z.iso.datetime().max(40)

export const snapshotReading = z.strictObject({ ...liveReading.shape, readAt: time })
export type SnapshotReading = z.infer<typeof snapshotReading>

/** All that a device said of itself at one time, and what the gateway said of it, without secrets: the file, whole. */
export const snapshotFile = z.strictObject({
  format: z.literal('fitter-snapshot'),
  version: z.literal(snapshotVersion),
  takenAt: time,
  cause: snapshotCause,
  jobId: z.string().max(40).nullable(),
  /** Who worked with this Fitter then; empty where nobody gave a name. */
  by: short,
  device: z.strictObject({ imei: z.string().max(40).nullable(), model: short.nullable(), host: short }),
  /** The one that the gateway or the job had with this device then. */
  vehicle: z.strictObject({ id: z.number().int().nullable(), name: short }).nullable(),
  versions: z.strictObject({ fitter: short, os: short.nullable(), kernel: short.nullable(), accelerometer: short.nullable() }),
  readings: z.partialRecord(snapshotOperation, snapshotReading),
  /** As it was gathered for a diagnosis; null where no gateway was asked. */
  gateway: gatewayEvidence.nullable()
})
export type Snapshot = z.infer<typeof snapshotFile>

/** A snapshot in a list. */
export const snapshotLine = z.object({
  id: z.string(),
  takenAt: isoTime,
  cause: snapshotCause,
  imei: z.string().nullable(),
  model: z.string().nullable(),
  jobId: z.string().nullable(),
  /** The vehicle that the gateway or the job had with this device then. */
  vehicle: z.object({ id: z.number().nullable(), name: z.string() }).nullable(),
  osVersion: z.string().nullable(),
  by: z.string(),
  /** Operations that were asked, and those of them that gave nothing. */
  asked: z.number(),
  silent: z.number(),
  withGateway: z.boolean(),
  /** Of the file, byte by byte. */
  sha256: z.string(),
  sizeBytes: z.number(),
  /** From a file that was opened: it is not kept here. */
  isOpened: z.boolean(),
  /** Its bytes are not the ones that were kept. */
  isDamaged: z.boolean()
})
export type SnapshotLine = z.infer<typeof snapshotLine>

export const snapshotArea = z.enum(['gps', 'eth', 'wifi', 'hotspot', 'modem', 'io', 'accelerometer', 'system', 'updates', 'apps', 'gateway'])
export type SnapshotArea = z.infer<typeof snapshotArea>

/** Why a difference says nothing by itself. Each rule is shown to the person, who may leave it out. */
export const noiseRule = z.object({
  id: z.string(),
  /** In words, with its limit. */
  text: messageSchema
})

export const snapshotDifference = z.object({
  area: snapshotArea,
  /** Names joined by points, as in the answer: `extras.satsActive`, `information.RSSI`. */
  field: z.string(),
  /** Null where the field was not there. */
  before: json,
  after: json,
  /** A rule says that it means nothing by itself. */
  noise: z.boolean(),
  /** Which one. */
  rule: z.string().nullable()
})
export type SnapshotDifference = z.infer<typeof snapshotDifference>

export const snapshotComparison = z.object({
  before: snapshotLine,
  after: snapshotLine,
  differences: z.array(snapshotDifference),
  /** What changed, in words; nothing in it is of a rule that was not left out. */
  sentences: z.array(messageSchema),
  /** Operations that one of both could not read: nothing is known of a change there. */
  unknown: z.array(z.object({ area: snapshotArea, part: z.string().nullable() })),
  rules: z.array(noiseRule)
})
export type SnapshotComparison = z.infer<typeof snapshotComparison>

const id = z.string().min(1).max(80)
const view = z.string().min(1).max(60)

export const snapshotProgress = z.object({ view, done: z.number(), total: z.number() })

export const snapshotsCalls = defineCalls({
  /** Newest first. Of one device, one vehicle or one job; `after` is the last of the page before. */
  'snapshots.list': {
    input: z.strictObject({
      imei: z.string().max(40).optional(),
      vehicleId: z.number().int().optional(),
      jobId: z.string().max(40).optional(),
      after: id.nullable().default(null),
      limit: z.number().int().min(1).max(100).default(30)
    }),
    output: z.object({ snapshots: z.array(snapshotLine), next: id.nullable() })
  },
  /** Reads everything of a device now and keeps it. Told by `snapshots.progress`; `snapshots.stop` ends it. */
  'snapshots.take': { input: z.strictObject({ key: z.string().min(1).max(255), view }), output: z.object({ snapshot: snapshotLine }) },
  'snapshots.stop': { input: z.strictObject({ view }), output: nothing },
  'snapshots.read': { input: z.strictObject({ id }), output: z.object({ snapshot: snapshotLine, content: snapshotFile }) },
  /** Rules named in `without` are left out: what they would hide counts. */
  'snapshots.diff': { input: z.strictObject({ before: id, after: id, without: z.array(z.string().max(60)).max(60).default([]) }), output: snapshotComparison },
  'snapshots.export': { input: z.strictObject({ id }), output: z.object({ fileName: z.string(), text: z.string(), sha256: z.string() }) },
  /** The text of a file that somebody else made. It is looked at in this run and not kept. */
  'snapshots.open': {
    input: z.strictObject({ text: z.string().max(2_000_000) }),
    output: z.discriminatedUnion('outcome', [
      z.object({ outcome: z.literal('opened'), snapshot: snapshotLine }),
      z.object({ outcome: z.literal('refused'), why: messageSchema })
    ])
  },
  /** The device as it was when its last installation was signed off; null where none was kept here. */
  'snapshots.installed': {
    input: z.strictObject({ imei: z.string().min(1).max(40) }),
    output: z.object({ snapshot: snapshotLine.nullable(), content: snapshotFile.nullable() })
  }
})
