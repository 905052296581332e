import { expect, onTestFinished, vi } from 'vitest'
import { createAccessoryTrials } from '../../../main/job/accessories/trials.ts'
import type { CommandLog, Follower, OutputGateway } from '../../../main/job/outputs/gatewayCommand.ts'
import type { JudgedView } from '../../../main/job/outputs/gatewayConditions.ts'
import { createOutputs, type OutputsOptions } from '../../../main/job/outputs/outputs.ts'
import type { LedgerRow } from '../../../main/data/store/work/outputLedger.ts'
import type { AccessoryTest, LineState } from '../../../preload/contract/gateway/accessories.ts'
import { AppError, type AppErrorOptions, type ErrorCode } from '../../../preload/contract/errors.ts'
import type { OutputLogEntry } from '../../../preload/contract/gateway/remoteOutputs.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { english } from '../window/english.ts'
import { ledgerRow, memoryLedger } from '../device/outputBench.ts'
import { shippedLimits } from '../device/outputs.ts'

export const startMs = Date.parse('2026-11-20T09:00:00.400Z')
export const imei = '356938035643809'
export const otherImei = '867698040023056'
export type View = JudgedView
type Follow = Parameters<Follower['start']>[0]
type Answer = { message: string; deviceIsOnline: boolean | null; raw: unknown }

export const at = (agoS: number): string => new Date(Date.now() - agoS * 1000).toISOString()
export const wired = (on: boolean | null, more: Partial<LineState> = {}): LineState => ({
  name: 'OUT2',
  kind: 'output',
  number: 2,
  on,
  isShorted: null,
  ...more
})
export const expander = (on: boolean, more: Partial<LineState> = {}): LineState => ({
  name: 'E2',
  kind: 'expanderOutput',
  number: 2,
  on,
  isShorted: null,
  ...more
})
export const logged = (more: Partial<OutputLogEntry> = {}): OutputLogEntry =>
  ({ otype: 'e', out: 2, on: false, user: 'fitter', at: at(0), ...more }) as OutputLogEntry
export const fails =
  (code: ErrorCode, options: AppErrorOptions = {}) =>
  (): Promise<never> =>
    Promise.reject(new AppError(code, plainMessage('Not now.'), options))
export const refuses = fails('NOT_PERMITTED')
/** Nothing left this computer. */
export const isAway = fails('UNREACHABLE', { retryable: true, fate: 'notSent' })
/** It is unknown whether it arrived. */
export const isLost = fails('TIMEOUT', { retryable: true })
/** Expander output 2 of vehicle 7, as an earlier run left it. */
export const earlierRow = (more: Partial<LedgerRow> = {}): LedgerRow =>
  ledgerRow({ imei, output: 'e 2', path: 'gateway', vehicleId: 7, address: '', ...more })

const parkedEvent = (): View['event'] => ({
  at: at(0),
  ageS: 0,
  type: 10,
  label: 'prdtst',
  speedKmh: 0,
  validPosition: true,
  speedAt: at(0),
  ignition: false,
  ignitionAt: at(0)
})

/** Waits for its turn until it is taken back. */
export const untilTakenBack = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => void fails('CANCELLED', { fate: 'notSent' })().catch(reject), { once: true })
  )

export interface GatewayBenchOptions extends Partial<OutputsOptions> {
  earlier?: LedgerRow[]
  /** A test follows the commands by hand. */
  isByHand?: boolean
  /** Nobody is signed in to the gateway yet. */
  isUnserved?: boolean
}

/** The one door to relays on a gateway that says what a test puts into it, with a virtual clock. */
export function openGateway({ earlier = [], isByHand = false, isUnserved = false, ...more }: GatewayBenchOptions = {}) {
  vi.useFakeTimers({ now: startMs })
  const seen: unknown[] = []
  const faults: unknown[] = []
  const ledger = memoryLedger(earlier, (what) => seen.push(what))
  const gateway = {
    imei: imei as string | null,
    user: 'fitter' as string | null,
    /** The newest event; undefined: one of now, of a parked vehicle. */
    event: undefined as View['event'] | undefined,
    log: [] as OutputLogEntry[],
    lines: [] as LineState[],
    /** Of the lines; undefined: as of now. */
    linesAt: undefined as string | null | undefined,
    answer: (_on: boolean, _signal: AbortSignal): Promise<Answer> =>
      Promise.resolve({ message: 'Command sent', deviceIsOnline: true, raw: { ok: 1 } }),
    /** What an accepted or lost command does. */
    takesEffect: true,
    deviceOf: (_signal: AbortSignal): Promise<string | null> => Promise.resolve(gateway.imei),
    readView: (_signal: AbortSignal): Promise<unknown> =>
      Promise.resolve({
        event: gateway.event === undefined ? parkedEvent() : gateway.event,
        engineBus: null,
        lines: [],
        linesAt: null
      }),
    readLines: (_imei: string): Promise<{ lines: LineState[]; at: string | null }> =>
      Promise.resolve({ lines: gateway.lines, at: gateway.linesAt === undefined ? at(0) : gateway.linesAt }),
    userName: (): Promise<string | null> => Promise.resolve(gateway.user),
    /** Commands that left, in order. */
    sent: [] as string[]
  }
  const carryOut = (on: boolean, otype = 'e', out = 2): void => {
    gateway.lines = [
      ...gateway.lines.filter(({ number }) => number !== out),
      otype === 'e' ? expander(on, { number: out }) : wired(on, { number: out })
    ]
    gateway.log.push(logged({ otype, out, on }))
  }
  const port: OutputGateway = {
    nowMs: () => Promise.resolve(Date.now()),
    deviceOf: (_vehicleId, signal) => gateway.deviceOf(signal),
    readView: (_vehicleId, signal) => gateway.readView(signal) as never,
    readLines: (device) => gateway.readLines(device),
    commands: {
      async setOutput(vehicleId, command, signal) {
        seen.push(['sent', vehicleId, command])
        gateway.sent.push(`${command.otype} ${command.out} ${command.state ? 'on' : 'off'}`)
        const effect = (): void => {
          if (gateway.takesEffect) carryOut(command.state, command.otype, command.out)
        }
        try {
          const answer = await gateway.answer(command.state, signal)
          effect()
          return answer as never
        } catch (error) {
          if (error instanceof AppError && error.fate === 'unknown') effect()
          throw error
        }
      },
      outputLog: () => Promise.resolve(gateway.log),
      userName: () => gateway.userName()
    }
  }
  const log: CommandLog & { isFull: boolean; isEndFull: boolean } = {
    isFull: false,
    isEndFull: false,
    begin(write) {
      if (log.isFull) throw new Error('The disk is full.')
      seen.push(['intent', write])
      return 5
    },
    end(...end) {
      if (log.isEndFull) throw new Error('The disk is full.')
      seen.push(['result', ...end])
    }
  }
  const follows: Follow[] = []
  let listed: AccessoryTest[] = []
  const byHand: Follower = {
    start(follow) {
      follows.push(follow)
      return {
        id: String(follows.length),
        kind: 'output',
        vehicleId: follow.vehicleId,
        state: 'waiting'
      } as AccessoryTest
    },
    list: () => listed
  }
  const trials = createAccessoryTrials({ changed: () => undefined, reportFault: (error) => faults.push(error) })
  const outputs = createOutputs({
    ledger,
    shipped: shippedLimits,
    chosen: () => ({}),
    reach: () => undefined,
    technician: () => 'Technician One',
    record: () => undefined,
    changed: () => undefined,
    reportFault: (error) => faults.push(error),
    ...more
  })
  const waits = isByHand ? byHand : trials
  const serve = (): void => outputs.gateway.serve({ gateway: port, waits, log })
  if (!isUnserved) serve()
  onTestFinished(async () => {
    if (!vi.isFakeTimers()) return
    const over = Promise.all([outputs.stop(), trials.close()])
    await vi.advanceTimersByTimeAsync(10_000)
    await over
    vi.useRealTimers()
  })
  const signal = new AbortController().signal
  const bench = {
    gateway,
    port,
    outputs,
    ledger,
    log,
    faults,
    trials,
    waits,
    serve,
    carryOut,
    passes: async (ms: number): Promise<void> => void (await vi.advanceTimersByTimeAsync(ms)),
    seen: (): unknown[] => seen.splice(0),
    set: (
      on: boolean,
      {
        otype = 'e',
        out = 2,
        vehicleId = 7,
        stop = signal
      }: { otype?: string; out?: number; vehicleId?: number; stop?: AbortSignal } = {}
    ) => outputs.gateway.set({ vehicleId, otype, out, on }, stop),
    /** On, and shown so by the gateway. */
    async on(): Promise<void> {
      await bench.set(true)
      await vi.advanceTimersByTimeAsync(3_000)
      expect(bench.shown()).toEqual(['e 2 on'])
    },
    shown: () => outputs.ledger().map(({ output, state }) => `${output} ${state}`),
    trouble: () => outputs.ledger().map(({ trouble }) => trouble && english(trouble)),
    follows: (tests: Partial<AccessoryTest>[]) => void (listed = tests as AccessoryTest[]),
    follow(): Follow {
      const last = follows.at(-1)
      if (!last) throw new Error('nothing is followed')
      return last
    },
    async look(): Promise<string> {
      const look = await bench.follow().look(signal)
      return `${look.kind}: ${english(look.note)}${'remedy' in look ? ` ${english(look.remedy)}` : ''}`
    },
    /** Of the newest command. */
    note(): string {
      const [test] = trials.list()
      if (!test) throw new Error('nothing is followed')
      return english(test.note)
    },
    end(state: AccessoryTest['state'], note = plainMessage('Over.')): void {
      bench.follow().ended({ state, note } as AccessoryTest)
    }
  }
  return bench
}

export type GatewayBench = ReturnType<typeof openGateway>

/** The error of work that fails. */
export async function failureOf(work: Promise<unknown>): Promise<AppError> {
  const failure: unknown = await work.then(
    () => new Error('It did not fail'),
    (error: unknown) => error
  )
  if (failure instanceof AppError) return failure
  throw failure
}
