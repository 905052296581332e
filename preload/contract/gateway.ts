import { z } from 'zod'
import { defineCalls, nothing } from './define.ts'

export const gatewayStatus = z.object({
  /** notSet: no address. signedOut: no credentials. reachable / unreachable: what the last request saw. */
  state: z.enum(['notSet', 'signedOut', 'unknown', 'reachable', 'unreachable']),
  url: z.string(),
  user: z.string().nullable(),
  /** What the person may do: scope name to `r` or `w`; null until known. */
  scopes: z.record(z.string(), z.string()).nullable(),
  rateLimit: z.object({ limit: z.number(), remaining: z.number(), resetAt: z.string() }).nullable(),
  /** Gateway time less this computer's time, in seconds. */
  clockDifferenceS: z.number().nullable(),
  /** One sentence, with what to do where it is not good. */
  detail: z.string()
})
export type GatewayStatus = z.infer<typeof gatewayStatus>

/** A vehicle or an asset, as far as the person needs it to choose the right one. */
export const entityChoice = z.object({
  id: z.number(),
  name: z.string(),
  plate: z.string().nullable(),
  /** IMEI of its device now, as a string; null when it has none. */
  imei: z.string().nullable(),
  kind: z.enum(['vehicle', 'asset']),
  assetType: z.string().nullable()
})
export type EntityChoice = z.infer<typeof entityChoice>

export const gatewayCalls = defineCalls({
  'gateway.status': { input: nothing, output: gatewayStatus },
  'gateway.signIn': {
    input: z.strictObject({ url: z.string().max(400), user: z.string().max(200), password: z.string().max(200) }),
    output: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('signedIn'), status: gatewayStatus, kept: z.boolean() }),
      z.object({ kind: z.literal('wrongPassword'), detail: z.string() })
    ])
  },
  'gateway.signOut': { input: nothing, output: gatewayStatus },
  /** By name, plate (any value of `info`) or id. */
  'gateway.findEntities': {
    input: z.strictObject({ kind: z.enum(['vehicle', 'asset']), text: z.string().max(200) }),
    output: z.object({ entities: z.array(entityChoice), complete: z.boolean() })
  }
})
