import { z } from 'zod'
import { defineCalls, isoTime, nothing } from '../define.ts'
import { messageSchema } from '../messageSchema.ts'

/** How a device came into the table. */
export const foundVia = z.enum(['mdns', 'address', 'imei', 'gateway-address', 'sweep', 'known'])

/**
 * found: a host name of the right form was seen. answering: port 8080 answers as a device does. needsSignIn: it answers
 * 401. verified: `/system-info` names the same host. impostor: `/system-info` names another host. wrongService: port
 * 8080 answers something else. conflict: two hosts carry this IMEI. lost: it stopped answering or said goodbye.
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
  /** Stable for as long as the table lives: the IMEI where known, else the address. */
  key: z.string(),
  imei: z.string().nullable(),
  model: z.string().nullable(),
  hostname: z.string().nullable(),
  /** Best first. IPv6 link-local addresses carry their zone. */
  addresses: z.array(z.string()),
  port: z.number(),
  /** Name of the network card that it was heard on. */
  card: z.string().nullable(),
  via: foundVia,
  standing: deviceStanding,
  verified: z.boolean(),
  /** One sentence on the standing, with what to do where it is not good. */
  detail: messageSchema,
  osVersion: z.string().nullable(),
  /** Milliseconds from the start of the search to the first sight. */
  firstSeenMs: z.number(),
  firstSeenAt: isoTime,
  lastSeenAt: isoTime,
  /** From the memory of known devices. */
  lastVehicle: z.string().nullable(),
  lastJobAt: isoTime.nullable(),
  /** What people call it; empty when nobody named it, null when it is not remembered. */
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
  /** The number of the last change that is in it. */
  changeNumber: z.number()
})
export type DeviceTable = z.infer<typeof deviceTable>

/** What is different in the table since the last event. Whoever missed a number asks for the whole table. */
export const tableChange = z.object({
  /** New ones, and those that look different now. */
  devices: z.array(seenDevice),
  /** Keys of those that are no longer in the table. */
  gone: z.array(z.string()),
  cards: z.array(networkCard),
  lastHeardAt: isoTime.nullable(),
  changeNumber: z.number()
})
export type TableChange = z.infer<typeof tableChange>

/** A device from the memory of known devices. */
export const knownDevice = z.object({
  imei: z.string(),
  model: z.string(),
  /** What people call it; empty when nobody named it. */
  label: z.string(),
  lastVehicle: z.string().nullable(),
  /** Where it answered last, with its port. */
  lastAddress: z.string().nullable(),
  lastJobAt: isoTime.nullable(),
  lastSeenAt: isoTime
})
export type KnownDevice = z.infer<typeof knownDevice>

/** One address of a network card, with what can be asked through it besides listening. */
export const cardNetwork = z.object({
  card: z.string(),
  address: z.string(),
  kind: networkCard.shape.kind,
  /** Default gateways in its network: the address of a device whose own hotspot this computer is on. */
  gateways: z.array(z.string()),
  /** How many addresses a sweep of it asks; 0 where none is possible. */
  sweepSize: z.number()
})
export type CardNetwork = z.infer<typeof cardNetwork>

/** A sweep of one card's own subnet that a person asked for. */
export const sweepState = z.object({
  card: z.string(),
  /** The card's own address, which the subnet lies around. */
  address: z.string(),
  asked: z.number(),
  total: z.number(),
  found: z.number(),
  leftMs: z.number(),
  running: z.boolean(),
  /** Why it is over: all were asked, a person stopped it, or it could not go on (with the reason). */
  ended: z.enum(['done', 'stopped', 'failed']).nullable(),
  problem: messageSchema.nullable()
})
export type SweepState = z.infer<typeof sweepState>

const imeiDigits = z.string().regex(/^\d{15}$/)

export const discoveryCalls = defineCalls({
  /** Starts listening (if it does not listen yet) and gives the table; what changes then follows as `discovery.changed`. */
  'discovery.watch': { input: nothing, output: deviceTable },
  /** Asks again on every card at once. */
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
  /** Looks `<model>-<IMEI>.local` up for an IMEI that was typed or scanned. */
  'discovery.findImei': {
    input: z.strictObject({ imei: z.string().min(1).max(40) }),
    output: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('found'), device: seenDevice }),
      z.object({ kind: z.literal('notHeard'), detail: messageSchema }),
      z.object({ kind: z.literal('badImei'), detail: messageSchema })
    ])
  },
  /**
   * Takes the IMEI out of what a scanner, a camera or a person gave: the number alone, with a prefix or a software
   * version behind it, or a whole label that holds one valid IMEI.
   */
  'discovery.readLabel': {
    input: z.strictObject({ text: z.string().min(1).max(2000) }),
    output: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('imei'), imei: z.string() }),
      z.object({ kind: z.literal('ambiguous'), imeis: z.array(z.string()), detail: messageSchema }),
      z.object({ kind: z.literal('none'), detail: messageSchema })
    ])
  },
  /** The network of each card with its default gateways; these are asked whether they are devices (see the table). */
  'discovery.gateways': { input: nothing, output: z.object({ networks: z.array(cardNetwork) }) },
  /** Asks every address of the card's own subnet, /24 at most; goes on as `discovery.sweep`. One at a time. */
  'discovery.sweep': { input: z.strictObject({ card: z.string().min(1).max(100) }), output: sweepState },
  'discovery.stopSweep': { input: nothing, output: nothing },
  /** The sweep that runs, or the last one; null before the first. */
  'discovery.sweepState': { input: nothing, output: z.object({ sweep: sweepState.nullable() }) },
  /** Devices from before that are not in the table now, last seen first; `after` is the `next` of the page before. */
  'discovery.known': {
    input: z.strictObject({ after: z.string().max(100).optional(), limit: z.number().int().min(1).max(200) }),
    output: z.object({ devices: z.array(knownDevice), next: z.string().nullable(), total: z.number() })
  },
  /** Names a known device; an empty label takes its name away. */
  'discovery.label': { input: z.strictObject({ imei: imeiDigits, label: z.string().trim().max(60) }), output: knownDevice },
  /** Takes a device out of the memory. Its jobs and its password stay. */
  'discovery.forget': { input: z.strictObject({ imei: imeiDigits }), output: nothing }
})
