import type { KeptClaim } from '../../../../main/data/store/work/claims.ts'
import type { OperationState } from '../../../../preload/contract/gateway/operations.ts'

/** A small world in which one job with its gateway work has holders: laptops, the team log, files and the gateway. */
export interface World {
  laptops: LaptopState[]
  server: ServerState
  /** An older copy of the server, where one was made. */
  copy: ServerState | null
  isSetBack: boolean
  /** Files of the job that went away. */
  files: Parcel[]
  /** What was applied, in the order in which it was; `at`: how many requests had left then. */
  effects: (Sent & { at: number })[]
  /** Requests whose socket is closed: applied later, or never. */
  air: Sent[]
  /** Requests that ever left. */
  sent: number
  /** Calls of the team log that their caller gave up, and that arrive late. */
  late: { call: ServerCall; by: number }[]
  left: Budget
}

/**
 * The request number `n`: what it was, whose, whether it was looked for right before, and whether a person wanted it
 * sent.
 */
export interface Sent {
  op: string
  by: number
  looked: boolean
  wished: boolean
  n: number
}

/** What may still go wrong, or be wanted, so often. */
export interface Budget {
  offers: number
  files: number
  takeOvers: number
  entries: number
  crashes: number
  lostReplies: number
  badNetwork: number
  lateCalls: number
  setBacks: number
  gone: number
  decisions: number
}

export interface OperationState1 {
  id: string
  state: OperationState
  claim: KeptClaim | null
  attempts: { outcome: string | null; serverTimeMs: number }[]
  /** A person said "send again" after so many attempts. */
  allowedAfter: number
  isWished: boolean
  /** It came by a take-over, and nobody decided on it since. */
  isTakenOver: boolean
}

export interface LaptopState {
  isGone: boolean
  /** The entries of the job, each as what it says. */
  log: string[]
  ops: OperationState1[]
  /** Grace and first look of this run: `since` counts requests that had left when it began; null: it is over. */
  waits: Record<string, { since: number | null; isAbsentOnce: boolean }>
  /** It left by the team log and is not taken back: under this id, to whom. */
  away: { parcel: Parcel; to: number | null; by: 'team' | 'file'; isOffered: boolean } | null
  /** Somebody else has the job, and this laptop knows. */
  isLost: boolean
  /** The server has a diverging log of the job: a person was told. */
  isForked: boolean
  /** It was pushed at least once: another may have taken it over. */
  isPushed: boolean
}

export interface Parcel {
  id: string
  log: string[]
  ops: OperationState1[]
  /** The gateway's clock when it left. */
  atMs: number
}

export interface ServerState {
  holder: number | null
  log: string[]
  /** What its holder had to do with its last push, and when that was. */
  work: OperationState1[]
  workAtMs: number
  offers: { parcel: Parcel; from: number; to: number | null; takenBy: number | null; isWithdrawn: boolean }[]
  /** Take-overs: from whom and by whom, after so many entries, with which work. */
  takenOver: { from: number | null; by: number; seq: number; ops: string[] }[]
}

export type ServerCall =
  | { name: 'append'; log: string[]; ops: OperationState1[]; atMs: number }
  | { name: 'offer'; parcel: Parcel; to: number | null }
  | { name: 'take'; id: string }
  | { name: 'withdraw'; id: string }
  | { name: 'takeOver' }

/** Rules of whose job it is; each can be left out, and then something goes wrong. */
export const rules = [
  'inert in the same instant',
  'one laptop takes an offer',
  'a take that comes again unseats nobody',
  'an offer goes out only while nobody else holds the job',
  'what left goes along until its new holder pushed',
  'taking back asks the server',
  'a withdrawal is remembered for offers that come late',
  'no file of what went by the team log',
  'what was taken and did not arrive comes with the next look',
  'what the server gave back is taken back here',
  'an offer that the server forgot goes out again',
  'a take-over that the server forgot is made again',
  'whoever lost a job stops',
  'a push that is refused is told',
  'what the new holder did not get is told',
  'read back before anything else',
  'what appeared since it was wanted may be ours',
  'after a take-over a person is asked',
  'looked for right before it is sent',
  'a log that went on otherwise is not taken'
] as const
export type Rule = (typeof rules)[number]

export interface Setup {
  laptops: 2 | 3
  /**
   * The gateway's handling of the work: recognised by its reference, refused the second time, indistinguishable, never
   * sent again.
   */
  kinds: ('own' | 'refusing' | 'untold' | 'never')[]
  left: Partial<Budget>
  without?: Rule
}

export const nothingLeft: Budget = {
  offers: 0,
  files: 0,
  takeOvers: 0,
  entries: 0,
  crashes: 0,
  lostReplies: 0,
  badNetwork: 0,
  lateCalls: 0,
  setBacks: 0,
  gone: 0,
  decisions: 0
}

export function newOperation(at: number): OperationState1 {
  return {
    id: `op${at + 1}`,
    state: 'pending',
    claim: null,
    attempts: [],
    allowedAfter: 0,
    isWished: false,
    isTakenOver: false
  }
}

/** The first laptop has the job with the first piece of work; what else is wanted comes later. */
export function firstWorld({ laptops, left }: Setup): World {
  const empty = (): LaptopState => ({
    isGone: false,
    log: [],
    ops: [],
    waits: {},
    away: null,
    isLost: false,
    isForked: false,
    isPushed: false
  })
  return {
    laptops: Array.from({ length: laptops }, (_, at) =>
      at === 0 ? { ...empty(), log: ['made'], ops: [newOperation(0)] } : empty()
    ),
    server: { holder: null, log: [], work: [], workAtMs: 0, offers: [], takenOver: [] },
    copy: null,
    isSetBack: false,
    files: [],
    effects: [],
    air: [],
    sent: 0,
    late: [],
    left: { ...nothingLeft, ...left }
  }
}

export const nameOf = (laptop: number): string => 'ABC'[laptop] ?? '?'

/** Whether somebody can work on the job there. */
export function isAtWork({ log, isLost, isGone }: LaptopState): boolean {
  const last = log.at(-1)
  return !isGone && !isLost && last !== undefined && !last.startsWith('away')
}

/** Whether a laptop has this log, or went on from it. */
export function isBeginning(beginning: readonly string[], log: readonly string[]): boolean {
  return beginning.length <= log.length && beginning.every((entry, at) => log[at] === entry)
}
