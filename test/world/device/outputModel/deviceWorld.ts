import { createOutputs, type Outputs } from '../../../../main/job/outputs/outputs.ts'
import type { OutputClaim } from '../../../../main/job/outputs/controller.ts'
import type { Fall, OutputDevice } from '../../../../main/job/outputs/outputTypes.ts'
import { cancelledCall, createDeviceQueue } from '../../../../main/device/client/queue.ts'
import type { CallOptions } from '../../../../main/device/client/wire.ts'
import { readFields } from '../../../../main/base/reading/fields.ts'
import { gpsPosition, ioState, systemInfo } from '../../../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { shippedLimits } from '../outputs.ts'
import { createLedgerOnDisk } from './ledgerOnDisk.ts'
import { installVirtualClock } from './virtualClock.ts'

export const modelImei = '490154203237518'
const otherImei = '356938035643809'
export const modelOutputs = ['OUT1', 'OUT2'] as const
export type ModelOutput = (typeof modelOutputs)[number]

/** What the link and the device do to the requests of the next moment. */
export type DeviceTrouble =
  'none' | 'slow' | 'lostBefore' | 'lostAnswer' | 'hangs' | 'stuck' | 'deaf' | 'late' | 'twice' | 'lateWithoutAnswer'

interface Relay {
  isOn: boolean
  /** An "on" of ours that left and may still take effect. */
  pending: number
  /** A person took its fuse out. */
  isFuseOut: boolean
}

/** Above every time that a device needs: Fitter's own limit for its end, and the reading that is under way. */
const mostToEndMs = 45_000
const answerMs = 4
const twiceMs = 800
/** Within the limits of the profile for an "on" that comes late. */
const lateMs = 24_000
const lateUnansweredMs = 38_000

/**
 * One device with two relays, the real controllers before it, and everything that persons, links, disks and computers
 * do meanwhile.
 */
export function createDeviceWorld() {
  const story: string[] = []
  const wrong: string[] = []
  const clock = installVirtualClock(lookAtAll)
  const tell = (what: string) => void story.push(`${(clock.worldMs() / 1000).toFixed(2)} s  ${what}`)
  const fault = (what: string) => {
    if (wrong.includes(what)) return
    wrong.push(what)
    tell(`WRONG: ${what}`)
  }
  const relays: Record<ModelOutput, Relay> = {
    OUT1: { isOn: false, pending: 0, isFuseOut: false },
    OUT2: { isOn: false, pending: 0, isFuseOut: false }
  }
  /** Who ended each entry. */
  const endings = new Map<number, string>()
  const ledger = createLedgerOnDisk((row, how) => {
    const relay = relays[row.output as ModelOutput]
    tell(`the ledger ends ${row.output}: ${how}`)
    endings.set(row.id, how)
    if (how === 'proved' && (relay.isOn || relay.pending > 0) && !relay.isFuseOut)
      fault(`${row.output} was taken out of the ledger as proved, and it ${relay.isOn ? 'is on' : 'may still come on'}`)
    if (how === 'person') {
      const phase = outputs
        ?.of(modelImei)
        .known()
        .find(({ out }) => out === row.output)?.state.phase
      if (phase === 'goingOn' || phase === 'on')
        fault(`the word of a person ended ${row.output} while Fitter had it on`)
      if (relay.pending > 0) fault(`the word of a person ended ${row.output} while a late "on" was possible`)
      relay.isFuseOut = true
    }
  })
  const world = {
    trouble: 'none' as DeviceTrouble,
    isOther: false,
    isSignedIn: true,
    cuts: 0,
    isBroken: false,
    isWatched: true
  }
  /** The order of what persons want: an "on" that is older than an "off" must not leave. */
  let order = 0
  const offOrder: Record<ModelOutput, number> = { OUT1: 0, OUT2: 0 }
  let generation = 0
  let brokenAtMs = 0
  let outputs: Outputs | undefined
  let client: OutputDevice | undefined
  let jobs: { out: ModelOutput; abort: AbortController; order: number }[] = []
  let isEnding = false
  const faults: unknown[] = []

  /** Whatever means "off" for these, from now on. */
  function wantsOff(outs: readonly ModelOutput[] = modelOutputs): void {
    order += 1
    for (const out of outs) offOrder[out] = order
  }

  /** Asked after every moment: what must never be. */
  function lookAtAll(): void {
    for (const out of modelOutputs) {
      const { isOn, pending, isFuseOut } = relays[out]
      if ((isOn || pending > 0) && !isFuseOut && !ledger.rows().some((row) => row.output === out))
        fault(`${out} ${isOn ? 'is on' : 'may come on'}, and no ledger says so`)
    }
  }

  function request<T>(
    what: 'on' | 'off' | 'read' | 'who' | 'position',
    out: ModelOutput | undefined,
    answer: () => T,
    {
      overtakes,
      untilSent,
      beforeSent,
      timeoutMs = 5_000,
      signal
    }: CallOptions & { timeoutMs?: number | undefined } = {},
    given = order
  ): Promise<T> {
    const mine = generation
    const queue = queueOf
    const work = () =>
      new Promise<T>((resolve, reject) => {
        const alive =
          <A>(then: (value: A) => void) =>
          (value: A) =>
            mine === generation ? then(value) : undefined
        const fail = (
          code: 'UNREACHABLE' | 'TIMEOUT' | 'NOT_AUTHENTICATED' | 'WRONG_DEVICE',
          fate: 'notSent' | 'unknown' | 'refused' | 'away'
        ) => alive(reject)(new AppError(code, plainMessage(code), { retryable: true, fate }))
        const isCommand = what === 'on' || what === 'off'
        let isConnected = false
        const takenBack = () => {
          if (!isConnected) alive(reject)(cancelledCall())
        }
        const aborted = () => alive(reject)(cancelledCall(!isConnected ? 'notSent' : isCommand ? 'unknown' : 'away'))
        untilSent?.addEventListener('abort', takenBack, { once: true })
        signal?.addEventListener('abort', aborted, { once: true })
        // The proof of identity goes before each command, on its own request.
        const proofMs = isCommand ? (world.trouble === 'slow' && !overtakes ? 2_500 : answerMs) : 0
        setTimeout(() => {
          if (world.cuts > 0 || world.trouble === 'lostBefore')
            return void setTimeout(() => fail('UNREACHABLE', 'notSent'), answerMs)
          if (untilSent?.aborted || signal?.aborted) return
          try {
            beforeSent?.()
          } catch (error) {
            return void reject(error as Error)
          }
          clock.after(answerMs / 2, () => {
            if (mine !== generation || untilSent?.aborted || signal?.aborted) return
            isConnected = true
            arrive()
          })
        }, proofMs)

        /** At the device. */
        function arrive(): void {
          const { trouble } = world
          const timer = (ms: number, work: () => void) => clock.after(ms, work)
          if (!world.isSignedIn) return timer(answerMs, () => fail('NOT_AUTHENTICATED', 'refused'))
          if (isCommand && world.isOther) return timer(answerMs, () => fail('WRONG_DEVICE', 'refused'))
          if (what === 'on' && out) onLeft(out, given)
          const apply = (): void => {
            if (!out) return
            if (what === 'on' && trouble !== 'deaf') setRelay(out, true)
            if (what === 'off' && trouble !== 'stuck') setRelay(out, false)
          }
          const isLost =
            trouble === 'lostAnswer' || trouble === 'hangs' || trouble === 'lateWithoutAnswer' || world.cuts > 0
          if (what === 'on' && (trouble === 'late' || trouble === 'lateWithoutAnswer'))
            later(out!, trouble === 'late' ? lateMs : lateUnansweredMs)
          else if (trouble !== 'hangs') apply()
          // An answered command is over: the second effect comes before the answer.
          if (what === 'on' && trouble === 'twice') later(out!, twiceMs - answerMs)
          const tookMs =
            what === 'on' && trouble === 'twice'
              ? twiceMs
              : (trouble === 'slow' && !overtakes) || (what === 'position' && trouble === 'slow')
                ? 2_500
                : answerMs
          if (isLost || tookMs > timeoutMs)
            return timer(timeoutMs, () => fail('TIMEOUT', isCommand ? 'unknown' : 'away'))
          timer(tookMs, () => alive(resolve)(answer()))
        }
      })
    return queue.run(work, { alone: what === 'on' || what === 'off', overtakes, signal: untilSent ?? signal })
  }

  function onLeft(out: ModelOutput, given: number): void {
    tell(`"on" of ${out} leaves`)
    if (offOrder[out] > given) fault(`"on" of ${out} left after an "off" that was wanted later`)
    const flow = jobs.find((job) => job.out === out && job.order === given)
    if (flow?.abort.signal.aborted) fault(`"on" of ${out} left after its work was stopped`)
    // The moment between the last look and the first byte belongs to nobody.
    if (world.isBroken && clock.worldMs() - brokenAtMs > answerMs)
      fault(`"on" of ${out} left while a condition was broken`)
  }

  function setRelay(out: ModelOutput, isOn: boolean): void {
    if (relays[out].isOn === isOn) return
    relays[out].isOn = isOn
    tell(`the relay of ${out} goes ${isOn ? 'on' : 'off'}`)
  }

  function later(out: ModelOutput, ms: number): void {
    relays[out].pending += 1
    clock.after(ms, () => {
      relays[out].pending -= 1
      if (!world.isOther) setRelay(out, true)
    })
  }

  const reading = <T>(
    operation: string,
    shape: Parameters<typeof readFields>[0] | undefined,
    raw: Record<string, unknown>
  ) =>
    ({
      operation,
      status: 200,
      ...(shape ? readFields(shape, raw) : { value: {}, problems: [] }),
      raw,
      readAt: clock.wall().toISOString(),
      elapsedMs: answerMs
    }) as unknown as T
  const lines = () => ({
    ...Object.fromEntries(modelOutputs.map((out) => [out, world.isOther ? false : relays[out].isOn])),
    OUT3: false,
    OUT4: false,
    SO1: false,
    SO2: false,
    SO3: false,
    SO4: false
  })

  let queueOf = createDeviceQueue()
  function openClient(): OutputDevice {
    queueOf = createDeviceQueue()
    return {
      gps: {
        position: (options) => request('position', undefined, () => reading('gps.position', gpsPosition, {}), options)
      },
      system: {
        info: (options) =>
          request(
            'who',
            undefined,
            () => reading('system.info', systemInfo, { hostname: `ft4-${world.isOther ? otherImei : modelImei}` }),
            options
          )
      },
      io: {
        all: (options) => request('read', undefined, () => reading('io.all', ioState, lines()), options),
        setOutput({ out, state }, options) {
          const flow = state ? jobs.findLast((job) => job.out === out) : undefined
          return request(
            state ? 'on' : 'off',
            out as ModelOutput,
            () => reading('io.setOutput', undefined, {}),
            options,
            flow?.order ?? order
          )
        }
      }
    }
  }

  function start(): void {
    if (outputs) return
    generation += 1
    isEnding = false
    client = openClient()
    const mine = generation
    outputs = createOutputs({
      ledger: ledger.store,
      shipped: shippedLimits,
      chosen: () => ({}),
      reach: () => (world.isSignedIn && mine === generation ? client : undefined),
      technician: () => 'Technician One',
      record: () => undefined,
      changed: () => undefined,
      reportFault: (error) => {
        if (!isExpected(error)) faults.push(error)
      },
      monotonicMs: clock.monotonicMs,
      now: clock.wall
    })
  }

  /** The process is gone, and what it waited for never comes. After a while another one is started. */
  function gone(ms: number): void {
    generation += 1
    outputs = undefined
    jobs = []
    clock.killProcess()
    clock.after(ms, () => {
      if (outputs) return
      tell('Fitter starts')
      start()
    })
  }

  function cut(ms: number): void {
    world.cuts += 1
    clock.after(ms, () => (world.cuts -= 1))
  }

  function signIn(): void {
    world.isSignedIn = true
    if (outputs && client) outputs.seen(modelImei, client)
  }

  const over = (onFromMs: number) => (): Fall | undefined => {
    if (!world.isWatched) return { kind: 'unwatched' }
    return clock.monotonicMs() - onFromMs > shippedLimits.mostOnS * 1000 ? { kind: 'time' } : undefined
  }

  /** Somebody holds the button; what a check or a screen then does with the claim. */
  async function arm(out: ModelOutput, forMs: number): Promise<void> {
    const present = outputs
    const device = client
    if (!present || !device || isEnding) return
    order += 1
    const flow = { out, abort: new AbortController(), order }
    let claim: OutputClaim
    try {
      claim = present.of(modelImei).claim(out, {
        device,
        address: 'ft4.local',
        interlock: {
          conditions: () => [],
          missing: () => (world.isBroken ? [plainMessage('motion')] : []),
          broken: () => (world.isBroken ? [plainMessage('motion')] : []),
          read: () => Promise.resolve(),
          beginRead: () => undefined,
          state: () => ({})
        },
        limits: shippedLimits,
        by: 'Technician One',
        jobId: null,
        signal: flow.abort.signal,
        isShort: () => false,
        record: () => undefined,
        over: over(clock.monotonicMs())
      })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return
    }
    if (!relays[out].isOn && relays[out].pending === 0) relays[out].isFuseOut = false
    jobs.push(flow)
    try {
      const on = await claim.switchOn()
      tell(`${out} was to go on: ${on.kind}`)
      const untilMs = clock.monotonicMs() + forMs
      if (on.kind === 'on')
        while (!claim.fallen() && clock.monotonicMs() < untilMs)
          await new Promise((resolve) => setTimeout(resolve, 250))
      if (on.kind !== 'held' && on.kind !== 'notProved') {
        wantsOff([out])
        const row = ledger.rows().find((one) => one.output === out)
        const off = await claim.switchOff()
        tell(`${out} was switched off again: ${off.kind}${off.kind === 'off' ? ` by ${off.by}` : ''}`)
        if (off.kind === 'off' && row && ledger.rows().includes(row))
          fault(`${out} is said to be off, and is still in the ledger`)
        if (off.kind === 'off' && row && (off.by === 'person') !== (endings.get(row.id) === 'person'))
          fault(`${out} is said to be off by the ${off.by}, and the ledger ended it as ${endings.get(row.id)}`)
      }
    } catch (error) {
      if (!(error instanceof AppError) && !flow.abort.signal.aborted) throw error
    } finally {
      claim.release()
      jobs = jobs.filter((one) => one !== flow)
    }
  }

  /** A way out: it ends with everything off, or with a sentence, and within its limit. */
  async function wayOut(name: string, then: (present: Outputs) => void | Promise<void>): Promise<void> {
    const present = outputs
    if (!present || isEnding) return
    wantsOff()
    const beganMs = clock.awakeMs()
    try {
      await present.leave({ imei: modelImei })
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
    if (!present || isEnding) return
    isEnding = true
    wantsOff()
    const beganMs = clock.awakeMs()
    await present.allOff()
    for (const { abort } of jobs) abort.abort()
    await present.stop()
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

  const quietly = (work: Promise<unknown>) =>
    void work.catch((error: unknown) => {
      if (!(error instanceof AppError)) faults.push(error)
    })

  start()
  return {
    story,
    clock,
    world,
    /** What must never be, and was. */
    wrong: () => [
      ...wrong,
      ...faults.map((one) => `a fault of Fitter: ${one instanceof Error ? (one.stack ?? one.message) : String(one)}`)
    ],
    tell,
    isRunning: () => outputs !== undefined,
    arm: (out: ModelOutput, forMs: number) => quietly(arm(out, forMs)),
    off(out: ModelOutput) {
      if (!outputs || !client) return
      wantsOff([out])
      quietly(
        outputs.of(modelImei).switchOff(out, {
          device: client,
          address: 'ft4.local',
          by: 'Technician Two',
          jobId: null,
          record: () => undefined
        })
      )
    },
    allOff() {
      if (!outputs) return
      wantsOff()
      quietly(outputs.allOff({ isAsked: true }))
    },
    sawOff(out: ModelOutput) {
      const row = ledger.rows().find((one) => one.output === out)
      if (row && outputs)
        quietly(
          outputs
            .confirmOff(row.id, 'looked at the relay')
            .then(() =>
              endings.get(row.id) === 'person'
                ? undefined
                : fault(`a person ended ${out}, and the ledger says ${endings.get(row.id)}`)
            )
        )
    },
    stopWork() {
      for (const job of jobs) job.abort.abort()
    },
    askPosition() {
      if (client) quietly(client.gps.position())
    },
    signOut: (ms: number) =>
      quietly(
        wayOut('signing out', () => {
          world.isSignedIn = false
          clock.after(ms, signIn)
        })
      ),
    enterTraining: (ms: number) =>
      quietly(
        wayOut('entering training', async (present) => {
          isEnding = true
          await present.allOff()
          await present.stop()
          if (present === outputs) gone(ms)
        })
      ),
    /** Another data file takes the place: what may be on goes with it. */
    restore: () => quietly(end('restoring', 0)),
    quit: (name: string, ms: number) => quietly(end(name, ms)),
    openBundle: () => quietly(wayOut('opening a bundle', () => undefined)),
    kill(ms: number) {
      if (!outputs) return
      tell('Fitter is killed')
      gone(ms)
    },
    cutLink() {
      if (!outputs) return
      try {
        outputs.assertLinkMayEnd(modelImei)
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error
        return
      }
      for (const out of modelOutputs)
        if ((relays[out].isOn || relays[out].pending > 0) && !relays[out].isFuseOut)
          fault(`what cuts the link was sent while ${out} may be on`)
      tell('the link to the device is cut for 20 s')
      cut(20_000)
    },
    /** A trouble that ends by itself. */
    forAWhile(ms: number, begins: Partial<typeof world>, ends: Partial<typeof world>) {
      Object.assign(world, begins)
      clock.after(ms, () => Object.assign(world, ends))
    },
    /** An address does not change hands between two requests. */
    exchange(ms: number) {
      cut(500)
      world.isOther = true
      clock.after(ms + 500, () => {
        world.isOther = false
        cut(500)
      })
    },
    moves(ms: number) {
      world.isBroken = true
      brokenAtMs = clock.worldMs()
      clock.after(ms, () => (world.isBroken = false))
    },
    fillDisk(ms: number) {
      ledger.disk.isFull = true
      clock.after(ms, () => (ledger.disk.isFull = false))
    },
    /** Everything is well again: then all of it ends off and out of the ledger, without anybody's help. */
    async heal() {
      Object.assign(world, {
        trouble: 'none',
        isOther: false,
        isSignedIn: true,
        cuts: 0,
        isBroken: false,
        isWatched: false
      })
      ledger.disk.isFull = false
      tell('everything is well again')
      for (let turn = 0; turn < 4; turn++) {
        start()
        outputs?.seen(modelImei, client)
        await clock.advance(40_000)
      }
      if (isEnding) fault('the end of Fitter hangs')
      for (const out of modelOutputs)
        if (relays[out].isOn && !relays[out].isFuseOut) fault(`${out} stays on although everything is well`)
      if (ledger.rows().length > 0)
        fault(
          `${ledger
            .rows()
            .map(({ output }) => output)
            .join(', ')} stays in the ledger although everything is well`
        )
    },
    async end() {
      const present = outputs
      const stopped = present?.stop()
      await clock.advance(30_000)
      await stopped
      clock.restore()
    }
  }
}

/** A full disk is reported; anything else that is no AppError is a fault of Fitter. */
function isExpected(error: unknown): boolean {
  return error instanceof AppError || (error instanceof Error && error.cause instanceof AppError)
}

export type DeviceWorld = ReturnType<typeof createDeviceWorld>
