import { z } from 'zod'
import { defineCalls, deviceKey, isoTime, json, nothing, view } from '../define.ts'
import { gatewayEvidence } from './evidence.ts'
import { messageSchema } from '../base/messageSchema.ts'
import { liveOperation, liveReading } from '../device/workspace.ts'

/** The version of the snapshot file. A later version is refused. */
export const snapshotVersion = 1

/** jobStart, signOff: made automatically during a job. person: requested by a person. */
export const snapshotCause = z.enum(['jobStart', 'signOff', 'person'])
export type SnapshotCause = z.infer<typeof snapshotCause>

/** The read-only operations of a snapshot, and the last known result of the update check. */
export const snapshotOperation = z.enum([...liveOperation.options, 'updates.osCheck'])
export type SnapshotOperation = z.infer<typeof snapshotOperation>

const short = z.string().max(200)
/** Files can come from anyone: an invalid time is refused. */
const time = z.iso.datetime().max(40)

export const snapshotReading = z.strictObject({ ...liveReading.shape, readAt: time })
export type SnapshotReading = z.infer<typeof snapshotReading>

/** The complete file: everything that a device and the gateway reported about it at one time, without secrets. */
export const snapshotFile = z.strictObject({
  format: z.literal('fitter-snapshot'),
  version: z.literal(snapshotVersion),
  takenAt: time,
  cause: snapshotCause,
  jobId: z.string().max(40).nullable(),
  /** The user of this Fitter; empty without a name. */
  by: short,
  device: z.strictObject({ imei: z.string().max(40).nullable(), model: short.nullable(), host: short }),
  vehicle: z.strictObject({ id: z.number().int().nullable(), name: short }).nullable(),
  versions: z.strictObject({
    fitter: short,
    os: short.nullable(),
    kernel: short.nullable(),
    accelerometer: short.nullable()
  }),
  readings: z.partialRecord(snapshotOperation, snapshotReading),
  /** As collected for a diagnosis; null when no gateway was asked. */
  gateway: gatewayEvidence.nullable()
})
export type Snapshot = z.infer<typeof snapshotFile>

export const snapshotLine = z.object({
  id: z.string(),
  takenAt: isoTime,
  cause: snapshotCause,
  imei: z.string().nullable(),
  model: z.string().nullable(),
  jobId: z.string().nullable(),
  vehicle: z.object({ id: z.number().nullable(), name: z.string() }).nullable(),
  osVersion: z.string().nullable(),
  by: z.string(),
  /** The number of operations, and of those without a result. */
  asked: z.number(),
  silent: z.number(),
  withGateway: z.boolean(),
  sha256: z.string(),
  sizeBytes: z.number(),
  /** From an opened file: not stored on this computer. */
  isOpened: z.boolean(),
  isDamaged: z.boolean()
})
export type SnapshotLine = z.infer<typeof snapshotLine>

export const snapshotArea = z.enum([
  'gps',
  'eth',
  'wifi',
  'hotspot',
  'modem',
  'io',
  'accelerometer',
  'system',
  'updates',
  'apps',
  'gateway'
])
export type SnapshotArea = z.infer<typeof snapshotArea>

/** Why a difference has no meaning. Each rule is shown, and the person can turn it off. */
export const noiseRule = z.object({
  id: z.string(),
  text: messageSchema
})

export const snapshotDifference = z.object({
  area: snapshotArea,
  /** Names joined by points, as in the answer: `extras.satsActive`, `information.RSSI`. */
  field: z.string(),
  /** Null when the field was missing. */
  before: json,
  after: json,
  /** A rule says that this difference has no meaning. */
  noise: z.boolean(),
  rule: z.string().nullable()
})
export type SnapshotDifference = z.infer<typeof snapshotDifference>

export const snapshotComparison = z.object({
  before: snapshotLine,
  after: snapshotLine,
  differences: z.array(snapshotDifference),
  /** The changes in words, without those that an active rule hides. */
  sentences: z.array(messageSchema),
  /** Operations that failed in one of the two: changes there are unknown. */
  unknown: z.array(z.object({ area: snapshotArea, part: z.string().nullable() })),
  rules: z.array(noiseRule)
})
export type SnapshotComparison = z.infer<typeof snapshotComparison>

const id = z.string().min(1).max(80)

export const snapshotProgress = z.object({ view, done: z.number(), total: z.number() })

export const snapshotsCalls = defineCalls({
  /** Newest first, of one device, one vehicle or one job; `after` is the last of the page before. */
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
  /**
   * Reads everything of a device now and stores it. `snapshots.progress` reports the progress; `snapshots.stop` ends
   * it.
   */
  'snapshots.take': { input: z.strictObject({ key: deviceKey, view }), output: z.object({ snapshot: snapshotLine }) },
  'snapshots.stop': { input: z.strictObject({ view }), output: nothing },
  'snapshots.read': {
    input: z.strictObject({ id }),
    output: z.object({ snapshot: snapshotLine, content: snapshotFile })
  },
  /** Rules named in `without` are off: the differences that they would hide count. */
  'snapshots.diff': {
    input: z.strictObject({ before: id, after: id, without: z.array(z.string().max(60)).max(60).default([]) }),
    output: snapshotComparison
  },
  'snapshots.export': {
    input: z.strictObject({ id }),
    output: z.object({ fileName: z.string(), text: z.string(), sha256: z.string() })
  },
  /** The text of a file from elsewhere, which is shown in this run and not stored. */
  'snapshots.open': {
    input: z.strictObject({ text: z.string().max(2_000_000) }),
    output: z.discriminatedUnion('outcome', [
      z.object({ outcome: z.literal('opened'), snapshot: snapshotLine }),
      z.object({ outcome: z.literal('refused'), why: messageSchema })
    ])
  },
  /** The device at the sign-off of its last installation; null when this computer has no snapshot of it. */
  'snapshots.installed': {
    input: z.strictObject({ imei: z.string().min(1).max(40) }),
    output: z.object({ snapshot: snapshotLine.nullable(), content: snapshotFile.nullable() })
  }
})
