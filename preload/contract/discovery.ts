import { z } from 'zod'
import { defineCalls, isoTime, nothing } from './define.ts'

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
  detail: z.string(),
  osVersion: z.string().nullable(),
  /** Milliseconds from the start of the search to the first sight. */
  firstSeenMs: z.number(),
  firstSeenAt: isoTime,
  lastSeenAt: isoTime,
  /** From the memory of known devices. */
  lastVehicle: z.string().nullable(),
  lastJobAt: isoTime.nullable(),
  signedIn: z.boolean()
})
export type SeenDevice = z.infer<typeof seenDevice>

export const networkCard = z.object({
  name: z.string(),
  address: z.string(),
  kind: z.enum(['wifi', 'ethernet', 'loopback', 'other']),
  listening: z.boolean(),
  problem: z.string().nullable()
})
export type NetworkCard = z.infer<typeof networkCard>

export const deviceTable = z.object({
  devices: z.array(seenDevice),
  cards: z.array(networkCard),
  lastHeardAt: isoTime.nullable()
})
export type DeviceTable = z.infer<typeof deviceTable>

export const discoveryCalls = defineCalls({
  /** Starts listening (if it does not listen yet) and gives the table; changes follow as `discovery.changed`. */
  'discovery.watch': { input: nothing, output: deviceTable },
  /** Asks again on every card at once. */
  'discovery.ask': { input: nothing, output: nothing },
  /** A host name, an IPv4 address, or an IPv6 address in brackets, with an optional port. */
  'discovery.addAddress': {
    input: z.strictObject({ address: z.string().min(1).max(255), confirmPublic: z.boolean().optional() }),
    output: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('added'), device: seenDevice }),
      z.object({ kind: z.literal('notADevice'), detail: z.string() }),
      z.object({ kind: z.literal('publicAddress'), detail: z.string() })
    ])
  },
  /** Looks `<model>-<IMEI>.local` up for an IMEI that was typed or scanned. */
  'discovery.findImei': {
    input: z.strictObject({ imei: z.string().min(1).max(40) }),
    output: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('found'), device: seenDevice }),
      z.object({ kind: z.literal('notHeard'), detail: z.string() }),
      z.object({ kind: z.literal('badImei'), detail: z.string() })
    ])
  }
})
