/** A proxy of the company or of the system. Its user name and password never stand in `address` or `label`. */
export interface Proxy {
  /** `http://host:port` or `https://host:port`. */
  address: string
  /** `host:port`, as people know it. */
  label: string
  credentials?: { user: string; password: string } | undefined
}

/** An address of one network card; a connection that is bound to it leaves through that card where the system allows it. */
export interface CardAddress {
  card: string
  address: string
}

/** One way to a gateway: straight or through a proxy, from the card that the system chooses or from a given one. */
export interface GatewayRoute {
  proxy: Proxy | null
  from: CardAddress | null
}

export type WayOutcome =
  | { kind: 'connected'; localAddress: string; card: string | null; atMs: number }
  | { kind: 'failed'; failure: DialFailure; atMs: number }
  | { kind: 'loginPage'; atMs: number }

/** How far a connection came before it failed. */
export type DialStage = 'name' | 'connect' | 'proxy' | 'certificate'
export const dialStages: readonly DialStage[] = ['name', 'connect', 'proxy', 'certificate']

/** A connection that was not made: not one byte of a request has left. */
export class DialFailure extends Error {
  override readonly name = 'DialFailure'
  readonly code: string
  readonly stage: DialStage
  readonly way: GatewayRoute
  /** What a proxy answered instead of opening the tunnel. */
  readonly proxyStatus: number | undefined
  /** The names that a certificate of another name is for. */
  readonly certificateNames: string | undefined

  constructor(stage: DialStage, way: GatewayRoute, about: { code: string; proxyStatus?: number; certificateNames?: string }) {
    super(`${stage} ${about.code}`)
    this.stage = stage
    this.way = way
    this.code = about.code
    this.proxyStatus = about.proxyStatus
    this.certificateNames = about.certificateNames
  }
}
