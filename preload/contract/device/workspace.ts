import { z } from 'zod'
import { messageSchema, storedMessage } from '../base/messageSchema.ts'
import { outputCondition } from './conditions.ts'
import { linesMark, linesNews } from './lines.ts'
import { defineCalls, deviceKey, isoTime, json, nothing, view } from '../define.ts'
import { deviceCompare } from './deviceCompare.ts'
import { errorCodes } from '../errors.ts'
import { outputLine } from '../job/steps/texts.ts'
import { signInResults } from './device.ts'

/** The read-only operations, which may be repeated freely. */
export const liveOperation = z.enum([
  'gps.position',
  'eth.state',
  'wifi.state',
  'wifi.list',
  'hotspot.state',
  'hotspot.list',
  'modem.information',
  'modem.configuration',
  'io.all',
  'accel.state',
  'accel.configuration',
  'system.info',
  'apps.list'
])
export type LiveOperation = z.infer<typeof liveOperation>

export const liveReading = z.object({
  /** The documented fields that could be read; null when there are none. */
  value: json.nullable(),
  /** The whole answer without secrets. */
  raw: json.nullable(),
  problems: z.array(messageSchema),
  readAt: isoTime,
  elapsedMs: z.number().nullable(),
  failure: z.object({ code: z.enum(errorCodes), message: messageSchema }).nullable()
})
export type LiveReading = z.infer<typeof liveReading>

export const deviceLinks = ['power', 'sim', 'registration', 'address', 'fix'] as const

/** The meaning of values whose unit the document leaves open, with the assumption. */
export const liveFacts = z.object({
  /**
   * What the diagnosis makes of these readings alone; a link is missing where its reading was not asked for, or failed.
   */
  links: z.partialRecord(z.enum(deviceLinks), z.enum(['ok', 'broken', 'unknown'])).optional(),
  /** The words of the diagnosis for each of these links. */
  linkTexts: z
    .partialRecord(
      z.enum(deviceLinks),
      z.object({ sentence: messageSchema, short: messageSchema, remedy: messageSchema.nullable() })
    )
    .optional(),
  clock: z.object({ differenceS: z.number(), assumed: z.enum(['unix', 'gps']) }).optional(),
  modem: z
    .object({
      signal: z.object({ dBm: z.number(), assumed: z.enum(['dBm', 'csq']) }).nullable(),
      registration: z.enum(['registered', 'roaming', 'searching', 'denied', 'notRegistered', 'unknown']),
      hasIp: z.boolean(),
      /** That the modem does not know its signal; null where it does, or where its answer is unreadable. */
      signalNotKnown: messageSchema.nullable(),
      simInUse: z.enum(['external', 'embedded'])
    })
    .optional(),
  /** The network that the device's Wi-Fi is connected to; null for none. */
  wifi: z
    .object({ inUse: z.object({ ssid: z.string(), signalDbm: z.number().nullable(), auth: z.string() }).nullable() })
    .optional()
})
export type LiveFacts = z.infer<typeof liveFacts>

export const workspaceLimits = z.object({
  signalPassDbm: z.number(),
  signalWarnDbm: z.number(),
  satellitesPass: z.number(),
  satellitesWarn: z.number(),
  hdopPass: z.number(),
  delayPassS: z.number(),
  /** An older event at the gateway proves nothing about the present. */
  eventAgeWarnS: z.number(),
  /** The largest accepted distance between device and gateway for a parked vehicle. */
  apartPassM: z.number(),
  apartWarnM: z.number()
})
export type WorkspaceLimits = z.infer<typeof workspaceLimits>

const ssid = z.string().min(1).max(64)
const short = z.string().max(120)

/**
 * One entry of the engine-bus list ("Engine-bus interface configuration" of the document). In the lists that the maker
 * publishes, most entries have no OFFSET, and those of accessories have a CAN_ID in place of PGN and PRIORITY.
 */
export const ecuEntry = z.strictObject({
  PARAM_NAME: short,
  PGN: short.optional(),
  TRANSMISSION_RATE: short,
  PRIORITY: short.optional(),
  DLC: short,
  LENGTH: short,
  START_POSITION: short,
  MULTIPLIER: short,
  GROUP: short,
  OFFSET: z.number().optional(),
  CAN_ID: short.optional(),
  SOURCE_INTERFACE: short.optional(),
  ACCESSORY_TYPE: short.optional(),
  REVERSED: short.optional()
})
export type EcuEntry = z.infer<typeof ecuEntry>

/** An entry as typed or imported: every field is still text. */
export const ecuRow = z.strictObject({ ...ecuEntry.shape, PGN: short, PRIORITY: short, OFFSET: short })
export type EcuRow = z.infer<typeof ecuRow>

const apnChange = z.strictObject({
  operation: z.literal('modem.editApn'),
  apn: short.min(1),
  user: short,
  pass: short,
  pin: z.string().max(16)
})
const wifiAddChange = z.strictObject({ operation: z.literal('wifi.add'), ssid, password: short })
const alignmentChange = z.strictObject({ operation: z.literal('accel.autoAlignment'), state: z.boolean() })
/** The configuration of the engine-bus interface. */
export const ecuConfiguration = z.strictObject({
  PRIMARY_CAN: short,
  SECONDARY_CAN: short,
  J1708: short,
  LISTEN_ONLY_MODE: short
})
/** What a list says about the interfaces: only some of the fields. */
export const ecuFileConfiguration = ecuConfiguration.partial()
export type EcuFileConfiguration = z.infer<typeof ecuFileConfiguration>
const ecuConfigureChange = ecuConfiguration.extend({ operation: z.literal('ecu.configure') })

/** A change of a device setting: its operation with the documented inputs. */
export const deviceChange = z.discriminatedUnion('operation', [
  apnChange,
  wifiAddChange,
  z.strictObject({ operation: z.literal('wifi.remove'), ssid }),
  z.strictObject({ operation: z.literal('wifi.start') }),
  z.strictObject({ operation: z.literal('wifi.stop') }),
  z.strictObject({ operation: z.literal('wifi.reset') }),
  z.strictObject({ operation: z.literal('hotspot.edit'), name: ssid, password: short.min(1) }),
  z.strictObject({ operation: z.literal('hotspot.start') }),
  z.strictObject({ operation: z.literal('hotspot.stop') }),
  alignmentChange,
  ecuConfigureChange
])
export type DeviceChange = z.infer<typeof deviceChange>

/**
 * readBack: shown. different: another value. sent: cannot be read back. unknown: neither answer nor reading arrived.
 */
export const changeResult = z.object({
  kind: z.enum(['readBack', 'different', 'sent', 'unknown']),
  detail: messageSchema,
  answer: json,
  readBack: json,
  at: isoTime
})
export type ChangeResult = z.infer<typeof changeResult>

export const linkOver = z.enum(['ethernet', 'wifi', 'hotspot', 'unknown'])
export type LinkOver = z.infer<typeof linkOver>

/** Changes that can cut the connection from this computer to the device. */
export const linkOperation = z.enum([
  'wifi.start',
  'wifi.stop',
  'wifi.reset',
  'wifi.add',
  'wifi.remove',
  'hotspot.start',
  'hotspot.stop',
  'hotspot.edit'
])

/** A setting that can be applied to a selection of devices, one after the other. */
export const runChange = z.discriminatedUnion('operation', [
  apnChange,
  wifiAddChange,
  alignmentChange,
  ecuConfigureChange,
  z.strictObject({ operation: z.literal('ecu.addParameter'), rows: z.array(ecuEntry).min(1).max(500) })
])
export type RunChange = z.infer<typeof runChange>

/** unknown: sent without an answer. It may have been applied: it is repeated only when a person says so. */
export const runState = z.enum(['waiting', 'running', 'done', 'failed', 'unknown'])
export const runRow = z.object({ name: z.string(), state: runState, detail: messageSchema.nullable() })
export const runDevice = z.object({
  key: z.string(),
  imei: z.string().nullable(),
  state: runState,
  detail: messageSchema.nullable(),
  rows: z.array(runRow)
})
export const run = z.object({
  id: z.string(),
  operation: z.string(),
  startedAt: isoTime,
  state: z.enum(['running', 'stopped', 'ended']),
  /** Of all devices and rows. */
  done: z.number(),
  total: z.number(),
  /** Estimated from the pace so far; null before there is one. */
  leftMs: z.number().nullable(),
  devices: z.array(runDevice)
})
export type Run = z.infer<typeof run>
export type RunDevice = z.infer<typeof runDevice>

export const outputState = z.object({
  out: outputLine,
  phase: z.enum(['watching', 'countdown', 'on', 'switchingOff', 'off', 'failed']),
  /** Conditions that are not met now; the output can be armed when there are none. */
  missing: z.array(messageSchema),
  /** The remaining time of the countdown, or until it goes off again. */
  leftMs: z.number().nullable(),
  /** How long the button must be held. */
  holdMs: z.number(),
  on: z.boolean().nullable(),
  isShort: z.boolean().nullable(),
  detail: messageSchema.nullable(),
  /** All conditions, met or not. */
  conditions: z.array(outputCondition)
})
export type OutputState = z.infer<typeof outputState>

export const lineStory = linesNews.extend({
  value: json,
  problems: z.array(messageSchema),
  readAt: isoTime.nullable(),
  /** Why there are no new readings. */
  problem: messageSchema.nullable(),
  /** What the checklist of the last job on this computer says is wired to a line. */
  wiring: z.array(z.object({ line: z.string(), what: storedMessage }))
})
export type LineStory = z.infer<typeof lineStory>

export const wifiNetwork = z.object({
  /** Empty for hidden networks, which are combined. */
  ssid: z.string(),
  signalDbm: z.number().nullable(),
  auth: z.string(),
  heard: z.number(),
  isSaved: z.boolean()
})
export type WifiNetwork = z.infer<typeof wifiNetwork>

/** A logged command to a device, without secrets. */
export const deviceWrite = z.object({
  id: z.number(),
  at: isoTime,
  operation: z.string(),
  input: json,
  by: z.string(),
  jobId: z.string().nullable(),
  /** unknown: no result was written, or no answer arrived. */
  outcome: z.enum(['done', 'failed', 'refused', 'unknown']),
  detail: storedMessage,
  answer: json
})
export type DeviceWrite = z.infer<typeof deviceWrite>

export const checkedEcuRow = z.object({
  row: ecuRow,
  /** The cleaned list, ready to send; null while it has an error. */
  entry: ecuEntry.nullable(),
  /** `choices`: what the field could mean; a person picks one. */
  problems: z.array(z.object({ field: z.string(), text: messageSchema, choices: z.array(z.string()).optional() })),
  notes: z.array(messageSchema),
  sentAt: isoTime.nullable()
})
export type CheckedEcuRow = z.infer<typeof checkedEcuRow>

export const workspaceCalls = defineCalls({
  'workspace.read': {
    input: z.strictObject({
      key: deviceKey,
      view,
      operations: z.array(liveOperation).min(1).max(13),
      everyMs: z.number().int().min(250).max(60_000).default(1_000)
    }),
    output: z.object({
      readings: z.partialRecord(liveOperation, liveReading),
      facts: liveFacts,
      /** The time until the next call: longer than wanted while the device is slow or silent. */
      nextInMs: z.number(),
      isSlow: z.boolean()
    })
  },
  /** What the device reports compared with what the gateway reports. The gateway is asked only as often as useful. */
  'workspace.compare': { input: z.strictObject({ key: deviceKey }), output: deviceCompare },
  'workspace.limits': { input: nothing, output: workspaceLimits },
  'workspace.closeView': { input: z.strictObject({ view }), output: nothing },
  'workspace.link': {
    input: z.strictObject({ key: deviceKey }),
    output: z.object({
      address: z.string(),
      over: linkOver,
      detail: messageSchema,
      /**
       * How to reconnect, for each change that cuts this connection or may cut it. Absent in support bundles of earlier
       * versions.
       */
      effects: z.partialRecord(linkOperation, messageSchema).optional()
    })
  },
  /** Changes a setting and reads it back. One that would cut Fitter's own connection is sent only when confirmed. */
  'workspace.change': {
    input: z.strictObject({ key: deviceKey, change: deviceChange, confirmCut: z.boolean().default(false) }),
    output: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('cutsLink'), over: linkOver, detail: messageSchema, wayBack: messageSchema }),
      z.object({ kind: z.literal('changed'), result: changeResult })
    ])
  },
  'workspace.scanWifi': {
    input: z.strictObject({ key: deviceKey, view }),
    output: z.object({ networks: z.array(wifiNetwork), raw: json, problems: z.array(messageSchema) })
  },
  /** Asks the update server through the device. This can start an update, so it is never called during a job. */
  'workspace.checkUpdate': {
    input: z.strictObject({ key: deviceKey, view }),
    output: z.object({
      state: z.enum(['upToDate', 'available', 'inProgress', 'updated', 'failed', 'other']),
      said: z.string(),
      raw: json
    })
  },
  /** The changes of the lines since a mark, so that repeated calls do not return the whole history. */
  'workspace.lines': {
    input: z.strictObject({ key: deviceKey, since: linesMark.nullable().default(null) }),
    output: lineStory
  },
  /** Watches the conditions of an output. Repeat at least every 3 s, otherwise an output that is on goes off. */
  'workspace.watchOutput': { input: z.strictObject({ key: deviceKey, out: outputLine }), output: outputState },
  /** The button was held: starts the countdown. INTERLOCK while a condition is not met. */
  'workspace.armOutput': { input: z.strictObject({ key: deviceKey, out: outputLine }), output: outputState },
  'workspace.switchOff': { input: z.strictObject({ key: deviceKey, out: outputLine }), output: outputState },
  /** A command that is not on the read-only list is returned unsent until a person has `repeated` it word for word. */
  'workspace.exec': {
    input: z.strictObject({
      key: deviceKey,
      command: z.string().trim().min(1).max(2_000),
      repeated: z.string().trim().max(2_000).default('')
    }),
    output: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('unconfirmed') }),
      z.object({ kind: z.literal('refused'), by: z.enum(['fitter', 'device']), reason: messageSchema }),
      z.object({ kind: z.literal('ran'), output: z.string(), raw: json, elapsedMs: z.number() })
    ])
  },
  /** The commands sent to this device, newest first. */
  'workspace.history': {
    input: z.strictObject({
      key: deviceKey,
      operations: z.array(z.string().max(40)).max(20).default([]),
      limit: z.number().int().min(1).max(500).default(100)
    }),
    output: z.object({ writes: z.array(deviceWrite) })
  },
  /**
   * Checks rows of an engine-bus list; a file (`base64`) or pasted text (`csv`) in any form is read into rows first.
   */
  'workspace.checkEcuList': {
    input: z.strictObject({
      key: deviceKey,
      rows: z.array(ecuRow).max(500).default([]),
      csv: z.string().max(200_000).default(''),
      base64: z.base64().max(1_500_000).optional()
    }),
    output: z.object({
      rows: z.array(checkedEcuRow),
      problem: messageSchema.nullable(),
      configuration: ecuFileConfiguration.nullable()
    })
  },
  'workspace.ecuPresets': {
    input: nothing,
    output: z.object({
      presets: z.array(z.object({ id: z.string(), name: messageSchema, note: messageSchema, rows: z.array(ecuRow) }))
    })
  },
  /** Applies a setting to devices, one request at a time on each, to a few devices in parallel. */
  'workspace.startRun': {
    input: z.strictObject({ keys: z.array(deviceKey).min(1).max(20), change: runChange }),
    output: run
  },
  'workspace.runs': { input: nothing, output: z.object({ runs: z.array(run) }) },
  'workspace.stopRun': { input: z.strictObject({ id: z.string().max(40) }), output: run },
  /** Continues with pending devices and repeats failed ones; unknown ones only when a person says so. */
  'workspace.continueRun': {
    input: z.strictObject({ id: z.string().max(40), alsoUnknown: z.boolean().default(false) }),
    output: run
  },
  'workspace.requiredApps': { input: nothing, output: z.object({ names: z.array(z.string()) }) },
  'workspace.setRequiredApps': {
    input: z.strictObject({ names: z.array(z.string().trim().min(1).max(120)).max(50) }),
    output: z.object({ names: z.array(z.string()) })
  },
  'workspace.signInState': {
    input: z.strictObject({ key: deviceKey }),
    output: z.object({
      signedIn: z.boolean(),
      /** A default user and password are stored. */
      defaultsKnown: z.boolean(),
      /** Whether the device still accepts the default login; null when unknown. */
      usesDefaults: z.boolean().nullable()
    })
  },
  /** Stores the factory login of devices in the keychain, without trying it. */
  'workspace.keepDefaults': {
    input: z.strictObject({ user: z.string().min(1).max(200), password: z.string().max(200) }),
    output: nothing
  },
  'workspace.forgetDefaults': { input: nothing, output: nothing },
  /** Signs in with the default login because a person asked for it. */
  'workspace.tryDefaults': {
    input: z.strictObject({ key: deviceKey }),
    output: z.discriminatedUnion('kind', signInResults)
  }
})
