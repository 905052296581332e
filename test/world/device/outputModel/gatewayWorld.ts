import { createAccessoryTrials } from '../../../../main/job/accessories/trials.ts'
import type { OutputGateway } from '../../../../main/job/outputs/gatewayCommand.ts'
import { createOutputs, type Outputs } from '../../../../main/job/outputs/outputs.ts'
import type { OutputLogEntry } from '../../../../preload/contract/gateway/remoteOutputs.ts'
import { AppError, type ErrorCode, type Fate } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { shippedLimits } from '../outputs.ts'
import { createLedgerOnDisk } from './ledgerOnDisk.ts'
import { installVirtualClock } from './virtualClock.ts'

const deviceImei = '490154203237518'
const otherImei = '356938035643809'
export const modelNumbers = [1, 2] as const
export type ModelNumber = (typeof modelNumbers)[number]
const vehicleId = 7

/** What the gateway and the way to it do to the requests of the next moment. */
export type GatewayTrouble =
  'none' | 'slow' | 'away' | 'lostAnswer' | 'limited' | 'refused' | 'stuck' | 'deaf' | 'late' | 'twice'

interface Relay {
  isOn: boolean
  pending: number
  isFuseOut: boolean
  /** When the device last reported it. */
  shown: { isOn: boolean; atMs: number }
}

const mostToEndMs = 45_000
const answerMs = 20
const slowMs = 1_800
/** Within the time after which a command at the gateway has expired. */
const lateMs = 40_000
const reportMs = 1_000

/**
 * One vehicle at a gateway, the real controllers before it, and everything that persons, networks, disks and computers
 * do meanwhile.
 */
export function createGatewayWorld() {
  const story: string[] = []
  const wrong: string[] = []
  const clock = installVirtualClock(lookAtAll)
  const tell = (what: string) => void story.push(`${(clock.worldMs() / 1000).toFixed(2)} s  ${what}`)
  const fault = (what: string) => {
    if (wrong.includes(what)) return
    wrong.push(what)
    tell(`WRONG: ${what}`)
  }
  const newRelay = (): Relay => ({ isOn: false, pending: 0, isFuseOut: false, shown: { isOn: false, atMs: 0 } })
  const relays: Record<ModelNumber, Relay> = { 1: newRelay(), 2: newRelay() }
  /** Who ended each entry. */
  const endings = new Map<number, string>()
  /** Whose "on" left since the last one was wanted. */
  const sentOn = new Set<ModelNumber>()
  const ledger = createLedgerOnDisk((row, how) => {
    const number = Number(row.output.split(' ')[1]) as ModelNumber
    const relay = relays[number]
    tell(`the ledger ends output ${number}: ${how}`)
    endings.set(row.id, how)
    if (how === 'notSent' && sentOn.has(number))
      fault(`output ${number} is said not to have been switched on, and its "on" left`)
    if (how !== 'person' && (relay.isOn || relay.pending > 0) && !relay.isFuseOut)
      fault(
        `output ${number} was taken out of the ledger (${how}), and it ${relay.isOn ? 'is on' : 'may still come on'}`
      )
    if (how !== 'person') return
    const phase = outputs?.gateway.of(row.id)?.state.phase
    if (phase === 'goingOn' || phase === 'on')
      fault(`the word of a person ended output ${number} while Fitter had it on`)
    if (relay.pending > 0) fault(`the word of a person ended output ${number} while a late "on" was possible`)
    relay.isFuseOut = true
  })
  const world = { trouble: 'none' as GatewayTrouble, isOther: false, isSignedIn: true, isParked: true }
  let order = 0
  const offOrder: Record<ModelNumber, number> = { 1: 0, 2: 0 }
  const log: OutputLogEntry[] = []
  let generation = 0
  let outputs: Outputs | undefined
  let waits: ReturnType<typeof createAccessoryTrials> | undefined
  /** The order in which the "on" that is being sent was wanted. */
  const givenOrder: Record<ModelNumber, number> = { 1: 0, 2: 0 }
  let isEnding = false
  const faults: unknown[] = []

  function wantsOff(numbers: readonly ModelNumber[] = modelNumbers): void {
    order += 1
    for (const number of numbers) offOrder[number] = order
  }

  function lookAtAll(): void {
    for (const number of modelNumbers) {
      const { isOn, pending, isFuseOut } = relays[number]
      if ((isOn || pending > 0) && !isFuseOut && !ledger.rows().some((row) => row.output === `e ${number}`))
        fault(`output ${number} ${isOn ? 'is on' : 'may come on'}, and no ledger says so`)
    }
  }

  function setRelay(number: ModelNumber, isOn: boolean): void {
    const relay = relays[number]
    if (relay.isOn !== isOn) tell(`the relay of output ${number} goes ${isOn ? 'on' : 'off'}`)
    relay.isOn = isOn
    log.push({ otype: 'e', out: number, on: isOn, user: 'fitter', at: clock.wall().toISOString() } as OutputLogEntry)
    clock.after(reportMs, () => (relay.shown = { isOn: relay.isOn, atMs: clock.worldMs() }))
  }

  /**
   * One request of a process over the network: what it does at the gateway, and what comes back. One that has ended
   * sends nothing more.
   */
  function request<T>(
    mine: number,
    answer: () => T,
    {
      isCommand = false,
      isOn = false,
      arrives,
      signal
    }: { isCommand?: boolean; isOn?: boolean; arrives?: () => void; signal?: AbortSignal }
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      if (mine !== generation) return
      const fail = (code: ErrorCode, fate: Fate, more = {}) =>
        mine === generation
          ? reject(new AppError(code, plainMessage(code), { retryable: true, fate, ...more }))
          : undefined
      if (!world.isSignedIn) return fail('NOT_AUTHENTICATED', 'notSent')
      let isConnected = false
      const aborted = () => {
        // "On" is taken back only as long as nothing of it has left.
        if (!isConnected || !isOn) fail('CANCELLED', !isConnected ? 'notSent' : isCommand ? 'unknown' : 'away')
      }
      if (signal?.aborted) return aborted()
      signal?.addEventListener('abort', aborted, { once: true })
      const { trouble } = world
      if (trouble === 'away') return void setTimeout(() => fail('UNREACHABLE', 'notSent'), answerMs)
      if (trouble === 'limited')
        return void setTimeout(
          () => fail('RATE_LIMITED', 'notSent', { retryAtMs: clock.wall().getTime() + 6_000 }),
          answerMs
        )
      clock.after(answerMs / 2, () => {
        if (mine !== generation || signal?.aborted) return
        isConnected = true
        if (isCommand && trouble === 'refused') return clock.after(answerMs, () => fail('NOT_PERMITTED', 'refused'))
        arrives?.()
        if (trouble === 'lostAnswer') return clock.after(5_000, () => fail('TIMEOUT', isCommand ? 'unknown' : 'away'))
        clock.after(trouble === 'slow' ? slowMs : answerMs, () => (mine === generation ? resolve(answer()) : undefined))
      })
    })
  }

  function carryOut(number: ModelNumber, isOn: boolean, given: number): void {
    const { trouble } = world
    if (isOn) {
      tell(`"on" of output ${number} leaves`)
      sentOn.add(number)
      if (offOrder[number] > given) fault(`"on" of output ${number} left after an "off" that was wanted later`)
    } else tell(`"off" of output ${number} leaves`)
    // The vehicle has another device: the relay of ours is out of reach.
    if (world.isOther) return
    if (isOn && trouble === 'deaf') return
    if (!isOn && trouble === 'stuck') return
    const apply = (ms: number) => {
      const relay = relays[number]
      if (isOn) relay.pending += 1
      clock.after(ms, () => {
        if (isOn) relay.pending -= 1
        if (!world.isOther) setRelay(number, isOn)
      })
    }
    apply(isOn && trouble === 'late' ? lateMs : 500)
    if (isOn && trouble === 'twice') apply(900)
  }

  const lines = (imei: string) => {
    const isOurs = imei === deviceImei
    const newestMs = Math.max(...modelNumbers.map((number) => relays[number].shown.atMs))
    return {
      lines: modelNumbers.map((number) => ({
        name: `E${number}`,
        kind: 'expanderOutput' as const,
        number,
        on: isOurs ? relays[number].shown.isOn : false,
        isShorted: null
      })),
      // A device that answers reports again and again.
      at: new Date(
        Date.parse('2026-11-20T09:00:00Z') + (world.isOther === isOurs ? newestMs : clock.worldMs())
      ).toISOString()
    }
  }
  const parked = () => ({
    at: clock.wall().toISOString(),
    ageS: 0,
    type: 10,
    label: 'prdtst',
    speedKmh: world.isParked ? 0 : 50,
    validPosition: true,
    speedAt: clock.wall().toISOString(),
    ignition: false,
    ignitionAt: clock.wall().toISOString()
  })

  const gatewayOf = (mine: number): OutputGateway => ({
    nowMs: () => Promise.resolve(clock.wall().getTime()),
    deviceOf: (_vehicleId, signal) => request(mine, () => (world.isOther ? otherImei : deviceImei), { signal }),
    readView: (_vehicleId, signal) =>
      request(mine, () => ({ imei: deviceImei, event: parked(), engineBus: null, lines: [], linesAt: null }) as never, {
        signal
      }),
    readLines: (imei, signal) => request(mine, () => lines(imei), { signal }),
    commands: {
      setOutput(_vehicleId, { out, state }, signal) {
        const number = out as ModelNumber
        const given = givenOrder[number]
        return request(mine, () => ({ message: 'Command sent', deviceIsOnline: true, raw: null }), {
          isCommand: true,
          isOn: state,
          signal,
          arrives: () => carryOut(number, state, given)
        })
      },
      outputLog: (_vehicleId, signal) => request(mine, () => [...log].reverse(), { signal }),
      userName: () => Promise.resolve('fitter')
    }
  })

  function isExpected(error: unknown): boolean {
    return error instanceof AppError || (error instanceof Error && error.cause instanceof AppError)
  }

  const quietly = (work: Promise<unknown>) =>
    void work.catch((error: unknown) => {
      if (!isExpected(error)) faults.push(error)
    })

  function start(): void {
    if (outputs) return
    generation += 1
    isEnding = false
    const reportFault = (error: unknown): void => {
      if (!isExpected(error)) faults.push(error)
    }
    waits = createAccessoryTrials({ changed: () => undefined, reportFault, now: clock.wall })
    outputs = createOutputs({
      ledger: ledger.store,
      shipped: shippedLimits,
      chosen: () => ({}),
      reach: () => undefined,
      technician: () => 'Technician One',
      record: () => undefined,
      changed: () => undefined,
      reportFault,
      monotonicMs: clock.monotonicMs,
      now: clock.wall
    })
    outputs.gateway.serve({
      gateway: gatewayOf(generation),
      waits,
      log: { begin: writeLog, end: () => void writeLog() }
    })
    if (world.isSignedIn) outputs.gateway.seen()
  }

  function writeLog(): number {
    if (ledger.disk.isFull) throw new AppError('DATA_UNUSABLE', plainMessage('The disk is full.'))
    return 1
  }

  function gone(ms: number): void {
    generation += 1
    outputs = undefined
    waits = undefined
    clock.killProcess()
    clock.after(ms, () => {
      if (outputs) return
      tell('Fitter starts')
      start()
    })
  }

  async function wayOut(name: string, then: (present: Outputs) => void | Promise<void>): Promise<void> {
    const present = outputs
    if (!present || isEnding) return
    wantsOff()
    const beganMs = clock.awakeMs()
    try {
      await present.leave({ path: 'gateway' })
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error
      tell(`${name} is refused: outputs may be on`)
      return
    } finally {
      if (clock.awakeMs() - beganMs > mostToEndMs)
        fault(`${name} took ${Math.round((clock.awakeMs() - beganMs) / 1000)} s`)
    }
    if (present !== outputs) return
    if (ledger.rows().length > 0)
      fault(
        `${name} is done, and ${ledger
          .rows()
          .map(({ output }) => output)
          .join(', ')} may still be on`
      )
    tell(`${name}: done`)
    await then(present)
  }

  async function end(name: string, ms: number): Promise<void> {
    const present = outputs
    const followed = waits
    if (!present || isEnding) return
    isEnding = true
    wantsOff()
    const beganMs = clock.awakeMs()
    await present.allOff()
    await present.stop()
    await followed?.close()
    if (clock.awakeMs() - beganMs > mostToEndMs)
      fault(`${name} took ${Math.round((clock.awakeMs() - beganMs) / 1000)} s`)
    if (present !== outputs) return
    tell(
      `${name}: ended${
        ledger.rows().length > 0
          ? `, and named ${ledger
              .rows()
              .map(({ output }) => output)
              .join(', ')}`
          : ''
      }`
    )
    gone(ms)
  }

  start()
  return {
    story,
    clock,
    world,
    wrong: () => [
      ...wrong,
      ...faults.map((one) => `a fault of Fitter: ${one instanceof Error ? (one.stack ?? one.message) : String(one)}`)
    ],
    on(number: ModelNumber) {
      if (!outputs || isEnding) return
      order += 1
      const relay = relays[number]
      if (!relay.isOn && relay.pending === 0) relay.isFuseOut = false
      givenOrder[number] = order
      if (!ledger.rows().some(({ output }) => output === `e ${number}`)) sentOn.delete(number)
      quietly(outputs.gateway.set({ vehicleId, otype: 'e', out: number, on: true }, new AbortController().signal))
    },
    off(number: ModelNumber) {
      if (!outputs) return
      wantsOff([number])
      quietly(outputs.gateway.set({ vehicleId, otype: 'e', out: number, on: false }, new AbortController().signal))
    },
    offInList(number: ModelNumber) {
      const row = ledger.rows().find(({ output }) => output === `e ${number}`)
      if (!outputs || !row) return
      wantsOff([number])
      quietly(outputs.switchOff(row.id))
    },
    allOff() {
      if (!outputs) return
      wantsOff()
      quietly(outputs.allOff({ isAsked: true }))
    },
    sawOff(number: ModelNumber) {
      const row = ledger.rows().find(({ output }) => output === `e ${number}`)
      // While the person speaks, the gateway may prove it off, or refuse the "on" that is on its way.
      if (row && outputs)
        quietly(
          outputs
            .confirmOff(row.id, 'looked at the relay')
            .then(() =>
              endings.has(row.id) ? undefined : fault(`a person ended output ${number}, and it is still in the ledger`)
            )
        )
    },
    forAWhile(ms: number, begins: Partial<typeof world>, ends: Partial<typeof world>) {
      Object.assign(world, begins)
      clock.after(ms, () => Object.assign(world, ends))
    },
    /** Signing out, another account, another gateway, a policy that forbids this one. */
    signOut: (name: string, ms: number) =>
      quietly(
        wayOut(name, () => {
          world.isSignedIn = false
          clock.after(ms, () => {
            world.isSignedIn = true
            outputs?.gateway.seen()
          })
        })
      ),
    enterTraining: (ms: number) => quietly(wayOut('entering training', () => end('the real workplace', ms))),
    openBundle: () => quietly(wayOut('opening a bundle', () => undefined)),
    restore: () => quietly(end('restoring', 0)),
    quit: (name: string, ms: number) => quietly(end(name, ms)),
    kill(ms: number) {
      if (!outputs) return
      tell('Fitter is killed')
      gone(ms)
    },
    fillDisk(ms: number) {
      ledger.disk.isFull = true
      clock.after(ms, () => (ledger.disk.isFull = false))
    },
    /** Everything is well again: one All off, and all of it ends off and out of the ledger. */
    async heal() {
      Object.assign(world, { trouble: 'none', isOther: false, isSignedIn: true, isParked: false })
      ledger.disk.isFull = false
      tell('everything is well again')
      await clock.advance(130_000)
      if (isEnding) fault('the end of Fitter hangs')
      start()
      for (let turn = 0; turn < 2; turn++) {
        quietly(outputs!.allOff({ isAsked: true }))
        await clock.advance(90_000)
      }
      // Of a device that the vehicle no longer has, only a person can say anything.
      for (const { id, imei } of ledger.rows())
        if (imei === otherImei) quietly(outputs!.confirmOff(id, 'looked at the relay'))
      await clock.advance(10_000)
      for (const number of modelNumbers)
        if (relays[number].isOn && !relays[number].isFuseOut)
          fault(`output ${number} stays on although everything is well`)
      if (ledger.rows().length > 0)
        fault(
          `${ledger
            .rows()
            .map(({ output }) => output)
            .join(', ')} stays in the ledger although everything is well`
        )
    },
    async end() {
      const stopped = outputs?.stop()
      const closed = waits?.close()
      await clock.advance(30_000)
      await stopped
      await closed
      clock.restore()
    }
  }
}

export type GatewayWorld = ReturnType<typeof createGatewayWorld>
