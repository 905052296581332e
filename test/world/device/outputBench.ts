import { onTestFinished, vi } from 'vitest'
import type { OutputController } from '../../../main/job/outputs/controller.ts'
import { createOutputs, type Outputs, type OutputsOptions } from '../../../main/job/outputs/outputs.ts'
import type { ClaimRequest, OffRequest } from '../../../main/job/outputs/outputRecord.ts'
import type { OutputDevice, SwitchEntry } from '../../../main/job/outputs/outputTypes.ts'
import type { CallOptions } from '../../../main/device/client/wire.ts'
import type { LedgerRow, OutputLedgerStore } from '../../../main/data/store/work/outputLedger.ts'
import {
  gpsPosition,
  ioState,
  systemInfo,
  type OutputLine,
  type Reading
} from '../../../preload/contract/device/deviceAreas.ts'
import { AppError, type ErrorCode } from '../../../preload/contract/errors.ts'
import type { Json } from '../../../preload/contract/define.ts'
import { plainMessage, type Message } from '../../../preload/contract/messages.ts'
import { readFields } from '../../../main/base/reading/fields.ts'
import { english } from '../window/english.ts'
import { shippedLimits } from './outputs.ts'

export const benchImei = '490154203237518'
const otherImei = '356938035643809'

/** A device with four relays whose answers a test spoils; every command and every reading is noted. */
export interface FakeOutputDevice extends OutputDevice {
  relays: Record<OutputLine, boolean>
  shorts: Record<OutputLine, boolean>
  /** What was asked of it, in order. */
  seen: string[]
  /** Somebody else's device is at its address. */
  isOther: boolean
  /** What it does instead of an answer, or before one that is late: to "on", to "off", to readings. */
  fails: Partial<Record<'on' | 'off' | 'read' | 'who', ErrorCode | 'hangs' | 'late'>>
  /** "On" waits for its turn, and never leaves before it is taken back. */
  isBusy: boolean
  /** "on" is answered, and the relay does not move. */
  isDeaf: boolean
  /** "off" is answered, and the relay does not move. */
  isStuck: boolean
  /** A fault of Fitter's own while it asks. */
  breaks: Partial<Record<'on' | 'off' | 'read' | 'who', Error>>
}

export function fakeOutputDevice(tell: (what: string) => void = () => undefined): FakeOutputDevice {
  const note = (what: string, { timeoutMs, overtakes = false, signal }: CallOptions = {}) => {
    device.seen.push(what)
    const how = [
      ...(timeoutMs === undefined ? [] : [`${timeoutMs} ms`]),
      ...(overtakes ? ['first'] : []),
      ...(signal ? ['stoppable'] : [])
    ]
    tell(`${what}${how.length > 0 ? ` (${how.join(', ')})` : ''}`)
  }
  const device: FakeOutputDevice = {
    relays: { OUT1: false, OUT2: false, OUT3: false, OUT4: false },
    shorts: { OUT1: false, OUT2: false, OUT3: false, OUT4: false },
    seen: [],
    isOther: false,
    isDeaf: false,
    isStuck: false,
    isBusy: false,
    fails: {},
    breaks: {},
    gps: { position: () => answer('gps.position', gpsPosition, {}) },
    system: {
      info(options) {
        note('who', options)
        if (device.breaks.who) return Promise.reject(device.breaks.who)
        return answer(
          'system.info',
          systemInfo,
          { hostname: `ft4-${device.isOther ? otherImei : benchImei}` },
          device.fails.who
        )
      }
    },
    io: {
      all(options) {
        note('read', options)
        if (device.breaks.read) return Promise.reject(device.breaks.read)
        const { relays, shorts } = device
        return answer(
          'io.all',
          ioState,
          {
            ...(device.isOther ? { OUT1: false, OUT2: false, OUT3: false, OUT4: false } : relays),
            SO1: shorts.OUT1,
            SO2: shorts.OUT2,
            SO3: shorts.OUT3,
            SO4: shorts.OUT4
          },
          device.fails.read
        )
      },
      setOutput({ out, state }, options) {
        const name = state ? 'on' : 'off'
        try {
          if (!(state && device.isBusy)) options?.beforeSent?.()
        } catch (error) {
          return Promise.reject(error as Error)
        }
        note(`${out} ${name}`, options)
        const broken = device.breaks[name]
        if (broken) return Promise.reject(broken)
        const fails = device.fails[name]
        if (device.isOther) return answer('io.setOutput', undefined, {}, 'WRONG_DEVICE')
        if (state && device.isBusy)
          return new Promise((_resolve, reject) =>
            options?.untilSent?.addEventListener('abort', () =>
              reject(new AppError('CANCELLED', plainMessage('Taken back.'), { fate: 'notSent' }))
            )
          )
        if (fails === undefined && !(state ? device.isDeaf : device.isStuck)) device.relays[out] = state
        return answer('io.setOutput', undefined, {}, fails)
      }
    }
  }
  return device
}

async function answer<T>(
  operation: string,
  shape: Parameters<typeof readFields>[0] | undefined,
  raw: Record<string, unknown>,
  fails?: ErrorCode | 'hangs' | 'late'
): Promise<Reading<T>> {
  await new Promise((resolve) => setTimeout(resolve, fails === 'hangs' || fails === 'late' ? 3_000 : 5))
  if (fails && fails !== 'late')
    throw new AppError(fails === 'hangs' ? 'TIMEOUT' : fails, plainMessage('Gone.'), { retryable: true })
  const read = shape ? readFields(shape, raw) : { value: {}, problems: [] }
  return {
    operation,
    status: 200,
    ...read,
    raw,
    readAt: new Date().toISOString(),
    elapsedMs: 5
  } as unknown as Reading<T>
}

/** A ledger in memory; writing to it fails on request. */
export function memoryLedger(
  open: LedgerRow[] = [],
  tell: (what: string) => void = () => undefined
): OutputLedgerStore & { rows: LedgerRow[]; ended: { id: number; how: string }[]; isFull: boolean } {
  const ledger = {
    rows: open,
    ended: [] as { id: number; how: string }[],
    isFull: false,
    open: () => [...ledger.rows],
    begin(row: Omit<LedgerRow, 'id' | 'isOnSettled'>) {
      fail()
      const id = 1 + Math.max(0, ...ledger.rows.map((one) => one.id), ...ledger.ended.map((one) => one.id))
      tell(`ledger: ${row.output} may be on, by ${row.by} (${row.jobId ?? 'no job'})`)
      ledger.rows.push({ ...row, id, isOnSettled: false })
      return id
    },
    settleOn(id: number) {
      fail()
      tell(`ledger: ${id} cannot come on late`)
      ledger.rows = ledger.rows.map((row) => (row.id === id ? { ...row, isOnSettled: true } : row))
    },
    end(id: number, { how }: { how: string }) {
      fail()
      tell(`ledger: ${id} ended, ${how}`)
      ledger.rows = ledger.rows.filter((row) => row.id !== id)
      ledger.ended.push({ id, how })
    }
  }
  function fail(): void {
    if (ledger.isFull) throw new AppError('DATA_UNUSABLE', plainMessage('The disk is full.'))
  }
  return ledger as unknown as ReturnType<typeof memoryLedger>
}

export interface OutputBench {
  device: FakeOutputDevice
  ledger: ReturnType<typeof memoryLedger>
  controller: OutputController
  outputs: Outputs
  /** The journal of those who switched, in words. */
  journal: string[]
  /** Everything that left, was written down or was shown since it was last asked for, each with its time in ms. */
  story(): string[]
  /** How often the conditions were asked for. */
  conditionsRead: number
  /** Entries about these outputs cannot be written. */
  unwritable: Set<OutputLine>
  faults: unknown[]
  /** What the interlock says. */
  missing: Message[]
  broken: Message[]
  /** What the lines say of a short circuit. */
  isShort: boolean | undefined
  /** The device is where it was last seen. */
  isReached: boolean
  stop: AbortController
  claim(out?: OutputLine, more?: Partial<ClaimRequest>): ReturnType<OutputController['claim']>
  way(out?: OutputLine): OffRequest
  /** Claims, switches on, and gives the claim. */
  on(out?: OutputLine): Promise<ReturnType<OutputController['claim']>>
}

/** The one door to relays on a fake device, with a virtual clock. */
export function openOutputBench(open: LedgerRow[] = [], more: Partial<OutputsOptions> = {}): OutputBench {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T09:00:00Z') })
  onTestFinished(async () => {
    if (!vi.isFakeTimers()) return
    const stopped = bench.outputs.stop()
    await vi.advanceTimersByTimeAsync(10_000)
    await stopped
    vi.useRealTimers()
  })
  const startMs = Date.now()
  const story: string[] = []
  const tell = (what: string) => void story.push(`${Date.now() - startMs} ${what}`)
  const device = fakeOutputDevice(tell)
  const ledger = memoryLedger(open, tell)
  const write = ({ phase, what, input, operation, raw }: SwitchEntry, by: string) => {
    const { out, state } = input as { out: OutputLine; state: boolean }
    if (bench.unwritable.has(out)) throw new AppError('DATA_UNUSABLE', plainMessage('The disk is full.'))
    bench.journal.push(`${phase}: ${english(what)}`)
    const told =
      raw !== null && typeof raw === 'object' && out in raw ? { [out]: (raw as Record<string, Json>)[out] } : raw
    tell(
      `log of ${by}: ${phase} ${operation} ${out} ${state}: ${english(what)}${told === null ? '' : ` ${JSON.stringify(told)}`}`
    )
  }
  const bench: OutputBench = {
    device,
    ledger,
    journal: [],
    story: () => story.splice(0),
    conditionsRead: 0,
    unwritable: new Set(),
    faults: [],
    missing: [],
    broken: [],
    isShort: false,
    isReached: false,
    stop: new AbortController(),
    outputs: undefined as unknown as Outputs,
    controller: undefined as unknown as OutputController,
    claim: (out = 'OUT1', request = {}) =>
      bench.controller.claim(out, {
        device,
        address: 'ft4.local',
        interlock: {
          conditions: () => [],
          missing: () => bench.missing,
          broken: () => bench.broken,
          read: () => Promise.resolve(),
          beginRead: () => void (bench.conditionsRead += 1),
          state: () => ({})
        },
        limits: shippedLimits,
        by: 'Technician One',
        jobId: 'job',
        signal: bench.stop.signal,
        isShort: () => bench.isShort,
        record: (entry) => write(entry, 'claim'),
        ...request
      }),
    way: () => ({
      device,
      address: 'ft4.local',
      by: 'Technician Two',
      jobId: null,
      record: (entry) => write(entry, 'caller')
    }),
    async on(out = 'OUT1') {
      const claim = bench.claim(out)
      const on = await pass(claim.switchOn())
      if (on.kind !== 'on') throw new Error(`It did not switch on: ${on.kind}`)
      return claim
    }
  }
  bench.outputs = createOutputs({
    ledger,
    shipped: shippedLimits,
    chosen: () => ({}),
    reach: () => (bench.isReached ? device : undefined),
    technician: () => 'Technician One',
    record: (_imei, jobId, entry) => write(entry, jobId ?? 'nobody'),
    changed: (shown) =>
      tell(`shown: ${shown.map(({ output, state }) => `${output} ${state}`).join(', ') || 'nothing'}`),
    reportFault: (fault) => bench.faults.push(fault),
    ...more
  })
  bench.controller = bench.outputs.of(benchImei)
  return bench
}

/** A row as an earlier run left it. */
export function ledgerRow(more: Partial<LedgerRow> = {}): LedgerRow {
  return {
    id: 1,
    imei: benchImei,
    output: 'OUT1',
    path: 'local',
    vehicleId: null,
    address: 'ft4.local',
    since: '2026-11-20T09:00:00.000Z',
    by: 'Technician One',
    jobId: null,
    isOnSettled: false,
    ...more
  }
}

/** Moves the clock until the work is done. */
export async function pass<T>(work: Promise<T>, mostMs = 60_000): Promise<T> {
  let isOver = false
  const over = () => (isOver = true)
  work.then(over, over)
  for (let passedMs = 0; !isOver && passedMs < mostMs; passedMs += 5) await vi.advanceTimersByTimeAsync(5)
  if (!isOver) throw new Error(`Not done within ${mostMs} ms of virtual time`)
  return work
}

/** A story without the proofs of who answers and the words for the screen. */
export const commandsOf = (story: string[]) => story.filter((line) => !/ (who|shown)/.test(line))
/** The times of what was asked of the device. */
export const timesOf = (story: string[], what: string) =>
  story.filter((line) => line.split(' ').slice(1).join(' ').startsWith(what)).map((line) => Number(line.split(' ')[0]))
