import type { CallResult } from '../../preload/contract/errors.ts'
import type { CallName } from '../../preload/contract/index.ts'

/** What a laptop of the demonstration is started with. */
export interface LaptopOrder {
  name: string
  dataFolder: string
  gatewayUrl: string
  device: { user: string; password: string }
  gateway: { user: string; password: string }
  /** For this process alone: nothing of a demonstration goes into anybody's keychain. */
  teamPassword: string
}

export interface Work {
  jobId: string
  imei: string
  trailer: string
  /** The steps after which it is left for now. */
  until?: string[]
}

/** The log of a job as it lies on a laptop, and whether its hashes hold. */
export interface LogHere {
  hashes: string[]
  holds: boolean
}

/** What a laptop is asked: a call as its window makes it, or what a person does there. */
export type Task = { call: CallName; input: unknown } | { makeJobOn: string } | { work: Work } | { logOf: string }

export type ToLaptop = { number: number; task: Task }
export type FromLaptop =
  | { number: number; result: CallResult<unknown> }
  | { say: string }
  | { ended: { jobId: string; stepId: string; state: string } }
