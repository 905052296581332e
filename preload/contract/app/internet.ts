import { z } from 'zod'
import { defineCalls, isoTime, nothing } from '../define.ts'
import { seenDevice } from '../device/discovery.ts'
import { messageSchema } from '../messageSchema.ts'

/** How gateways are reached: as the system says, straight, through this proxy, or as this PAC file says. */
export const proxyChoice = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('system') }),
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('address'), address: z.string() }),
  z.strictObject({ kind: z.literal('pac'), address: z.string() })
])
export type ProxyChoice = z.infer<typeof proxyChoice>

/** A certificate that may vouch for a gateway: of a company that looks into the connections of its network, or of an own gateway. */
export const authority = z.object({
  /** SHA-256, in pairs of hex digits. */
  fingerprint: z.string(),
  subject: z.string(),
  issuer: z.string(),
  validFrom: isoTime,
  validUntil: isoTime
})
export type Authority = z.infer<typeof authority>

export const internetSettings = z.object({
  proxy: proxyChoice,
  /** The user name that is kept for the proxy; its password is in the keychain. */
  proxyUser: z.string().nullable(),
  /** Whether PAC files are evaluated here: only the desktop window can. */
  hasPac: z.boolean(),
  /** Name of the network card that the gateway is asked over; empty: whichever works. */
  card: z.string(),
  authorities: z.array(authority)
})
export type InternetSettings = z.infer<typeof internetSettings>

/** What was met on the way to the gateway, one step after the other. */
export const connectionStep = z.object({
  name: z.enum(['name', 'connected', 'proxy', 'certificate', 'answer', 'signIn']),
  outcome: z.enum(['ok', 'failed', 'notReached', 'notNeeded']),
  detail: messageSchema
})
export type ConnectionStep = z.infer<typeof connectionStep>

export const connectionTrial = z.object({ ok: z.boolean(), steps: z.array(connectionStep), remedy: messageSchema.nullable() })
export type ConnectionTrial = z.infer<typeof connectionTrial>

/** A network card with all its addresses, what hangs there and whether the gateway is asked over it. */
export const cardUse = z.object({
  card: z.string(),
  addresses: z.array(z.string()),
  /** Where the system sends what is for the internet by this card; null where it has no such way. */
  defaultGateway: z.string().nullable(),
  /** The device whose hotspot this is, where its default gateway is one. */
  hotspotOf: seenDevice.nullable(),
  /** Devices that were heard on it. */
  devices: z.number(),
  /** used: the gateway answered over it last. loginPage: a sign-in page of that network answered instead. */
  gateway: z.enum(['used', 'worked', 'failed', 'loginPage', 'notTried']),
  triedAt: isoTime.nullable(),
  detail: messageSchema
})
export type CardUse = z.infer<typeof cardUse>

export const internetCalls = defineCalls({
  'internet.settings': { input: nothing, output: internetSettings },
  /** `password` belongs to `user` of an own proxy; both are left out where it wants none. */
  'internet.chooseProxy': {
    input: z.strictObject({ proxy: proxyChoice.refine((choice) => !('address' in choice) || choice.address.length <= 300), user: z.string().max(200).optional(), password: z.string().max(200).optional() }),
    output: internetSettings
  },
  'internet.chooseCard': { input: z.strictObject({ card: z.string().max(100) }), output: internetSettings },
  /** One or several certificates as PEM text. */
  'internet.addAuthority': { input: z.strictObject({ pem: z.string().min(1).max(200_000) }), output: internetSettings },
  'internet.removeAuthority': { input: z.strictObject({ fingerprint: z.string().max(100) }), output: internetSettings },
  /** Goes the whole way to the gateway once, step by step; each step follows as `internet.step` as well. */
  'internet.try': { input: nothing, output: connectionTrial },
  /** Which network is used for what, in one sentence and card by card. */
  'internet.networks': { input: nothing, output: z.object({ summary: messageSchema, cards: z.array(cardUse) }) }
})
