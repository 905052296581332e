import { message, nameMessage, type Message } from '../../preload/contract/messages.ts'
import type { Json } from '../../preload/contract/define.ts'
import type { OutputLine } from '../../preload/contract/deviceAreas.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { proveIdentity } from '../connections/identity.ts'
import type { LedgerEnd, LedgerRow, NewLedgerRow } from '../store/outputLedger.ts'
import { shortLine } from './interlock.ts'
import { newKept, unread, type ClaimRequest, type Kept } from './kept.ts'
import type { OutputLimits } from './limits.ts'
import { nextState, type OutputEffect, type OutputEvent } from './machine.ts'
import type { Fall, OffResult, OnResult, OutputDevice, OutputReading, SwitchEntry } from './words.ts'

export interface ControllerOptions {
  imei: string
  ledger: { begin(row: NewLedgerRow): LedgerRow; settleOn(row: LedgerRow): void; end(row: LedgerRow, end: Omit<LedgerEnd, 'at'>): void }
  /** A client of this device where it was last seen, for switching off what may be on; undefined while it is not. */
  reach(): OutputDevice | undefined
  /** Something that is shown of an output changed. */
  changed(): void
  /** Keeps what is sent when nobody has claimed the output. */
  record(jobId: string | null, entry: SwitchEntry): void
  limits(): OutputLimits
  monotonicMs(): number
  now(): Date
  reportFault(error: unknown): void
}

/** One output in the hands of one check, screen or command. */
export interface OutputClaim {
  /** Proves who answers, looks at the conditions again, writes the ledger, sends "on" once. From then on it goes off by itself. */
  switchOn(): Promise<OnResult>
  /** Why it was switched off, or may no longer be switched on; undefined while neither is so. */
  fallen(): Fall | undefined
  /** Resolves with the proof, or with how it stands after the time that the limits say. */
  switchOff(): Promise<OffResult>
  release(): void
}

/** The only one who switches the outputs of one device, whoever asks: each output on its own. */
export interface OutputController {
  /** Takes an output. Throws CONFLICT when somebody has it, or when it may still be on. */
  claim(out: OutputLine, request: ClaimRequest): OutputClaim
  /** Always allowed. Waits for the proof as long as the limits say; it is tried again after that, too. */
  switchOff(out: OutputLine, way: OffWay): Promise<OffResult>
  /** The ledger of an earlier run names this output. */
  takeOver(row: LedgerRow): void
  /** The device can be reached (again): what may be on goes off now. */
  seen(device?: OutputDevice): void
  /** A person looked at the relay itself. Throws NOT_FOUND when it is not in the ledger. */
  personSawOff(out: OutputLine, by: string, reason: string): void
  /** Outputs that may be on. */
  known(): Kept[]
  /** How an output that may be on stands now. */
  awaitOff(out: OutputLine, withinMs: number): Promise<OffResult>
  /** Switches everything off that is on or may be; does not wait. */
  allOff(): void
  stop(): Promise<void>
}

export interface OffWay {
  device: OutputDevice | undefined
  address: string
  by: string
  jobId: string | null
  record(entry: SwitchEntry): void
}

const tickMs = 250
const askEveryMs = 150
const answerWithinMs = 3_000
const readBackOffMs = 1_500
/** Between two attempts to switch off: at first, and for as long as Fitter runs. */
const againSoonMs = 500
const againLaterMs = 3_000
/** After a lost "on" a person is told when it has read off this long. */
const readsOffForMs = 5_000

export function createController(options: ControllerOptions): OutputController {
  const { imei, monotonicMs } = options
  const outputs = new Map<OutputLine, Kept>()
  let isStopped = false

  function keptOf(out: OutputLine): Kept {
    const present = outputs.get(out)
    if (present) return present
    const kept = newKept(out, options.limits())
    outputs.set(out, kept)
    return kept
  }

  /** Takes an event to the state machine; "off" is begun at once, the rest comes back to be done. */
  function take(kept: Kept, event: OutputEvent): OutputEffect[] {
    const before = kept.state
    const { state, effects } = nextState(before, event)
    kept.state = state
    if (kept.row && state.isInLedger && state.isOnSettled && !before.isOnSettled) {
      // What cannot be written here makes the next start watch the output longer than it would have to.
      tryToWrite(kept, (row) => options.ledger.settleOn(row))
    }
    if (effects.includes('proveOff')) begin(kept)
    if (state !== before) options.changed()
    return effects
  }

  function tryToWrite(kept: Kept, write: (row: LedgerRow) => void): boolean {
    try {
      if (kept.row) write(kept.row)
      return true
    } catch (error) {
      kept.logFailure ??= error
      return false
    }
  }

  function keep(kept: Kept, entry: Omit<SwitchEntry, 'operation' | 'input'>, state: boolean): void {
    const whole = { operation: 'io.setOutput', input: { out: kept.out, state }, ...entry }
    if (kept.record) kept.record(whole)
    else options.record(kept.row?.jobId ?? null, whole)
  }

  function begin(kept: Kept): void {
    kept.waker.wake()
    // In a moment of its own: what it does first may ask for it again.
    kept.going ??= Promise.resolve()
      .then(() => bringOff(kept))
      .catch(options.reportFault)
      .finally(() => {
        kept.going = undefined
        kept.waker.wake()
        // A proof that was asked for while the last one ended.
        if (kept.state.phase === 'goingOff' && !isStopped) begin(kept)
      })
  }

  /** Switches off and proves it for as long as that takes: also behind a lost link, and at another address. */
  async function bringOff(kept: Kept): Promise<void> {
    const startedMs = monotonicMs()
    const told = new Set<string>()
    /** Each thing once: an output that is tried for hours must not fill the log. A log that cannot be written stops nothing. */
    const tell = (phase: SwitchEntry['phase'], what: Message, raw: Json): void => {
      if (told.has(phase + nameMessage(what))) return
      told.add(phase + nameMessage(what))
      try {
        keep(kept, { phase, what, raw }, false)
      } catch (error) {
        kept.logFailure ??= error
      }
    }
    tell('intent', message('outputs.off', { output: kept.out }), null)
    while (kept.state.phase === 'goingOff' && !isStopped) {
      if (!kept.state.isOnSettled && monotonicMs() >= kept.lateOnAtMs) take(kept, 'lateOnOver')
      if (await tryOff(kept, tell)) return
      await kept.waker.sleep(pauseMs(kept, monotonicMs() - startedMs < kept.limits.offWithinS * 1000))
    }
  }

  /** Until the next attempt: one that answers is asked soon, one that is silent more and more rarely. */
  function pauseMs(kept: Kept, isEarly: boolean): number {
    if (kept.last.on === true) return askEveryMs
    const isAnswering = kept.last.on === false
    if (isEarly) return isAnswering ? askEveryMs : againSoonMs
    return isAnswering ? againSoonMs : againLaterMs
  }

  /** One attempt, at the last address and then where the device was seen since. True when it is proved off. */
  async function tryOff(kept: Kept, tell: (phase: SwitchEntry['phase'], what: Message, raw: Json) => void): Promise<boolean> {
    for (const device of new Set([kept.device, options.reach()])) {
      if (!device) continue
      const reading = await tryOffAt(kept, device, tell)
      if (!reading) continue
      kept.device = device
      if (reading.on !== false) {
        take(kept, 'readOn')
        continue
      }
      if (!take(kept, 'readOff').includes('clearLedger')) return false
      if (!tryToWrite(kept, (row) => options.ledger.end(row, { how: 'proved', by: '', reason: '' }))) return false
      tell('readBack', message('outputs.isOff', { output: kept.out }), reading.raw)
      cleared(kept)
      return true
    }
    return false
  }

  /** Undefined when the right device did not say how the output stands. */
  async function tryOffAt(kept: Kept, device: OutputDevice, tell: (phase: SwitchEntry['phase'], what: Message, raw: Json) => void): Promise<OutputReading | undefined> {
    try {
      if (kept.isReadFirst) kept.last = await readProved(device, kept.out)
      kept.isReadFirst = false
      if (kept.last.on !== false) {
        const isSent = await sendOff(kept, device, tell)
        const untilMs = monotonicMs() + readBackOffMs
        do {
          kept.last = await readProved(device, kept.out)
          if (kept.last.on === false || !isSent) break
          await kept.waker.sleep(askEveryMs)
        } while (monotonicMs() < untilMs)
      } else kept.last = await readProved(device, kept.out)
      kept.trouble = undefined
      kept.offSinceMs = kept.last.on === false ? Math.min(kept.offSinceMs, monotonicMs()) : Infinity
      return kept.last
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      kept.trouble = error
      kept.last = unread
      kept.offSinceMs = Infinity
      options.changed()
      return undefined
    }
  }

  async function sendOff(kept: Kept, device: OutputDevice, tell: (phase: SwitchEntry['phase'], what: Message, raw: Json) => void): Promise<boolean> {
    try {
      const reply = await device.io.setOutput({ out: kept.out, state: false }, { timeoutMs: answerWithinMs, overtakes: true })
      tell('answered', message('outputs.answered', { status: reply.status }), (reply.raw ?? null) as Json)
      return true
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      tell('unknown', error.sentence, null)
      if (error.code === 'WRONG_DEVICE') throw error
      return false
    }
  }

  function cleared(kept: Kept): void {
    kept.row = undefined
    kept.trouble = undefined
    take(kept, 'ledgerCleared')
    kept.waker.wake()
  }

  async function switchOn(kept: Kept, claim: ClaimRequest): Promise<OnResult> {
    const { device, interlock, limits, signal } = claim
    try {
      await proveIdentity(device, imei, { signal })
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
      return { kind: 'notProved', error }
    }
    const missing = interlock.missing()
    if (missing.length > 0) return { kind: 'held', missing }
    signal.throwIfAborted()
    if (!take(kept, 'armed').includes('writeLedger')) return { kind: 'fallen', fall: kept.fall ?? { kind: 'asked' }, raw: null }
    writeLedger(kept, claim)
    const watching = watchOn(kept, claim).catch((error: unknown) => fall(kept, { kind: 'conditions', what: [] }, error))
    const result = await sendOn(kept, claim, limits.readBackS * 1000)
    if (result.kind !== 'on') take(kept, 'mustGoOff')
    void watching
    return result
  }

  /** On the disk before the first byte leaves; when it cannot be written, nothing is sent. */
  function writeLedger(kept: Kept, claim: ClaimRequest): void {
    try {
      kept.row = options.ledger.begin({
        imei,
        output: kept.out,
        path: 'local',
        vehicleId: null,
        address: claim.address,
        since: options.now().toISOString(),
        by: claim.by,
        jobId: claim.jobId
      })
    } catch (error) {
      take(kept, 'ledgerFailed')
      throw error
    }
    kept.device = claim.device
    kept.last = { ...unread, on: true }
    kept.offSinceMs = Infinity
    kept.isReadFirst = false
    kept.lateOnAtMs = monotonicMs() + claim.limits.lateOnS * 1000
    take(kept, 'ledgerWritten')
  }

  async function sendOn(kept: Kept, claim: ClaimRequest, readBackMs: number): Promise<OnResult> {
    const { device } = claim
    const input = { out: kept.out, state: true }
    const sentMs = monotonicMs()
    const { row } = kept
    let lost: AppError | undefined
    try {
      keep(kept, { phase: 'intent', what: message('outputs.on', { output: kept.out }), raw: null }, true)
    } catch (error) {
      // Nothing has left yet, and nothing does.
      take(kept, 'onRefused')
      throw error
    }
    try {
      const reply = await device.io.setOutput(input, { timeoutMs: readBackMs })
      // An answer that comes when all is over says nothing about whoever has the output now.
      if (kept.row !== row) return { kind: 'notSeen', raw: null }
      take(kept, 'onAnswered')
      kept.lateOnAtMs = sentMs + claim.limits.answeredOnS * 1000
      keep(kept, { phase: 'answered', what: message('outputs.answered', { status: reply.status }), raw: (reply.raw ?? null) as Json }, true)
    } catch (error) {
      if (!(error instanceof AppError) || kept.state.isOnAnswered) throw error
      lost = error
      if (error.fate !== 'unknown') {
        kept.isReadFirst = true
        take(kept, 'onRefused')
      } else take(kept, 'onLost')
      keep(kept, { phase: 'unknown', what: error.sentence, raw: null }, true)
      if (error.fate !== 'unknown') return { kind: 'refused', error, raw: null }
    }
    const untilMs = monotonicMs() + readBackMs
    let reading = unread
    while (kept.state.phase === 'goingOn') {
      reading = await readQuietly(device, kept.out)
      if (kept.state.phase !== 'goingOn') break
      if (reading.isShort) fall(kept, { kind: 'short' })
      else if (reading.on === true) take(kept, 'readOn')
      else if (monotonicMs() >= untilMs) break
      else await kept.waker.sleep(askEveryMs)
    }
    if (kept.fall) return { kind: 'fallen', fall: kept.fall, raw: reading.raw }
    if (kept.state.phase === 'on') return { kind: 'on', raw: reading.raw }
    // What read off gets no command before it reads on: it is only watched.
    if (reading.on !== undefined) kept.last = reading
    return lost ? { kind: 'lost', error: lost, raw: reading.raw } : { kind: 'notSeen', raw: reading.raw }
  }

  async function readQuietly(device: OutputDevice, out: OutputLine): Promise<OutputReading> {
    try {
      return await readProved(device, out)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { ...unread, raw: { error: error.message } }
    }
  }

  /** Past everything else, and believed only when the right device says right after it who it is. */
  async function readProved(device: OutputDevice, out: OutputLine): Promise<OutputReading> {
    const limits = { timeoutMs: answerWithinMs, overtakes: true }
    const { value, raw } = await device.io.all(limits)
    await proveIdentity(device, imei, limits)
    return { on: value[out], isShort: value[shortLine(out)], raw: (raw ?? null) as Json }
  }

  function fall(kept: Kept, why: Fall, fault?: unknown): void {
    if (fault !== undefined) options.reportFault(fault)
    kept.fall ??= why
    take(kept, 'mustGoOff')
  }

  /** As long as it is on: the conditions, each with its own freshness, and who answers. */
  async function watchOn(kept: Kept, claim: ClaimRequest): Promise<void> {
    let lookedMs = monotonicMs()
    let other: AppError | undefined
    const isOn = () => kept.state.phase === 'goingOn' || kept.state.phase === 'on'
    while (isOn() && !isStopped) {
      const why = other ? { kind: 'otherDevice' as const, error: other } : whyOff(claim)
      if (why) return fall(kept, why)
      claim.interlock.beginRead()
      if (monotonicMs() - lookedMs >= claim.limits.identityEveryS * 1000) {
        lookedMs = monotonicMs()
        proveIdentity(claim.device, imei, { overtakes: true }).catch((error: unknown) => {
          if (!(error instanceof AppError)) options.reportFault(error)
          else if (error.code === 'WRONG_DEVICE') {
            other = error
            kept.waker.wake()
          }
        })
      }
      await kept.waker.sleep(tickMs)
    }
  }

  function whyOff(claim: ClaimRequest): Fall | undefined {
    if (claim.signal.aborted) return { kind: 'asked' }
    const broken = claim.interlock.broken()
    if (broken.length > 0) return { kind: 'conditions', what: broken }
    const isShort = claim.isShort()
    if (isShort) return { kind: 'short' }
    if (isShort === undefined) return { kind: 'shortUnreadable' }
    return claim.over?.()
  }

  async function awaitOff(kept: Kept, withinMs: number): Promise<OffResult> {
    const untilMs = monotonicMs() + withinMs
    for (;;) {
      const nowMs = monotonicMs()
      const { raw } = kept.last
      if (!kept.state.isInLedger) {
        const failure = kept.logFailure
        kept.logFailure = undefined
        if (failure !== undefined) throw failure
        return { kind: 'off', raw }
      }
      const readsOffMs = nowMs - kept.offSinceMs
      const watched = { kind: 'watched' as const, forMs: Math.max(0, kept.lateOnAtMs - nowMs), raw }
      if (!kept.state.isOnSettled && readsOffMs >= readsOffForMs) return watched
      if (nowMs >= untilMs || isStopped) return readsOffMs >= 0 ? watched : { kind: 'unproved', error: kept.trouble, raw }
      await kept.waker.sleep(Math.min(100, untilMs - nowMs))
    }
  }

  /** Nobody here switched it on: it gets "off", and what turns out to be on after all goes into the ledger. */
  async function switchOffOthers(kept: Kept, way: OffWay): Promise<OffResult> {
    kept.device = way.device ?? kept.device
    kept.record = (entry) => way.record(entry)
    kept.last = unread
    const untilMs = monotonicMs() + kept.limits.offWithinS * 1000
    keep(kept, { phase: 'intent', what: message('outputs.off', { output: kept.out }), raw: null }, false)
    const tell = (phase: SwitchEntry['phase'], what: Message, raw: Json) => keep(kept, { phase, what, raw }, false)
    let wasOn = false
    while (kept.state.phase === 'off' && !isStopped) {
      for (const device of new Set([kept.device, options.reach()])) {
        const reading = device && (await tryOffAt(kept, device, tell))
        if (reading?.on === false) {
          tell('readBack', message('outputs.isOff', { output: kept.out }), reading.raw)
          return { kind: 'off', raw: reading.raw }
        }
        wasOn ||= reading?.on === true
      }
      if (monotonicMs() >= untilMs) break
      await kept.waker.sleep(againSoonMs)
    }
    if (wasOn && kept.state.phase === 'off') {
      const { by, jobId, address } = way
      takeOver(kept, options.ledger.begin({ imei, output: kept.out, path: 'local', vehicleId: null, address, since: options.now().toISOString(), by, jobId }), true)
    }
    return { kind: 'unproved', error: kept.trouble, raw: kept.last.raw }
  }

  function takeOver(kept: Kept, row: LedgerRow, isOnSettled: boolean): void {
    const ageMs = options.now().getTime() - Date.parse(row.since)
    // A clock that was set back proves nothing: then the whole time counts from now on.
    const leftMs = kept.limits.lateOnS * 1000 - Math.max(0, ageMs)
    kept.row = row
    kept.isReadFirst = true
    kept.lateOnAtMs = monotonicMs() + (isOnSettled ? 0 : Math.max(0, leftMs))
    take(kept, 'foundInLedger')
  }

  const known = () => [...outputs.values()].filter(({ state }) => state.isInLedger)

  return {
    claim(out, request) {
      const kept = keptOf(out)
      if (kept.claim || take(kept, 'claimed').includes('refuse')) {
        throw new AppError('CONFLICT', message(kept.claim ? 'outputs.inUse' : 'outputs.notProvedOff', { output: out }))
      }
      Object.assign(kept, { claim: request, limits: request.limits, device: request.device, fall: undefined, trouble: undefined, record: request.record })
      return {
        switchOn: () => switchOn(kept, request),
        fallen: () => kept.fall,
        async switchOff() {
          kept.fall ??= { kind: 'asked' }
          take(kept, 'mustGoOff')
          return awaitOff(kept, request.limits.offWithinS * 1000)
        },
        release() {
          if (kept.claim !== request) return
          kept.claim = undefined
          take(kept, kept.state.phase === 'claimed' ? 'released' : 'mustGoOff')
        }
      }
    },
    async switchOff(out, way) {
      const kept = keptOf(out)
      if (kept.state.isInLedger || kept.state.phase === 'claimed') {
        fall(kept, { kind: 'asked' })
        kept.device ??= way.device
        kept.waker.wake()
        return awaitOff(kept, kept.limits.offWithinS * 1000)
      }
      return switchOffOthers(kept, way)
    },
    takeOver: (row) => takeOver(keptOf(row.output as OutputLine), row, row.isOnSettled),
    seen(device) {
      for (const kept of known()) {
        if (device) kept.device ??= device
        kept.waker.wake()
      }
    },
    personSawOff(out, by, reason) {
      const kept = keptOf(out)
      const { row } = kept
      if (!row || !take(kept, 'personSawOff').includes('clearLedger')) throw new AppError('NOT_FOUND', message('outputs.notAmong', { output: out }))
      options.ledger.end(row, { how: 'person', by, reason })
      keep(kept, { phase: 'readBack', what: message('outputs.seenOff', { by: by || message('outputs.aPerson'), reason }), raw: { by, reason } }, false)
      cleared(kept)
    },
    known,
    awaitOff: (out, withinMs) => awaitOff(keptOf(out), withinMs),
    allOff() {
      for (const kept of outputs.values()) if (kept.state.phase !== 'off') fall(kept, { kind: 'asked' })
    },
    async stop() {
      isStopped = true
      for (const kept of outputs.values()) kept.waker.wake()
      await Promise.all([...outputs.values()].map(({ going }) => going))
    }
  }
}
