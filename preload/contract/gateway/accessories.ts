import { z } from 'zod'
import { defineCalls, isoTime, json, nothing } from '../define.ts'
import { messageSchema } from '../base/messageSchema.ts'

export const recordId = z.number().int().nonnegative().max(9_007_199_254_740_991)
const recordName = z.string().max(200)
/** Set if the asset was chosen from the local copy: Fitter first asks the gateway whether it is still the same. */
const copiedAt = isoTime.nullable().default(null)
const jobId = z.string().min(1).max(40).nullable().default(null)

export const photoView = z.object({
  /** 0..3, 99 the flash camera. */
  source: z.number().nullable(),
  statusNo: z.number().nullable(),
  outcome: z.enum(['working', 'ready', 'failed', 'unknown']),
  meaning: messageSchema,
  /** The remedy; null while waiting is all there is to do. */
  remedy: messageSchema.nullable(),
  photoId: z.union([z.number(), z.string()]).nullable(),
  takenAt: isoTime.nullable(),
  sizeBytes: z.number().nullable(),
  /** Of the picture from the gateway; null without one. */
  sha256: z.string().nullable(),
  base64: z.string().nullable()
})
export type PhotoView = z.infer<typeof photoView>

/** Something done at the vehicle that must appear at the gateway: a key, a tag, a photo, a trigger, an output. */
export const accessoryTest = z.object({
  id: z.string(),
  kind: z.enum(['tap', 'tag', 'photo', 'trigger', 'output']),
  vehicleId: z.number(),
  title: messageSchema,
  /** notFound: the time ran out. problem: it failed or cannot be checked. stopped: a person ended it. */
  state: z.enum(['waiting', 'found', 'notFound', 'problem', 'stopped']),
  startedAt: isoTime,
  endsAt: isoTime,
  endedAt: isoTime.nullable(),
  note: messageSchema,
  /** What to do now; null when there is nothing to do. */
  remedy: messageSchema.nullable(),
  /** The witness of the result; null before there is one. */
  witness: z.enum(['gateway']).nullable(),
  evidence: json,
  photos: z.array(photoView)
})
export type AccessoryTest = z.infer<typeof accessoryTest>

export const keyFob = z.object({ id: z.string(), assetId: z.number().nullable(), assetName: z.string().nullable() })
export type KeyFob = z.infer<typeof keyFob>

export const tagReading = z.object({
  mac: z.string(),
  at: isoTime,
  batteryPercent: z.number().nullable(),
  batteryMv: z.number().nullable(),
  humidityPercent: z.number().nullable(),
  lightPercent: z.number().nullable(),
  temperatureC: z.number().nullable(),
  isButtonPressed: z.boolean().nullable(),
  isFalling: z.boolean().nullable(),
  isHit: z.boolean().nullable(),
  isMoving: z.boolean().nullable(),
  isPresent: z.boolean().nullable(),
  isReedClosed: z.boolean().nullable(),
  assetId: z.number().nullable(),
  wakeReasons: z.array(messageSchema)
})
export type TagReading = z.infer<typeof tagReading>

/** A part of an answer that can fail separately. */
const failure = z.object({ code: z.string(), message: messageSchema }).nullable()

export const ecuValue = z.object({
  name: z.string(),
  description: z.string(),
  /** Divided by the divisor of its description; null unless the flag says that it is valid. */
  value: z.union([z.number(), z.string(), z.boolean()]).nullable(),
  divisor: z.number(),
  unit: z.string(),
  flag: z.string().nullable(),
  meaning: messageSchema,
  remedy: messageSchema.nullable()
})
export type EcuValue = z.infer<typeof ecuValue>

const tyrePlace = { location: z.number(), axle: z.number(), position: z.number() }
export const tyreView = z.object({
  ...tyrePlace,
  psi: z.number().nullable(),
  celsius: z.number().nullable(),
  alarm: z.string().nullable(),
  isAlarming: z.boolean(),
  isDefective: z.boolean(),
  looseness: z.string().nullable(),
  isBatteryLow: z.boolean(),
  sensorId: z.string().nullable()
})
export type TyreView = z.infer<typeof tyreView>

export const lineState = z.object({
  name: z.string(),
  kind: z.enum(['power', 'ignition', 'input', 'output', 'expanderInput', 'expanderOutput']),
  number: z.number(),
  on: z.boolean().nullable(),
  /** Of outputs only. */
  isShorted: z.boolean().nullable()
})
export type LineState = z.infer<typeof lineState>

export const accessoryView = z.object({
  readAt: isoTime,
  imei: z.string().nullable(),
  /**
   * Newest event of the vehicle. Speed, position and ignition are of the newest event that names them: a message of the
   * connection has none. `movedM`: how far the latest places with a speed of 0 are apart; `isFixDoubted`: satellites or
   * geometry contradict the position.
   */
  event: z
    .object({
      at: isoTime,
      ageS: z.number(),
      type: z.number().nullable(),
      label: z.string().nullable(),
      speedKmh: z.number().nullable(),
      validPosition: z.boolean().nullable(),
      speedAt: isoTime.nullable(),
      movedM: z.number().nullish(),
      isFixDoubted: z.boolean().nullish(),
      ignition: z.boolean().nullable(),
      ignitionAt: isoTime.nullable()
    })
    .nullable(),
  eventFailure: failure,
  engineBus: z
    .object({
      protocol: z.string(),
      firmware: z.string(),
      isDetected: z.boolean().nullable(),
      isEngineOn: z.boolean().nullable(),
      isUpgrading: z.boolean().nullable(),
      updatedAt: isoTime.nullable(),
      raw: json
    })
    .nullable(),
  engineBusFailure: failure,
  ecuValues: z.array(ecuValue),
  ecuAt: isoTime.nullable(),
  tyres: z.array(tyreView),
  tyreSystem: z.object({ system: z.string(), state: z.string(), axles: z.number(), modules: z.number() }).nullable(),
  tyresAt: isoTime.nullable(),
  tyreProblems: z.array(z.string()),
  temperatures: z.array(z.object({ sensor: z.string(), millivolts: z.number(), celsius: z.number().nullable() })),
  temperaturesAt: isoTime.nullable(),
  assistance: z.array(z.object({ name: z.string(), value: z.number(), unit: z.string() })),
  lines: z.array(lineState),
  isExpanderConnected: z.boolean().nullable(),
  linesAt: isoTime.nullable(),
  linesFailure: failure
})
export type AccessoryView = z.infer<typeof accessoryView>

/** 16 letters and digits: "Limits". */
export const keyFobId = z.string().regex(/^[0-9A-Za-z]{16}$/, 'A key has exactly 16 letters and digits.')
/** A Bluetooth address, in any notation. */
export const tagMac = z
  .string()
  .max(40)
  .refine(
    (text) => /^[0-9A-Fa-f]{12}$/.test(text.replaceAll(/[\s\p{Cf}:.-]/gu, '')),
    'A Bluetooth address has 12 characters: 0 to 9 and A to F.'
  )

const waitS = z.number().int().min(10).max(1_800)
const operationMade = z.object({ operationId: z.string() })

export const accessoriesCalls = defineCalls({
  /** Keys (iButtons) that this user can see, with their assets. */
  'accessories.keys': {
    input: nothing,
    output: z.object({ keys: z.array(keyFob), readAt: isoTime, problems: z.array(messageSchema) })
  },
  /** `assetFrom`: the operation that will create the owner; `assetId` is null then. */
  'accessories.registerKey': {
    input: z.strictObject({
      id: keyFobId,
      assetId: recordId.nullable(),
      assetName: recordName,
      assetFrom: z.string().min(1).max(40).nullable().default(null),
      copiedAt,
      jobId
    }),
    output: operationMade
  },
  'accessories.createAsset': {
    input: z.strictObject({
      name: z.string().trim().min(1).max(80),
      type: z.string().trim().min(1).max(40),
      groups: z.array(recordId).max(50).default([]),
      jobId
    }),
    output: operationMade
  },
  'accessories.assignTag': {
    input: z.strictObject({ mac: tagMac, assetId: recordId, assetName: recordName, copiedAt, jobId }),
    output: operationMade.extend({ mac: z.string() })
  },
  'accessories.setSimNumber': {
    input: z.strictObject({
      iccid: z.string().regex(/^[0-9A-F]{18,22}$/i),
      lineNumber: z
        .string()
        .trim()
        .regex(/^\+?[0-9 ()-]{4,30}$/),
      jobId
    }),
    output: operationMade
  },
  /** Bluetooth tags that the vehicle received recently, the newest reading of each. */
  'accessories.tags': {
    input: z.strictObject({ vehicleId: recordId, hours: z.number().int().min(1).max(168).default(24) }),
    output: z.object({
      tags: z.array(
        tagReading.extend({ /** Null when the gateway does not show it. */ assetName: z.string().nullable() })
      ),
      readAt: isoTime
    })
  },
  'accessories.read': { input: z.strictObject({ vehicleId: recordId }), output: accessoryView },
  /** Waits for the driver of a key in the vehicle's events. */
  'accessories.startTapTest': {
    input: z.strictObject({ vehicleId: recordId, assetId: recordId, assetName: recordName, waitS: waitS.default(180) }),
    output: accessoryTest
  },
  'accessories.startTagTest': {
    input: z.strictObject({ vehicleId: recordId, mac: tagMac, waitS: waitS.default(300) }),
    output: accessoryTest
  },
  'accessories.tests': { input: nothing, output: z.object({ tests: z.array(accessoryTest) }) },
  'accessories.stopTest': {
    input: z.strictObject({ id: z.string().min(1).max(40) }),
    output: z.object({ tests: z.array(accessoryTest) })
  }
})
