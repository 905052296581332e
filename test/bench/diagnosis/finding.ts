import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createDeviceClient } from '../../../main/device/client/client.ts'
import { readLive } from '../../../main/device/client/readLive.ts'
import { deviceOperations } from '../../../main/support/diagnosis/deviceWitness.ts'
import type { Diagnosis } from '../../../preload/contract/support/diagnosis.ts'
import { faultStories } from '../../../simulator/faultStories.ts'
import type { SimulatedDevice, SimulatedGateway } from '../../../simulator/simulation.ts'
import { tellStory } from '../../../simulator/tellStory.ts'
import { startFitter } from '../../world/window/fitterProcess.ts'
import { openWorkspaceBench } from '../../world/device/workspaceBench.ts'

const goalMs = 3_000
const mostMs = 60_000

/** What has to be named, by device and gateway together; the clean vehicle has nothing. */
const told = ['noSim', 'wrongApn', 'noFix', 'noPower', null] as const
type Told = (typeof told)[number]

interface Times {
  firstLook: number[]
  named: number[]
  bare: number[]
  terminal: number[]
}

/**
 * A vehicle with a fault over real HTTP: from the first look of a core that has just signed in to the answer that names
 * the broken link, beside a bare reading of the same areas one after the other, and the process `fitter diagnose HOST
 * --json`.
 */
export async function benchFinding({ rounds, say }: { rounds: number; say(text: string): void }): Promise<void> {
  const all = new Map<Told, Times>(told.map((name) => [name, { firstLook: [], named: [], bare: [], terminal: [] }]))
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, times] of all) await play(name, times)
  }
  say(
    `load ${os
      .loadavg()
      .map((load) => load.toFixed(2))
      .join(' ')}; ${rounds} rounds in turn, median (worst) in ms`
  )
  for (const [name, { firstLook, named, bare, terminal }] of all) {
    const ratio = median(named) / median(bare)
    // Where nothing is broken the terminal watches the lines to the end.
    const isMissed = median(named) >= goalMs || (name !== null && median(terminal) >= goalMs)
    say(
      `${name ?? 'nothing broken'}: first look ${figure(firstLook)}; named ${figure(named)}, bare reading ${figure(bare)}, ratio ${ratio.toFixed(1)}; the process ${figure(terminal)} (goal for a broken link under ${goalMs} ms${isMissed ? ', MISSED' : ''})`
    )
  }
}

async function play(name: Told, times: Times): Promise<void> {
  const bench = await openWorkspaceBench({ gateway: true, fitted: true, story: 'parked', reportEveryMs: 1_000 })
  const dataFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'fitter-bench-'))
  try {
    const device = bench.simulation.devices[0] as SimulatedDevice
    const gateway = bench.simulation.gateway as SimulatedGateway
    const signedIn = await bench.call('gateway.signIn', {
      url: gateway.url,
      user: gateway.user,
      password: gateway.password
    })
    if (signedIn.kind !== 'signedIn') throw new Error(signedIn.kind)
    // It has reported for a while before anything breaks.
    while (gateway.state.events.filter(({ imei }) => String(imei) === device.imei).length < 3) await rest(100)
    const story = faultStories.find((one) => one.name === name)
    if (story) tellStory(story, { device, gateway })
    const subject = { key: bench.keys[0] as string }
    const link = story?.diagnosis?.both && 'link' in story.diagnosis.both ? story.diagnosis.both.link : null
    const startedMs = performance.now()
    let seen = await bench.core.diagnosis.look(subject)
    times.firstLook.push(performance.now() - startedMs)
    while (!isNamed(seen, link)) {
      if (performance.now() - startedMs > mostMs)
        throw new Error(`${name ?? 'clean'}: ${seen.brokenAt ?? 'nothing'} is named`)
      await rest(seen.nextInMs)
      seen = await bench.core.diagnosis.look(subject)
    }
    times.named.push(performance.now() - startedMs)
    times.bare.push(await timed(() => readBare(device)))
    const env = { FITTER_DEVICE_USER: device.user, FITTER_DEVICE_PASSWORD: device.password }
    times.terminal.push(
      await timed(async () => {
        const { json, stderr } = await startFitter(
          ['diagnose', `${device.host}:${device.port}`, '--json', '--data', dataFolder],
          { env }
        ).ended
        const { brokenAt } = json<Diagnosis>()
        // Without a gateway nobody can tell whether the APN is right.
        if (brokenAt !== link && name !== 'wrongApn')
          throw new Error(`${name ?? 'clean'}: the terminal names ${brokenAt ?? 'nothing'}\n${stderr}`)
      })
    )
  } finally {
    await bench.stop()
    fs.rmSync(dataFolder, { recursive: true, force: true })
  }
}

/** Of the clean vehicle every link has to be known. */
function isNamed({ brokenAt, chain, isWhole }: Diagnosis, link: string | null): boolean {
  return link === null ? isWhole && chain.every(({ state }) => state === 'ok') : brokenAt === link
}

/** The same areas of the device, each once, one after the other. */
async function readBare({ host, port, imei, user, password }: SimulatedDevice): Promise<void> {
  const client = createDeviceClient({
    address: `${host}:${port}`,
    imei,
    credentials: () => Promise.resolve({ user, password })
  })
  for (const operation of deviceOperations)
    await readLive(client, operation, { signal: AbortSignal.timeout(10_000), timeoutMs: 5_000 })
}

const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

function figure(times: readonly number[]): string {
  return `${Math.round(median(times))} (${Math.round(Math.max(...times))})`
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
