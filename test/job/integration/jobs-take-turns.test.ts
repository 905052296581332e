import { expect, test } from 'vitest'
import { createInstallationGateway } from '../../../main/gateway/client/vehicles/installation.ts'
import { askGateway } from '../../../main/job/jobs/engine/askGateway.ts'
import { takeTurns } from '../../../main/job/jobs/gatewayTurn.ts'
import { paceGateway } from '../../../main/job/jobs/engine/pacedGateway.ts'
import type { GatewayPort } from '../../../main/job/jobs/engine/ports.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { pause } from '../../../main/base/time/pause.ts'
import { startGateway } from '../../../simulator/gateway/gateway.ts'
import { clientOf } from '../../world/gateway/mixedWork.ts'
import { startVirtualClock } from '../../world/window/stories/virtualClock.ts'

/** `npm run bench -- turns` says what it took. */
const count = 20
/** What a user may ask in a minute. */
const tiers = { data: 30, other: 60 }
const mostMs = 900_000

interface Run {
  /** When each job had all its answers. */
  doneMs: number[]
  /** What the limits allow at best for the calls that were made until the last was done. */
  allowedMs: number
  /** The longest that a job went without an answer while it asked. */
  longestGapMs: number
  /** How many jobs said that they wait. */
  said: number
  violations: number
}

/**
 * Twenty jobs that ask what an installation asks, and one that asks without end, on a virtual clock, against the
 * simulated gateway over HTTP. Those that are not done after a quarter of an hour are given up.
 */
async function installAll(inTurn: boolean): Promise<Run> {
  const clock = startVirtualClock()
  const tier = (requests: number) => [{ requests, perSeconds: 60 }]
  const gateway = await startGateway({
    devices: [],
    vehicles: 60,
    delayMs: 0,
    now: () => Date.now(),
    rateTiers: { data: tier(tiers.data), other: tier(tiers.other) }
  })
  const client = clientOf(gateway)
  const port = {
    ...createInstallationGateway(() => Promise.resolve(client)),
    findCopied: () => Promise.resolve(undefined)
  } as GatewayPort
  const ending = new AbortController()
  const { signal } = ending
  const imeis = gateway.state.devices.slice(0, count).map(({ imei }) => String(imei))
  const doneMs: number[] = []
  const gapsMs: number[] = []
  const said = new Set<string>()
  const beganMs = performance.now()

  async function install(imei: string): Promise<void> {
    const turns = takeTurns(port, { job: imei, mostMs: 3_900_000, changed: () => said.add(imei) })
    const own = paceGateway(inTurn ? turns.gateway : port, {
      everyMs: 5_000,
      monotonicMs: () => performance.now(),
      signal
    })
    let answeredMs = performance.now()
    /** As a check asks: again and again until there is an answer. */
    async function ask(what: () => Promise<unknown>): Promise<void> {
      while ((await askGateway(what)).kind === 'away') await pause(1_000, signal)
      gapsMs.push(performance.now() - answeredMs)
      answeredMs = performance.now()
    }
    await ask(() => own.findDevice(imei, signal))
    await Promise.all([
      ask(() => own.readEvents({ imei, vehicleId: null }, signal)),
      ask(() => own.readEvents({ imei, vehicleId: null, sinceMs: beganMs }, signal)),
      (async () => {
        for (let n = 0; n < 6; n++) await ask(() => own.readLines(imei, signal))
      })()
    ])
    await ask(() => own.findVehicleOfDevice(imei, signal))
    await ask(() => own.readClock(signal))
    doneMs.push(performance.now() - beganMs)
  }

  async function askWithoutEnd(n: number): Promise<void> {
    const own = inTurn ? takeTurns(port, { job: 'greedy', mostMs: 3_900_000, changed: () => undefined }).gateway : port
    for (let asked = 0; !signal.aborted; asked++) {
      const answer = await askGateway(() =>
        own.readEvents({ imei: imeis[0] ?? '', vehicleId: null, sinceMs: beganMs - n * 1_000_000 - asked }, signal)
      )
      if (answer.kind === 'away') await pause(50, signal)
    }
  }

  try {
    for (let n = 1; n <= 40; n++) askWithoutEnd(n).catch(() => undefined)
    for (const imei of imeis) install(imei).catch(() => undefined)
    await clock.until(() => doneMs.length === count, mostMs, 250)
    ending.abort(new AppError('CANCELLED', plainMessage('Over.')))
    const calls = gateway.requests.filter(({ operation, status }) => operation !== 'session.login' && status !== 429)
    const data = calls.filter(({ operation }) => operation?.startsWith('rawdata')).length
    const minutes = (calls: number, limit: number) => (Math.ceil(calls / limit) - 1) * 60_000
    return {
      doneMs,
      allowedMs: Math.max(minutes(data, tiers.data), minutes(calls.length - data, tiers.other)),
      longestGapMs: Math.max(...gapsMs),
      said: said.size,
      violations: gateway.violations.length
    }
  } finally {
    client.close()
    let isStopped = false
    const stopped = gateway.stop().then(() => (isStopped = true))
    await clock.until(() => isStopped, 60_000)
    await stopped
    clock.stop()
  }
}

test(
  'twenty jobs at once end in hardly more than the limits allow, however much another asks, and say that they wait',
  { timeout: 360_000 },
  async () => {
    const run = await installAll(true)
    const other = await installAll(false)
    const seen = ({ doneMs, allowedMs, longestGapMs, said }: Run) => ({
      done: doneMs.length,
      lastMs: Math.max(...doneMs),
      allowedMs,
      ratio: Math.max(...doneMs) / allowedMs,
      longestGapMs,
      said
    })
    if (process.env['FITTER_TURNS'] !== undefined)
      console.log(JSON.stringify({ what: 'turns', inTurn: seen(run), withoutTurns: seen(other) }))
    expect(run).toMatchObject({ violations: 0, said: count })
    expect(run.doneMs).toHaveLength(count)
    expect(Math.max(...run.doneMs) / run.allowedMs).toBeLessThan(1.3)
    // Two windows at most: nobody starves.
    expect(run.longestGapMs).toBeLessThan(121_000)
    // The same jobs beside the same one that asks without end, when whoever asks first is let in first.
    expect(Math.max(...other.doneMs)).toBeGreaterThan(1.5 * Math.max(...run.doneMs))
  }
)
