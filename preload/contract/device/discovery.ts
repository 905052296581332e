import { z } from 'zod'
import { defineCalls, imeiDigits, isoTime, nothing } from '../define.ts'
import { messageSchema } from '../base/messageSchema.ts'

export const foundVia = z.enum(['mdns', 'address', 'imei', 'gateway-address', 'sweep', 'known'])

/**
 * found: a host name of the right form was seen. answering: port 8080 answers like a device. needsSignIn: it answers
 * 401. verified: `/system-info` names the same host. impostor: `/system-info` names another host. wrongService: another
 * service answers on port 8080. conflict: two hosts have this IMEI. lost: it stopped answering or said goodbye.
 */
export const deviceStanding = z.enum([
  'found',
  'answering',
  'needsSignIn',
  'verified',
  'impostor',
  'wrongService',
  'conflict',
  'lost'
])

export const seenDevice = z.object({
  /** Stable while the table exists: the IMEI if known, otherwise the address. */
  key: z.string(),
  imei: z.string().nullable(),
  model: z.string().nullable(),
  hostname: z.string().nullable(),
  /** Best first. IPv6 link-local addresses have a zone. */
  addresses: z.array(z.string()),
  port: z.number(),
  card: z.string().nullable(),
  via: foundVia,
  standing: deviceStanding,
  verified: z.boolean(),
  detail: messageSchema,
  osVersion: z.string().nullable(),
  /** Milliseconds from the start of the search until it was first found. */
  firstSeenMs: z.number(),
  firstSeenAt: isoTime,
  lastSeenAt: isoTime,
  lastVehicle: z.string().nullable(),
  lastJobAt: isoTime.nullable(),
  /** The name that people gave it; empty when unnamed, null when the device is not remembered. */
  label: z.string().nullable(),
  signedIn: z.boolean()
})
export type SeenDevice = z.infer<typeof seenDevice>

export const networkCard = z.object({
  name: z.string(),
  address: z.string(),
  kind: z.enum(['wifi', 'ethernet', 'loopback', 'other']),
  listening: z.boolean(),
  problem: messageSchema.nullable()
})
export type NetworkCard = z.infer<typeof networkCard>

export const deviceTable = z.object({
  devices: z.array(seenDevice),
  cards: z.array(networkCard),
  lastHeardAt: isoTime.nullable(),
  changeNumber: z.number()
})
export type DeviceTable = z.infer<typeof deviceTable>

/** The changes to the table since the last event. A client that missed a number must read the whole table. */
export const tableChange = deviceTable.extend({ gone: z.array(z.string()) })
export type TableChange = z.infer<typeof tableChange>

export const knownDevice = z.object({
  imei: z.string(),
  model: z.string(),
  /** The name that people gave it; empty when unnamed. */
  label: z.string(),
  lastVehicle: z.string().nullable(),
  lastAddress: z.string().nullable(),
  lastJobAt: isoTime.nullable(),
  lastSeenAt: isoTime
})
export type KnownDevice = z.infer<typeof knownDevice>

/** An address of a network card, with the kinds of search it allows besides listening. */
export const cardNetwork = z.object({
  card: z.string(),
  address: z.string(),
  kind: networkCard.shape.kind,
  /** Default gateways in its network: the address of the device when this computer uses its hotspot. */
  gateways: z.array(z.string()),
  /** The number of addresses that a sweep would ask; 0 when no sweep is possible. */
  sweepSize: z.number()
})
export type CardNetwork = z.infer<typeof cardNetwork>

export const sweepState = z.object({
  card: z.string(),
  address: z.string(),
  asked: z.number(),
  total: z.number(),
  found: z.number(),
  leftMs: z.number(),
  running: z.boolean(),
  /** Why it ended: all addresses were asked, a person stopped it, or it failed (with the reason). */
  ended: z.enum(['done', 'stopped', 'failed']).nullable(),
  problem: messageSchema.nullable()
})
export type SweepState = z.infer<typeof sweepState>

export const discoveryCalls = defineCalls({
  /** Starts listening if necessary and returns the table; `discovery.changed` reports later changes. */
  'discovery.watch': { input: nothing, output: deviceTable },
  /** Searches again on every card at once. */
  'discovery.ask': { input: nothing, output: nothing },
  /** A host name, an IPv4 address, or an IPv6 address in brackets, with an optional port. */
  'discovery.addAddress': {
    input: z.strictObject({ address: z.string().min(1).max(255), confirmPublic: z.boolean().optional() }),
    output: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('added'), device: seenDevice }),
      z.object({ kind: z.literal('notADevice'), detail: messageSchema }),
      z.object({ kind: z.literal('publicAddress'), detail: messageSchema })
    ])
  },
  /** Looks up `<model>-<IMEI>.local` for a typed or scanned IMEI. */
  'discovery.findImei': {
    input: z.strictObject({ imei: z.string().min(1).max(40) }),
    output: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('found'), device: seenDevice }),
      z.object({ kind: z.literal('notHeard'), detail: messageSchema }),
      z.object({ kind: z.literal('badImei'), detail: messageSchema })
    ])
  },
  /**
   * Extracts the IMEI from a scanner, a camera or a person: a number with extras, or a whole label with one valid IMEI.
   */
  'discovery.readLabel': {
    input: z.strictObject({ text: z.string().min(1).max(2000) }),
    output: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('imei'), imei: z.string() }),
      z.object({ kind: z.literal('ambiguous'), imeis: z.array(z.string()), detail: messageSchema }),
      z.object({ kind: z.literal('none'), detail: messageSchema })
    ])
  },
  /** The network of each card with its default gateways; Fitter checks whether these are devices (see the table). */
  'discovery.gateways': { input: nothing, output: z.object({ networks: z.array(cardNetwork) }) },
  /**
   * Asks every address in the card's subnet, at most a /24; `discovery.sweep` reports the progress. One sweep at a
   * time.
   */
  'discovery.sweep': { input: z.strictObject({ card: z.string().min(1).max(100) }), output: sweepState },
  'discovery.stopSweep': { input: nothing, output: nothing },
  /** The running sweep or the last one; null before the first. */
  'discovery.sweepState': { input: nothing, output: z.object({ sweep: sweepState.nullable() }) },
  /** Known devices that are not in the table now, last seen first; `after` is the `next` of the page before. */
  'discovery.known': {
    input: z.strictObject({ after: z.string().max(100).optional(), limit: z.number().int().min(1).max(200) }),
    output: z.object({ devices: z.array(knownDevice), next: z.string().nullable(), total: z.number() })
  },
  /** Names a known device; an empty label removes the name. */
  'discovery.label': {
    input: z.strictObject({ imei: imeiDigits, label: z.string().trim().max(60) }),
    output: knownDevice
  },
  /** Removes a device from the known ones. Its jobs and its password stay. */
  'discovery.forget': { input: z.strictObject({ imei: imeiDigits }), output: nothing }
})
