import type { AccessoryTest } from '../../../preload/contract/gateway/accessories.ts'
import type { OutputCondition } from '../../../preload/contract/gateway/remoteOutputs.ts'
import type { Json } from '../../../preload/contract/define.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { LedgerRow } from '../../data/store/work/outputLedger.ts'
import { createWaker, type Waker } from '../../base/time/waker.ts'
import { refusedWord } from './controller.ts'
import {
  followCommand,
  lineOf,
  type CommandLog,
  type Follower,
  type GatewayOutputName,
  type OutputGateway
} from './gatewayCommand.ts'
import { judgeOutput, type JudgedView } from './gatewayConditions.ts'
import type { OutputLimits } from './limits.ts'
import { mayOnLeave, nextState, startState, type OutputEffect, type OutputEvent, type OutputState } from './machine.ts'
import type { OpenEntries } from './openEntries.ts'

export interface GatewayControllerOptions {
  entries: OpenEntries
  limits(): OutputLimits
  technician(): string
  changed(): void
  monotonicMs(): number
  now(): Date
  reportFault(error: unknown): void
}

/** Who is asked; known when a gateway can be. */
export interface GatewayParts {
  gateway: OutputGateway
  waits: Follower
  log: CommandLog
}

interface OffTime {
  monotonicMs: number
  wallMs: number
}

/** One output that is being switched on, or may be on. */
interface GatewayRecord extends GatewayOutputName {
  /** Unknown until the gateway names the device of the vehicle. */
  imei: string
  state: OutputState
  row: LedgerRow | undefined
  /**
   * Switched on, or asked to go off, by this run of Fitter: what an earlier one left gets "off" only when somebody asks
   * for it.
   */
  isOurs: boolean
  /** Takes an "on" back that has not left. */
  onStop: AbortController
  /** When a sent "on" can no longer take effect (monotonic); Infinity while it is being sent. */
  lateOnAtMs: number
  /** When Fitter switches it off automatically, by both clocks: one of them stands still while the computer sleeps. */
  offAt: OffTime | undefined
  /** "Off" was sent since it had to go off. It is not repeated automatically. */
  isOffSent: boolean
  offSentAtMs: number
  /** Why it is not confirmed off; undefined while that is being tried. */
  trouble: Message | undefined
  going: Promise<void> | undefined
  waker: Waker
}

interface SetOutput extends GatewayOutputName {
  on: boolean
}

/** The gateway could not be asked: the next attempt. */
const againMs = 10_000
const limitTickMs = 1_000
/** An older reading does not outweigh a person at the vehicle. */
const oldReadingMs = 15 * 60_000
const lookWithinMs = 5_000

/**
 * The only one who switches outputs through the gateway: one command per vehicle at a time, and "off" before any other.
 */
export function createGatewayController(options: GatewayControllerOptions) {
  const { entries, limits, monotonicMs } = options
  const records = new Set<GatewayRecord>()
  /** The device of each vehicle, as the gateway last named it: "off" does not wait for the question. */
  const devices = new Map<number, string>()
  const names = new Map<number, string>()
  /** By vehicle: claimed before any wait, so that of several commands at once one is sent. */
  const sendingOn = new Set<number>()
  const sendingOff = new Map<string, Promise<AccessoryTest>>()
  const ending = new AbortController()
  let served: GatewayParts | undefined

  function parts(): GatewayParts {
    if (served) return served
    throw new AppError('UNREACHABLE', message('gatewayOutputs.nobodyAsked'), { retryable: true, fate: 'notSent' })
  }

  function newRecord(name: GatewayOutputName, imei = ''): GatewayRecord {
    const record: GatewayRecord = {
      ...{ vehicleId: name.vehicleId, otype: name.otype, out: name.out },
      imei,
      state: startState,
      row: undefined,
      isOurs: true,
      onStop: new AbortController(),
      lateOnAtMs: -Infinity,
      offAt: undefined,
      isOffSent: false,
      offSentAtMs: 0,
      trouble: undefined,
      going: undefined,
      waker: createWaker()
    }
    records.add(record)
    return record
  }

  /**
   * Passes an event to the table; an "on" is taken back and "off" of ours is started at once, the other effects are
   * returned.
   */
  function take(record: GatewayRecord, event: OutputEvent): readonly OutputEffect[] {
    const before = record.state
    const { state, effects } = nextState(before, event)
    record.state = state
    if (state.phase === 'off') records.delete(record)
    const { row } = record
    // If this cannot be written, the next start watches the output longer than necessary.
    if (row && state.isOnSettled && !before.isOnSettled) orReport(() => entries.settleOn(row))
    if (state.phase !== 'on') record.offAt = undefined
    if (effects.includes('takeBackOn')) record.onStop.abort()
    if (effects.includes('proveOff') && record.isOurs) begin(record)
    if (effects.includes('clearLedger')) endProved(record, 'proved')
    if (state !== before) options.changed()
    return effects
  }

  function orReport(work: () => void): boolean {
    try {
      work()
      return true
    } catch (error) {
      options.reportFault(error)
      return false
    }
  }

  /** Ends its entry; throws when that cannot be written. */
  function end(record: GatewayRecord, how: 'proved' | 'person' | 'notSent', by: string, reason: string): void {
    const { row } = record
    if (!row) return
    entries.end(row, { how, by, reason })
    record.row = undefined
    take(record, 'ledgerCleared')
    record.waker.wake()
  }

  /** What is proved stays proved: it is written when the disk has room again. */
  function endProved(record: GatewayRecord, how: 'proved' | 'notSent'): void {
    if (orReport(() => end(record, how, '', '')) || ending.signal.aborted) return
    void record.waker.sleep(againMs).then(() => endProved(record, how))
  }

  function lateOnLeftMs(record: GatewayRecord): number {
    return Math.max(0, record.lateOnAtMs - monotonicMs())
  }

  /** In the ledger before anything is sent; throws when it cannot be written. */
  function writeLedger(record: GatewayRecord): void {
    record.row = entries.begin({
      imei: record.imei,
      output: `${record.otype} ${record.out}`,
      path: 'gateway',
      vehicleId: record.vehicleId,
      address: '',
      since: options.now().toISOString(),
      by: options.technician(),
      jobId: null
    })
  }

  const recordOf = (rowId: number): GatewayRecord | undefined => [...records].find(({ row }) => row?.id === rowId)
  function findRecord(rowId: number): GatewayRecord {
    const record = recordOf(rowId)
    if (record) return record
    throw new AppError('NOT_FOUND', message('outputs.notListed'))
  }
  const ofVehicle = ({ vehicleId, otype, out }: GatewayOutputName) =>
    [...records].filter((one) => one.vehicleId === vehicleId && one.otype === otype && one.out === out)
  /** The same output of another device is another one. */
  const keyOf = ({ vehicleId, otype, out, imei = '' }: GatewayOutputName & { imei?: string | undefined }) =>
    `${vehicleId} ${otype} ${out} ${imei}`

  /** It must go off, and no "off" was sent since. */
  const isUnsent = ({ state, isOffSent }: GatewayRecord): boolean =>
    state.phase === 'goingOff' && !isOffSent && !ending.signal.aborted

  /** Automatically: until "off" was sent once. Whoever presses Off sends it at once, and this waits for that. */
  function begin(record: GatewayRecord): void {
    record.waker.wake()
    if (!served || !isUnsent(record)) return
    record.going ??= Promise.resolve()
      .then(() => bringOff(record))
      .catch(options.reportFault)
      .finally(() => (record.going = undefined))
  }

  async function bringOff(record: GatewayRecord): Promise<void> {
    while (isUnsent(record)) {
      let pauseMs = againMs
      try {
        await (sendingOff.get(keyOf(record)) ?? lookAndSendOff(record))
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (error.code === 'WRONG_DEVICE' || error.code === 'NOT_FOUND') return
        if (error.retryAtMs !== undefined) pauseMs = Math.max(limitTickMs, error.retryAtMs - options.now().getTime())
      }
      if (isUnsent(record)) await record.waker.sleep(pauseMs)
    }
  }

  /**
   * When nobody waits for it: after a look at the device of the vehicle. Whoever presses Off meanwhile does not wait for
   * the look, and it sends nothing after that.
   */
  async function lookAndSendOff(record: GatewayRecord): Promise<void> {
    const present = await sayTrouble(record, async () => {
      const imei = await deviceNow(record.vehicleId, parts().gateway, ending.signal)
      if (imei !== record.imei && isUnsent(record)) throw otherDevice(record, imei)
      return sendingOff.get(keyOf(record))
    })
    if (isUnsent(record)) await (present ?? sendOff(record, record, true, ending.signal))
  }

  /** What fails is the trouble of the output. */
  async function sayTrouble<T>(record: GatewayRecord | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (record && error instanceof AppError) {
        record.trouble = error.sentence
        options.changed()
      }
      throw error
    }
  }

  /** The limit of a confirmed "on", by whichever clock reaches it first. */
  function watchLimit(record: GatewayRecord, offAt: OffTime): void {
    if (record.offAt !== offAt || ending.signal.aborted) return
    if (monotonicMs() >= offAt.monotonicMs || options.now().getTime() >= offAt.wallMs)
      return void take(record, 'mustGoOff')
    void record.waker
      .sleep(Math.max(1, Math.min(limitTickMs, offAt.monotonicMs - monotonicMs())))
      .then(() => watchLimit(record, offAt))
  }

  async function switchOn(input: SetOutput, signal: AbortSignal): Promise<AccessoryTest> {
    const { vehicleId } = input
    const { gateway, log } = parts()
    if (isSending(vehicleId) || isBusy(vehicleId)) throw notSwitchedOn(message('gatewayOutputs.busy'))
    const record = newRecord(input)
    take(record, 'claimed')
    sendingOn.add(vehicleId)
    const stopped = AbortSignal.any([signal, record.onStop.signal])
    try {
      await armed(record, gateway, stopped)
      const [user, startMs] = await Promise.all([gateway.commands.userName(), gateway.nowMs()])
      if (!take(record, 'armed').includes('writeLedger')) throw switchedOffMeanwhile()
      writeLedger(record)
      record.lateOnAtMs = Infinity
      take(record, 'ledgerWritten')
      const sent = await send(input, record, log, stopped)
      const expiresMs = limits().gatewayExpiresS * 1000
      record.lateOnAtMs = monotonicMs() + expiresMs
      take(record, sent.answer ? 'onAnswered' : 'onLost')
      return followCommand(gateway, parts().waits, {
        ...input,
        ...sent,
        device: () => Promise.resolve(record.imei),
        user,
        startMs,
        expiresMs,
        lateOnLeftMs: () => 0,
        read: () => undefined,
        ended: (test) => onEnded(record, test)
      })
    } catch (error) {
      take(record, 'released')
      // The one who called it off says so; whoever switched it off meanwhile is the reason otherwise, as long as
      // nothing was sent.
      const isUnsent = error instanceof AppError && (record.lateOnAtMs === -Infinity || error.fate === 'notSent')
      throw isUnsent && record.onStop.signal.aborted && !signal.aborted ? switchedOffMeanwhile() : error
    } finally {
      sendingOn.delete(vehicleId)
    }
  }

  /** Throws INTERLOCK with every condition that is not met, each by a reading of its own. */
  async function armed(record: GatewayRecord, gateway: OutputGateway, signal: AbortSignal): Promise<void> {
    const { vehicleId } = record
    record.imei = await deviceNow(vehicleId, gateway, signal)
    if (ofVehicle(record).some(({ state }) => state.isInLedger)) throw notSwitchedOn(message('gatewayOutputs.mayBeOn'))
    const view = await gateway.readView(vehicleId, signal)
    const broken = judgeOutput(view, {
      isBusy: isBusy(vehicleId),
      nowMs: await gateway.nowMs(),
      limits: limits()
    }).filter(({ holds }) => !holds)
    if (broken.length > 0)
      throw notSwitchedOn(
        broken.map(({ what }) => what).reduce((first, second) => message('gatewayOutputs.two', { first, second }))
      )
  }

  async function deviceNow(vehicleId: number, gateway: OutputGateway, signal: AbortSignal): Promise<string> {
    const imei = await gateway.deviceOf(vehicleId, signal)
    if (imei === null) throw new AppError('NOT_FOUND', message('gatewayOutputs.noDevice'))
    devices.set(vehicleId, imei)
    return imei
  }

  function onEnded(record: GatewayRecord, { state, note }: AccessoryTest): void {
    if (state !== 'found') {
      if (record.state.phase !== 'goingOn') return
      // A person decides: "off" is offered, and nothing is repeated.
      Object.assign(record, { trouble: note, isOffSent: true })
      return void take(record, 'onExpired')
    }
    take(record, 'onAnswered')
    take(record, 'readOn')
    record.lateOnAtMs = monotonicMs()
    if (record.state.phase !== 'on') return
    const forMs = limits().gatewayMostOnS * 1000
    record.offAt = { monotonicMs: monotonicMs() + forMs, wallMs: options.now().getTime() + forMs }
    watchLimit(record, record.offAt)
  }

  /**
   * Once. What certainly did not arrive is thrown, and changes nothing. A log that cannot be written any more stops
   * nothing.
   */
  async function send(
    input: SetOutput,
    record: GatewayRecord | undefined,
    log: CommandLog,
    signal: AbortSignal
  ): Promise<{ answer: { deviceIsOnline: boolean | null; raw: Json } | null; lost: Message | undefined }> {
    const { vehicleId, otype, out, on } = input
    /** Of an "on": whose output it switches. */
    const sentOn = on ? record : undefined
    const never = (): void => {
      if (!sentOn) return
      sentOn.lateOnAtMs = monotonicMs()
      take(sentOn, 'onRefused')
      endProved(sentOn, 'notSent')
    }
    let id: number | undefined
    try {
      id = log.begin({
        imei: record?.imei ?? devices.get(vehicleId) ?? '',
        operation: 'remote.output',
        input: { vehicleId, otype, out, state: on }
      })
    } catch (error) {
      // "Off" is sent even if nobody can write that down.
      if (on) {
        never()
        throw error
      }
      options.reportFault(error)
    }
    const tell = (...ended: [outcome: 'done' | 'unknown' | 'refused', detail: string, answer: Json]) =>
      orReport(() => id !== undefined && log.end(id, ...ended))
    try {
      // Right before the first byte: whatever means "off" has taken it back.
      if (sentOn && !mayOnLeave(sentOn.state)) throw switchedOffMeanwhile()
      const answer = await parts().gateway.commands.setOutput(vehicleId, { otype, out, state: on }, signal)
      tell('done', answer.message, answer.raw)
      return { answer, lost: undefined }
    } catch (error) {
      if (!(error instanceof AppError)) {
        // A fault of Fitter does not tell whether it left.
        if (sentOn) {
          sentOn.lateOnAtMs = monotonicMs() + limits().gatewayExpiresS * 1000
          take(sentOn, 'mustGoOff')
        }
        tell('unknown', error instanceof Error ? error.message : 'failed', null)
        throw error
      }
      // "It already exists" may be our own command: the next reading of the lines decides.
      const hasLeft = error.fate === 'unknown' || error.code === 'CONFLICT'
      tell(hasLeft ? 'unknown' : 'refused', error.message, null)
      if (hasLeft) return { answer: null, lost: error.sentence }
      never()
      throw error
    }
  }

  /** Sent at once; a device that is not known at all is asked for first. */
  function sendOff(
    name: GatewayOutputName,
    record: GatewayRecord | undefined,
    isCompared: boolean,
    signal: AbortSignal
  ): Promise<AccessoryTest> {
    const key = keyOf(record ?? name)
    const sending = sayTrouble(record, () => sendOffOnce({ ...name, on: false }, record, isCompared, signal)).finally(
      () => sendingOff.delete(key)
    )
    sendingOff.set(key, sending)
    return sending
  }

  /** Somebody wants it off: sent at once, and tried until it was sent. A repetition is the same command. */
  function askOff(
    name: GatewayOutputName,
    record: GatewayRecord | undefined,
    signal: AbortSignal
  ): Promise<AccessoryTest> {
    const present = sendingOff.get(keyOf(record ?? name))
    if (record && !present) Object.assign(record, { isOurs: true, isOffSent: false })
    const sending = present ?? sendOff(name, record, false, signal)
    for (const one of ofVehicle(name)) take(one, 'mustGoOff')
    if (record) begin(record)
    return sending
  }

  async function sendOffOnce(
    input: SetOutput,
    record: GatewayRecord | undefined,
    isDeviceCompared: boolean,
    signal: AbortSignal
  ): Promise<AccessoryTest> {
    const { gateway, waits, log } = parts()
    const { vehicleId } = input
    if ((record?.imei ?? devices.get(vehicleId)) === undefined) await deviceNow(vehicleId, gateway, signal)
    const [user, startMs] = await Promise.all([gateway.commands.userName(), gateway.nowMs()])
    if (record) {
      record.trouble = undefined
      options.changed()
    }
    const sent = await send(input, record, log, signal)
    if (record) Object.assign(record, { isOffSent: true, isOurs: true, offSentAtMs: monotonicMs() })
    let isCompared = isDeviceCompared
    return followCommand(gateway, waits, {
      ...input,
      ...sent,
      async device(abort) {
        // Another device has the output now: nothing that it shows says anything about the earlier one.
        const imei = isCompared ? (devices.get(vehicleId) ?? '') : await deviceNow(vehicleId, gateway, abort)
        isCompared = true
        if (record?.row && imei !== record.imei) throw otherDevice(record, imei).withFate('refused')
        return imei
      },
      user,
      startMs,
      expiresMs: limits().gatewayExpiresS * 1000,
      lateOnLeftMs: () => (record ? lateOnLeftMs(record) : 0),
      read: (isOn) => void (record?.row && take(record, isOn === true ? 'readOn' : 'unread')),
      ended: (test) => offEnded(input, record, test)
    })
  }

  /** By the log of the gateway and a reading from after any late "on", or not confirmed: then it may be on. */
  function offEnded(input: SetOutput, record: GatewayRecord | undefined, { state, note }: AccessoryTest): void {
    if (state === 'found') {
      if (!record?.row) return
      take(record, 'lateOnOver')
      take(record, 'readOff')
      return
    }
    // A person ended it meanwhile.
    if (record && !records.has(record)) return
    const imei = devices.get(input.vehicleId) ?? ''
    const kept = record ?? ofVehicle(input).find((one) => one.imei === imei) ?? newRecord(input, imei)
    if (!kept.row) {
      if (!orReport(() => writeLedger(kept))) return
      kept.isOffSent = true
      kept.lateOnAtMs = monotonicMs()
      take(kept, 'foundInLedger')
      take(kept, 'lateOnOver')
    }
    kept.trouble = note
    options.changed()
  }

  function isSending(vehicleId: number): boolean {
    return sendingOn.has(vehicleId) || [...sendingOff.keys()].some((key) => key.startsWith(`${vehicleId} `))
  }

  function isBusy(vehicleId: number): boolean {
    return (
      served?.waits
        .list()
        .some((test) => test.kind === 'output' && test.vehicleId === vehicleId && test.state === 'waiting') ?? false
    )
  }

  /** The state at the limit: waits for the proof no longer than that. */
  async function awaitEnd(record: GatewayRecord, withinMs: number): Promise<void> {
    const untilMs = monotonicMs() + withinMs
    while (record.row) {
      const leftMs = untilMs - monotonicMs()
      if (leftMs <= 0 || (record.trouble && record.isOffSent)) return
      await record.waker.sleep(Math.min(250, leftMs))
    }
  }

  async function press(record: GatewayRecord, withinMs: number): Promise<void> {
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), withinMs)
    try {
      const isUnderWay = record.isOffSent && !record.trouble
      if (!isUnderWay) await askOff(record, record, limit.signal)
      // Whoever waited for this "off" already does not wait as long again.
      await awaitEnd(record, isUnderWay ? withinMs - (monotonicMs() - record.offSentAtMs) : withinMs)
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * Reads the lines again, so that a person's word does not end what the gateway shows on. A reading that fails says
   * nothing.
   */
  async function lookNow(record: GatewayRecord): Promise<void> {
    if (!served || record.state.phase !== 'goingOff') return
    const signal = AbortSignal.timeout(lookWithinMs)
    try {
      const { lines, at } = await served.gateway.readLines(record.imei, signal)
      const line = lineOf(lines, record.otype, record.out)
      // Without a time its age is no number, and it counts for nothing.
      const ageMs = (await served.gateway.nowMs()) - Date.parse(at ?? '')
      take(record, line?.on === true && ageMs <= oldReadingMs ? 'readOn' : 'unread')
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      take(record, 'unread')
    }
  }

  for (const row of entries.all()) {
    if (row.path !== 'gateway') continue
    const [otype = '', out = ''] = row.output.split(' ')
    const record = newRecord({ vehicleId: row.vehicleId ?? 0, otype, out: Number(out) }, row.imei)
    Object.assign(record, {
      row,
      isOurs: false,
      lateOnAtMs: monotonicMs() + (row.isOnSettled ? 0 : limits().gatewayExpiresS * 1000),
      trouble: message('gatewayOutputs.earlierRun')
    })
    take(record, 'foundInLedger')
  }

  return {
    serve: (given: GatewayParts): void => void (served = given),
    isServed: (): boolean => served !== undefined,
    nameVehicle: (id: number, name: string): void => void names.set(id, name),
    vehicleName: (id: number): string => names.get(id) ?? '',
    conditions(view: JudgedView & { imei?: string | null }, vehicleId: number, nowMs: number): OutputCondition[] {
      if (typeof view.imei === 'string') devices.set(vehicleId, view.imei)
      return judgeOutput(view, { isBusy: isSending(vehicleId) || isBusy(vehicleId), nowMs, limits: limits() })
    },
    /**
     * Sends a command once, at once, or never. Only our log entry with `ios_state` proves it. Off is always allowed,
     * and ends every "on".
     */
    set(input: SetOutput, signal: AbortSignal): Promise<AccessoryTest> {
      if (input.on) return switchOn(input, signal)
      const known = ofVehicle(input)
      const record =
        known.find(({ imei, row }) => row && (devices.get(input.vehicleId) ?? imei) === imei) ??
        known.find(({ row }) => row)
      return askOff(input, record, signal)
    },
    of: (
      rowId: number
    ):
      { state: OutputState; trouble: Message | undefined; offAt: string | undefined; lateOnMs: number } | undefined => {
      const record = recordOf(rowId)
      return (
        record && {
          state: record.state,
          trouble: record.trouble,
          offAt: record.offAt && new Date(record.offAt.wallMs).toISOString(),
          lateOnMs: lateOnLeftMs(record)
        }
      )
    },
    /** The gateway answers (again), with an account: what may be on and got no "off" yet gets it now. */
    seen(): void {
      for (const record of records) begin(record)
    },
    /** Off through the gateway, now; waits for the proof up to the limit. Throws why nothing could be sent. */
    async switchOff(rowId: number, withinMs: number): Promise<void> {
      await press(findRecord(rowId), withinMs)
    },
    /** Ends every "on", and switches off what this run switched on; with `isAsked` also what an earlier run left. */
    async allOff(withinMs: number, isAsked: boolean): Promise<void> {
      const present = [...records]
      const offs = present
        .filter(({ row, isOurs }) => row && (isOurs || isAsked))
        .map((record) =>
          // It stays in the ledger, and that is reported. A fault of Fitter is reported by the attempt itself.
          press(record, withinMs).catch(() => undefined)
        )
      for (const record of present) take(record, 'mustGoOff')
      await Promise.all(offs)
    },
    /**
     * A person checked the relay itself. Throws CONFLICT while Fitter has it on, the gateway shows it on, or a late
     * "on" is possible.
     */
    async personSawOff(rowId: number, by: string, reason: string): Promise<void> {
      const record = findRecord(rowId)
      await lookNow(record)
      // It was confirmed off meanwhile.
      if (record.row?.id !== rowId) return
      if (lateOnLeftMs(record) === 0) take(record, 'lateOnOver')
      const { state, effects } = nextState(record.state, 'personSawOff')
      if (!effects.includes('clearLedger'))
        throw refusedWord(state, `${record.otype} ${record.out}`, lateOnLeftMs(record))
      end(record, 'person', by, reason)
    },
    async stop(): Promise<void> {
      ending.abort()
      for (const { waker } of records) waker.wake()
      await Promise.all([...records].map(({ going }) => going))
    }
  }
}

function notSwitchedOn(why: Message): AppError {
  return new AppError('INTERLOCK', message('gatewayOutputs.notSwitchedOn', { why }))
}

function switchedOffMeanwhile(): AppError {
  return new AppError('CANCELLED', message('gatewayOutputs.switchedOffMeanwhile'), { fate: 'notSent' })
}

function otherDevice({ imei, otype, out }: Pick<GatewayRecord, 'imei' | 'otype' | 'out'>, present: string): AppError {
  return new AppError(
    'WRONG_DEVICE',
    message('gatewayOutputs.otherDevice', { output: `${otype} ${out}`, imei, present }),
    { fate: 'notSent' }
  )
}
