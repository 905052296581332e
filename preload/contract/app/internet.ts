import { z } from 'zod'
import { defineCalls, isoTime, nothing } from '../define.ts'
import { seenDevice } from '../device/discovery.ts'
import { messageSchema } from '../base/messageSchema.ts'

/** The connection to gateways: by the system's settings, direct, through this proxy, or by this PAC file. */
export const proxyChoice = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('system') }),
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('address'), address: z.string() }),
  z.strictObject({ kind: z.literal('pac'), address: z.string() })
])
export type ProxyChoice = z.infer<typeof proxyChoice>

/**
 * A certificate to trust for gateways: of a company that inspects its network traffic, or of the company's own gateway.
 */
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
  /** The stored user name for the proxy; its password is in the keychain. */
  proxyUser: z.string().nullable(),
  /** Whether PAC files can be evaluated: only the desktop window can. */
  hasPac: z.boolean(),
  /** The network card used for the gateway; empty: any card that works. */
  card: z.string(),
  authorities: z.array(authority)
})
export type InternetSettings = z.infer<typeof internetSettings>

export const connectionStep = z.object({
  name: z.enum(['name', 'connected', 'proxy', 'certificate', 'answer', 'signIn']),
  outcome: z.enum(['ok', 'failed', 'notReached', 'notNeeded']),
  detail: messageSchema,
  /** How long this step took; undefined where nothing was measured. */
  tookMs: z.number().optional(),
  /** The address that is tested, if it is not the one in use. */
  url: z.string().optional()
})
export type ConnectionStep = z.infer<typeof connectionStep>

export const connectionTrial = z.object({
  ok: z.boolean(),
  steps: z.array(connectionStep),
  remedy: messageSchema.nullable()
})
export type ConnectionTrial = z.infer<typeof connectionTrial>

/** A network card with all its addresses, the connected network, and whether it is used for the gateway. */
export const cardUse = z.object({
  card: z.string(),
  addresses: z.array(z.string()),
  /** The system's route to the internet over this card; null when there is none. */
  defaultGateway: z.string().nullable(),
  /** The device that provides this hotspot, if the default gateway is one. */
  hotspotOf: seenDevice.nullable(),
  devices: z.number(),
  /** used: the gateway last answered over it. loginPage: a sign-in page of that network answered instead. */
  gateway: z.enum(['used', 'worked', 'failed', 'loginPage', 'notTried']),
  triedAt: isoTime.nullable(),
  detail: messageSchema
})
export type CardUse = z.infer<typeof cardUse>

export const internetCalls = defineCalls({
  'internet.settings': { input: nothing, output: internetSettings },
  /** `password` belongs to `user` of a configured proxy; omit both when the proxy needs no login. */
  'internet.chooseProxy': {
    input: z.strictObject({
      proxy: proxyChoice.refine((choice) => !('address' in choice) || choice.address.length <= 300),
      user: z.string().max(200).optional(),
      password: z.string().max(200).optional()
    }),
    output: internetSettings
  },
  'internet.chooseCard': { input: z.strictObject({ card: z.string().max(100) }), output: internetSettings },
  'internet.addAuthority': { input: z.strictObject({ pem: z.string().min(1).max(200_000) }), output: internetSettings },
  'internet.removeAuthority': { input: z.strictObject({ fingerprint: z.string().max(100) }), output: internetSettings },
  /**
   * Tests the whole connection to the gateway once, step by step; each step is also sent as `internet.step`. `url`: an
   * address that is not in use, without any account. A new test ends the one before.
   */
  'internet.try': { input: z.strictObject({ url: z.string().max(400).optional() }), output: connectionTrial },
  'internet.networks': { input: nothing, output: z.object({ summary: messageSchema, cards: z.array(cardUse) }) }
})
