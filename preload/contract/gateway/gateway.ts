import { z } from 'zod'
import { messageSchema } from '../base/messageSchema.ts'
import { defineCalls, isoTime, nothing } from '../define.ts'

export const gatewayStatus = z.object({
  /**
   * notSet: no address. signedOut: no credentials. reachable / unreachable: what the last request saw; a gateway that
   * answers with 5xx is not reachable.
   */
  state: z.enum(['notSet', 'signedOut', 'unknown', 'reachable', 'unreachable']),
  url: z.string(),
  user: z.string().nullable(),
  /** What the person may do: scope name to `r` or `w`; null until known. */
  scopes: z.record(z.string(), z.string()).nullable(),
  /** Staff have every scope; null until known. */
  isStaff: z.boolean().nullable().default(null),
  /** Ids of the groups whose vehicles and assets this user sees; null until known. */
  groups: z.array(z.number()).nullable().default(null),
  rateLimit: z.object({ limit: z.number(), remaining: z.number(), resetAt: z.string() }).nullable(),
  clockDifferenceS: z.number().nullable(),
  /** When it last answered, by this computer's clock; null before that. */
  answeredAt: isoTime.nullable().default(null),
  /**
   * What blocks the connection while the gateway is unreachable. loginPage: a sign-in page of this network. between: a
   * firewall or another server before it answers. encryption: no common TLS. failing: it answers with 5xx, or is under
   * maintenance.
   */
  hindrance: z
    .enum(['network', 'name', 'loginPage', 'proxy', 'certificate', 'encryption', 'between', 'failing'])
    .nullable()
    .default(null),
  /** The network card and the proxy of the last connection; null before there was one. */
  way: z
    .object({ card: z.string().nullable(), address: z.string(), proxy: z.string().nullable() })
    .nullable()
    .default(null),
  detail: messageSchema
})
export type GatewayStatus = z.infer<typeof gatewayStatus>

/**
 * normal: until an hour after the last request. finite: so many seconds. infinite: until ended. Fitter signs in again
 * in each case.
 */
export const signInScheme = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('normal') }),
  z.strictObject({ kind: z.literal('finite'), expiresS: z.number().int().min(60).max(31_536_000) }),
  z.strictObject({ kind: z.literal('infinite') })
])
export type SignInScheme = z.infer<typeof signInScheme>

/** One account at one gateway site, without its password, which is in the keychain. */
export const gatewaySite = z.object({
  url: z.string(),
  user: z.string(),
  scheme: signInScheme,
  isActive: z.boolean(),
  hasPassword: z.boolean()
})
export type GatewaySite = z.infer<typeof gatewaySite>

/** A session at the gateway; its token never reaches a front end. */
export const gatewaySession = z.object({
  /** Its id for `gateway.endSession`. */
  key: z.string(),
  app: z.string(),
  scheme: z.string(),
  origin: z.string(),
  /** Its restrictions, as the gateway reports them: `groups=1,2&read=vehicles`. */
  limitedTo: z.string(),
  expiresS: z.number().nullable(),
  isOwn: z.boolean()
})
export type GatewaySession = z.infer<typeof gatewaySession>

export const entityChoice = z.object({
  id: z.number(),
  name: z.string(),
  plate: z.string().nullable(),
  /** IMEI of its device now, as a string; null when it has none. */
  imei: z.string().nullable(),
  kind: z.enum(['vehicle', 'asset']),
  assetType: z.string().nullable(),
  /** Set when the gateway was offline: the time of the local copy; the record may have changed since. */
  copiedAt: isoTime.nullable().optional()
})
export type EntityChoice = z.infer<typeof entityChoice>

const siteRef = z.strictObject({ url: z.string().min(1).max(400), user: z.string().min(1).max(200) })
const scopeName = z.string().regex(/^[a-z_]+([.:][a-z_]+)*$/)

export const gatewayCalls = defineCalls({
  'gateway.status': { input: nothing, output: gatewayStatus },
  'gateway.signIn': {
    input: z.strictObject({
      url: z.string().max(400),
      user: z.string().max(200),
      password: z.string().max(200),
      scheme: signInScheme.default({ kind: 'normal' }),
      /** False: the password is not stored, and the session ends with Fitter. */
      keep: z.boolean().optional()
    }),
    output: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('signedIn'), status: gatewayStatus, kept: z.boolean() }),
      z.object({ kind: z.literal('wrongPassword'), detail: messageSchema })
    ])
  },
  'gateway.signOut': { input: nothing, output: gatewayStatus },
  'gateway.sites': { input: nothing, output: z.object({ sites: z.array(gatewaySite) }) },
  'gateway.chooseSite': { input: siteRef, output: gatewayStatus },
  /** Ends its session, deletes its password and its local copy of the vehicles. */
  'gateway.forgetSite': { input: siteRef, output: z.object({ sites: z.array(gatewaySite) }) },
  /** The zones that the gateway allows, of those that this computer can show; null when it cannot be asked now. */
  'gateway.timeZones': { input: nothing, output: z.object({ zones: z.array(z.string()).nullable() }) },
  'gateway.sessions': { input: nothing, output: z.object({ sessions: z.array(gatewaySession) }) },
  'gateway.endSession': {
    input: z.strictObject({ key: z.string().regex(/^[0-9a-f]{24}$/) }),
    output: z.object({ sessions: z.array(gatewaySession) })
  },
  'gateway.groups': {
    input: nothing,
    output: z.object({ groups: z.array(z.object({ id: z.number(), name: z.string().nullable() })) })
  },
  /**
   * Creates an application token: this user, limited to groups and scopes. The token is returned once and stored
   * nowhere.
   */
  'gateway.createToken': {
    input: z.strictObject({
      app: z.string().trim().min(1).max(60),
      scheme: z.enum(['infinite', 'finite']),
      limitS: z.number().int().min(60).max(31_536_000).optional(),
      groups: z.array(z.number().int().nonnegative()).max(500),
      read: z.array(scopeName).max(100),
      write: z.array(scopeName).max(100)
    }),
    output: z.object({ app: z.string(), token: z.string(), limitedTo: z.string() })
  },
  /** By name, plate (any value of `info`) or id. */
  'gateway.findEntities': {
    input: z.strictObject({ kind: z.enum(['vehicle', 'asset']), text: z.string().max(200) }),
    output: z.object({ entities: z.array(entityChoice), complete: z.boolean() })
  }
})
