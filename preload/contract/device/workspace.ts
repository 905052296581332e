import { z } from 'zod'
import { messageSchema, storedMessage } from '../messageSchema.ts'
import { outputCondition } from './conditions.ts'
import { linesMark, linesNews } from './lines.ts'
import { defineCalls, isoTime, json, nothing } from '../define.ts'
import { deviceCompare } from './deviceCompare.ts'
import { errorCodes } from '../errors.ts'

/** A device of the table is named by its key; the address that belongs to it stays in main. */
const deviceKey = z.string().min(1).max(255)
/** A panel or a row that is open on the screen; closing it takes back what it has asked for and no longer needs. */
const view = z.string().min(1).max(60)

/** The operations that only look and may be asked again and again. */
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
  /** The documented fields that could be read; null when nothing could. */
  value: json.nullable(),
  /** The whole answer without secrets. */
  raw: json.nullable(),
  problems: z.array(messageSchema),
  readAt: isoTime,
  elapsedMs: z.number().nullable(),
  failure: z.object({ code: z.enum(errorCodes), message: messageSchema }).nullable()
})
export type LiveReading = z.infer<typeof liveReading>

/** The links of the chain that a device beside the person speaks of. */
export const deviceLinks = ['power', 'sim', 'registration', 'address', 'fix'] as const

/** What values mean where the document leaves their unit open, with what was assumed. */
export const liveFacts = z.object({
  /** What the diagnosis makes of these readings alone; a link is missing where its reading was not asked for, or failed. */
  links: z.partialRecord(z.enum(deviceLinks), z.enum(['ok', 'broken', 'unknown'])).optional(),
  clock: z.object({ differenceS: z.number(), assumed: z.enum(['unix', 'gps']) }).optional(),
  modem: z
    .object({
      signal: z.object({ dBm: z.number(), assumed: z.enum(['dBm', 'csq']) }).nullable(),
      registration: z.enum(['registered', 'roaming', 'searching', 'denied', 'notRegistered', 'unknown']),
      hasIp: z.boolean()
    })
    .optional()
})
export type LiveFacts = z.infer<typeof liveFacts>

/** Limits of the profile in use, for what is looked at outside of a checklist. */
export const workspaceLimits = z.object({
  signalPassDbm: z.number(),
  signalWarnDbm: z.number(),
  satellitesPass: z.number(),
  satellitesWarn: z.number(),
  hdopPass: z.number(),
  /** At most this from the device to the gateway. */
  delayPassS: z.number(),
  /** An older event of the gateway says nothing about now. */
  eventAgeWarnS: z.number(),
  /** A parked vehicle is at one place when both witnesses are at most this apart. */
  apartPassM: z.number(),
  apartWarnM: z.number()
})
export type WorkspaceLimits = z.infer<typeof workspaceLimits>

const ssid = z.string().min(1).max(64)
const short = z.string().max(120)

/** One entry of the engine-bus list ("Engine-bus interface configuration" of the document). */
export const ecuEntry = z.strictObject({
  PARAM_NAME: short,
  PGN: short,
  TRANSMISSION_RATE: short,
  PRIORITY: short,
  DLC: short,
  LENGTH: short,
  START_POSITION: short,
  MULTIPLIER: short,
  GROUP: short,
  OFFSET: z.number()
})
export type EcuEntry = z.infer<typeof ecuEntry>

/** An entry as it was typed or imported: every field still text. */
export const ecuRow = z.strictObject({ ...ecuEntry.shape, OFFSET: short })
export type EcuRow = z.infer<typeof ecuRow>

const apnChange = z.strictObject({ operation: z.literal('modem.editApn'), apn: short.min(1), user: short, pass: short, pin: z.string().max(16) })
const wifiAddChange = z.strictObject({ operation: z.literal('wifi.add'), ssid, password: short })
const alignmentChange = z.strictObject({ operation: z.literal('accel.autoAlignment'), state: z.boolean() })
const ecuConfigureChange = z.strictObject({
  operation: z.literal('ecu.configure'),
  PRIMARY_CAN: short,
  SECONDARY_CAN: short,
  J1708: short,
  LISTEN_ONLY_MODE: short
})

/** A setting of one device that is changed, by its operation, with the documented inputs. */
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
 * readBack: the device shows it now. different: it was read back and shows something else. sent: the document has no way
 * to read it back. unknown: neither the answer nor a reading came.
 */
export const changeResult = z.object({
  kind: z.enum(['readBack', 'different', 'sent', 'unknown']),
  detail: messageSchema,
  answer: json,
  readBack: json,
  at: isoTime
})
export type ChangeResult = z.infer<typeof changeResult>

/** The way from this computer to the device. */
export const linkOver = z.enum(['ethernet', 'wifi', 'hotspot', 'unknown'])
export type LinkOver = z.infer<typeof linkOver>

/** What can be applied to a selection of devices, one after the other. */
export const runChange = z.discriminatedUnion('operation', [
  apnChange,
  wifiAddChange,
  alignmentChange,
  ecuConfigureChange,
  z.strictObject({ operation: z.literal('ecu.addParameter'), rows: z.array(ecuEntry).min(1).max(500) })
])
export type RunChange = z.infer<typeof runChange>

/** unknown: sent, and no answer came. It may be there: it is not sent again unless a person says so. */
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
  /** From the pace so far; null before there is one. */
  leftMs: z.number().nullable(),
  devices: z.array(runDevice)
})
export type Run = z.infer<typeof run>
export type RunDevice = z.infer<typeof runDevice>

const outputLine = z.enum(['OUT1', 'OUT2', 'OUT3', 'OUT4'])

/** An output under the eyes of its interlock. */
export const outputState = z.object({
  out: outputLine,
  phase: z.enum(['watching', 'countdown', 'on', 'switchingOff', 'off', 'failed']),
  /** Conditions that do not hold now; it can be armed when there are none. */
  missing: z.array(messageSchema),
  /** Until it goes on (countdown) or off again (on). */
  leftMs: z.number().nullable(),
  /** How long the button has to be held. */
  holdMs: z.number(),
  on: z.boolean().nullable(),
  isShort: z.boolean().nullable(),
  detail: messageSchema.nullable(),
  /** All that has to hold, whether it does or not. */
  conditions: z.array(outputCondition)
})
export type OutputState = z.infer<typeof outputState>

/** What is new in the story of a device's lines, and what they are now. */
export const lineStory = linesNews.extend({
  value: json,
  problems: z.array(messageSchema),
  readAt: isoTime.nullable(),
  /** Why there is nothing new. */
  problem: messageSchema.nullable(),
  /** What the checklist of the last job here says is wired to a line. */
  wiring: z.array(z.object({ line: z.string(), what: storedMessage }))
})
export type LineStory = z.infer<typeof lineStory>

export const wifiNetwork = z.object({
  /** Empty for hidden networks, which are counted together. */
  ssid: z.string(),
  signalDbm: z.number().nullable(),
  auth: z.string(),
  /** How many of this name were heard. */
  heard: z.number(),
  isSaved: z.boolean()
})
export type WifiNetwork = z.infer<typeof wifiNetwork>

/** Something that was sent to a device, as it was kept. Secrets are not in it. */
export const deviceWrite = z.object({
  id: z.number(),
  at: isoTime,
  operation: z.string(),
  input: json,
  by: z.string(),
  jobId: z.string().nullable(),
  /** unknown: no end was written, or no answer came. */
  outcome: z.enum(['done', 'failed', 'refused', 'unknown']),
  detail: storedMessage,
  answer: json
})
export type DeviceWrite = z.infer<typeof deviceWrite>

export const checkedEcuRow = z.object({
  row: ecuRow,
  /** Ready to be sent; null while something is wrong with it. */
  entry: ecuEntry.nullable(),
  problems: z.array(z.object({ field: z.string(), text: messageSchema })),
  /** What was tidied, and what is worth a look. */
  notes: z.array(messageSchema),
  /** When this name was sent to this device before. */
  sentAt: isoTime.nullable()
})
export type CheckedEcuRow = z.infer<typeof checkedEcuRow>

const signInResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('signedIn'), name: z.string().nullable(), kept: z.boolean() }),
  z.object({ kind: z.literal('wrongPassword'), detail: messageSchema }),
  z.object({ kind: z.literal('impostor'), detail: messageSchema })
])

export const workspaceCalls = defineCalls({
  'workspace.read': {
    input: z.strictObject({
      key: deviceKey,
      view,
      operations: z.array(liveOperation).min(1).max(13),
      /** How often the caller would like to ask. */
      everyMs: z.number().int().min(250).max(60_000).default(1_000)
    }),
    output: z.object({
      readings: z.partialRecord(liveOperation, liveReading),
      facts: liveFacts,
      /** When to ask again: longer than wished for while the device is slow or silent. */
      nextInMs: z.number(),
      isSlow: z.boolean()
    })
  },
  /** What the device says against what the gateway says of it. The gateway is asked no more often than it is worth. */
  'workspace.compare': { input: z.strictObject({ key: deviceKey }), output: deviceCompare },
  /** What a device is held against outside of a checklist: the limits of the profile in use. */
  'workspace.limits': { input: nothing, output: workspaceLimits },
  /** Takes back what this view has asked for. */
  'workspace.closeView': { input: z.strictObject({ view }), output: nothing },
  'workspace.link': {
    input: z.strictObject({ key: deviceKey }),
    output: z.object({ address: z.string(), over: linkOver, detail: messageSchema })
  },
  /** Changes a setting and reads it back. A change that would cut our own link comes back unsent until it is confirmed. */
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
  /** Asks the update server through the device. Its answer can set an update going, so never in the middle of a job. */
  'workspace.checkUpdate': {
    input: z.strictObject({ key: deviceKey, view }),
    output: z.object({
      state: z.enum(['upToDate', 'available', 'inProgress', 'updated', 'failed', 'other']),
      said: z.string(),
      raw: json
    })
  },
  /** What the lines did since a mark: asked again and again, so never the whole story twice. */
  'workspace.lines': { input: z.strictObject({ key: deviceKey, since: linesMark.nullable().default(null) }), output: lineStory },
  /** Watches the conditions of an output. Asked again at least every 3 s, or an output that is on goes off. */
  'workspace.watchOutput': { input: z.strictObject({ key: deviceKey, out: outputLine }), output: outputState },
  /** The button was held: the countdown begins. INTERLOCK while a condition is missing. */
  'workspace.armOutput': { input: z.strictObject({ key: deviceKey, out: outputLine }), output: outputState },
  /** Always allowed. */
  'workspace.switchOff': { input: z.strictObject({ key: deviceKey, out: outputLine }), output: outputState },
  /** What is not on the list of commands that only read comes back unsent until a person has `repeated` it word for word. */
  'workspace.exec': {
    input: z.strictObject({ key: deviceKey, command: z.string().trim().min(1).max(2_000), repeated: z.string().trim().max(2_000).default('') }),
    output: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('unconfirmed') }),
      z.object({ kind: z.literal('refused'), by: z.enum(['fitter', 'device']), reason: messageSchema }),
      z.object({ kind: z.literal('ran'), output: z.string(), raw: json, elapsedMs: z.number() })
    ])
  },
  /** What was sent to this device, newest first. */
  'workspace.history': {
    input: z.strictObject({ key: deviceKey, operations: z.array(z.string().max(40)).max(20).default([]), limit: z.number().int().min(1).max(500).default(100) }),
    output: z.object({ writes: z.array(deviceWrite) })
  },
  /** Holds rows of an engine-bus list against the document; `csv` is read into rows first. */
  'workspace.checkEcuList': {
    input: z.strictObject({ key: deviceKey, rows: z.array(ecuRow).max(500).default([]), csv: z.string().max(200_000).default('') }),
    output: z.object({ rows: z.array(checkedEcuRow), problem: messageSchema.nullable() })
  },
  'workspace.ecuPresets': {
    input: nothing,
    output: z.object({ presets: z.array(z.object({ id: z.string(), name: messageSchema, note: messageSchema, rows: z.array(ecuRow) })) })
  },
  /** Applies one setting to devices, one request after the other on each, a few devices at a time. */
  'workspace.startRun': {
    input: z.strictObject({ keys: z.array(deviceKey).min(1).max(20), change: runChange }),
    output: run
  },
  'workspace.runs': { input: nothing, output: z.object({ runs: z.array(run) }) },
  'workspace.stopRun': { input: z.strictObject({ id: z.string().max(40) }), output: run },
  /** Goes on with what was not reached and repeats what failed; what is unknown only when a person says so. */
  'workspace.continueRun': { input: z.strictObject({ id: z.string().max(40), alsoUnknown: z.boolean().default(false) }), output: run },
  /** The applications that this company wants on every device. */
  'workspace.requiredApps': { input: nothing, output: z.object({ names: z.array(z.string()) }) },
  'workspace.setRequiredApps': {
    input: z.strictObject({ names: z.array(z.string().trim().min(1).max(120)).max(50) }),
    output: z.object({ names: z.array(z.string()) })
  },
  'workspace.signInState': {
    input: z.strictObject({ key: deviceKey }),
    output: z.object({
      signedIn: z.boolean(),
      /** A default user and password were typed once and are kept. */
      defaultsKnown: z.boolean(),
      /** The device still takes the default ones; null when that is not known. */
      usesDefaults: z.boolean().nullable()
    })
  },
  /** Keeps what devices are delivered with, in the keychain; nothing is tried. */
  'workspace.keepDefaults': { input: z.strictObject({ user: z.string().min(1).max(200), password: z.string().max(200) }), output: nothing },
  'workspace.forgetDefaults': { input: nothing, output: nothing },
  /** Signs in with the default user and password, because a person asked for it. */
  'workspace.tryDefaults': { input: z.strictObject({ key: deviceKey }), output: signInResult }
})
