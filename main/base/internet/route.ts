/** A proxy of the company or of the system. `address` and `label` never contain its user name and password. */
export interface Proxy {
  /** `http://host:port` or `https://host:port`. */
  address: string
  /** `host:port`, as people know it. */
  label: string
  credentials?: { user: string; password: string } | undefined
}

/** An address of one network card; a connection bound to it leaves through that card if the system allows it. */
export interface CardAddress {
  card: string
  address: string
}

/** One route to a gateway: direct or through a proxy, from the card that the system chooses or from a given one. */
export interface GatewayRoute {
  proxy: Proxy | null
  from: CardAddress | null
}

export type WayOutcome =
  | { kind: 'connected'; localAddress: string; card: string | null; atMs: number }
  | { kind: 'failed'; failure: DialFailure; atMs: number }
  | { kind: 'loginPage'; atMs: number }

/** The step at which a connection failed. */
export type DialStage = 'name' | 'connect' | 'proxy' | 'certificate'
export const dialStages: readonly DialStage[] = ['name', 'connect', 'proxy', 'certificate']

/** A failed connection: not one byte of a request was sent. */
export class DialFailure extends Error {
  override readonly name = 'DialFailure'
  readonly code: string
  readonly stage: DialStage
  readonly way: GatewayRoute
  readonly proxyStatus: number | undefined
  readonly certificateNames: string | undefined

  constructor(
    stage: DialStage,
    way: GatewayRoute,
    about: { code: string; proxyStatus?: number; certificateNames?: string }
  ) {
    super(`${stage} ${about.code}`)
    this.stage = stage
    this.way = way
    this.code = about.code
    this.proxyStatus = about.proxyStatus
    this.certificateNames = about.certificateNames
  }
}
