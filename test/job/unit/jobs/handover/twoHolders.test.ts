// @module-tag long
import path from 'node:path'
import fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hasEnded } from '../../../../../main/gateway/waitingWork/transitions.ts'
import { plainMessage } from '../../../../../preload/contract/messages.ts'
import { openLaptop, type Laptop } from '../../../../world/team/laptop.ts'
import { cacheLagMs, makeSharedGateway, type SharedGateway } from '../../../../world/gateway/sharedGateway.ts'
import { tempFolder } from '../../../../world/tempFolder.ts'

const signal = new AbortController().signal
const stepMs = 7_000

class Crash extends Error {}

/** One laptop that dies now and then, and is started again on the same data. */
interface Holder {
  step(): Promise<void>
  isAtRest(): boolean
  end(): void
}

interface Scene {
  gateway: SharedGateway
  file: string
  names: string[]
  random: () => number
  /** Each process dies so often, within so many instants; then it lives. */
  deaths: number
}

const instantsOfLife = 250

function takesOver({ gateway, file, random, deaths }: Scene, name: string, atMs: number): Holder {
  const folder = tempFolder()
  let laptop: Laptop | undefined
  let left = Infinity
  let died = 0
  const dies = (): void => {
    left -= 1
    if (left < 0) throw new Crash()
  }
  function begin(): Laptop {
    left = died >= deaths ? Infinity : Math.ceil(random() * instantsOfLife)
    return openLaptop({
      folder,
      name,
      nowMs: gateway.nowMs,
      kinds: [gateway.kindFor(name)],
      chooseWaitMs: () => Math.floor(random() * 240_000),
      instant: dies
    })
  }
  return {
    async step() {
      if (gateway.nowMs() < atMs) return
      try {
        laptop ??= begin()
        await laptop.transfers.take(file)
        await laptop.operations.pass(signal)
      } catch (error) {
        if (!(error instanceof Crash)) throw error
        // The process is dead: what it held is gone with it.
        laptop?.end()
        laptop = undefined
        died += 1
      }
    },
    isAtRest: () =>
      laptop !== undefined &&
      laptop.operations.list().length > 0 &&
      laptop.operations
        .list()
        .every(({ state }) => hasEnded(state) || state === 'needsAttention' || state === 'failed'),
    end: () => laptop?.end()
  }
}

/** The laptop that hands the work over: some was never sent, some may have arrived. */
async function handOver(gateway: SharedGateway, names: string[]): Promise<{ file: string; from: Laptop }> {
  const from = openLaptop({
    folder: tempFolder(),
    name: 'sender',
    nowMs: gateway.nowMs,
    kinds: [gateway.kindFor('sender')]
  })
  const job = from.makeJob()
  const file = path.join(tempFolder(), 'work.handover')
  const add = (name: string, needs: { id: string; part: string }[] = []) =>
    from.operations.add({
      kind: 'shared',
      key: `vehicle:${name}`,
      title: plainMessage(name),
      payload: { name },
      jobId: job,
      draft: false,
      needs
    }).id
  const [first = '', ...others] = names.slice(1)
  add(first)
  await from.operations.pass(signal)
  const [needed] = [others.map((name) => add(name))[0]]
  add(names[0] ?? '', needed === undefined ? [] : [{ id: needed, part: '' }])
  await from.transfers.give({ jobIds: [job], to: '', file }, signal)
  return { file, from }
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

interface Result {
  effects: SharedGateway['effects']
  doubled: string[]
  /** Doubles whose two effects lie further apart than what nobody could have seen. */
  inexcusable: string[]
}

async function play(
  seed: number,
  options: { atMs: [number, number]; isLagging?: boolean; refusesSecond?: boolean; deaths?: number }
): Promise<Result> {
  const random = seeded(seed)
  const names = ['blocked', 'lost', 'one', 'two', 'three']
  const gateway = makeSharedGateway({
    ...options,
    losesReply: () => (random() < 0.25 ? (random() < 0.5 ? 'applied' : 'notApplied') : 'no')
  })
  const { file, from } = await handOver(gateway, names)
  const scene = { gateway, file, names, random, deaths: options.deaths ?? 0 }
  const holders = options.atMs.map((atMs, at) => takesOver(scene, `holder ${at}`, atMs))
  const sentBefore = gateway.effects.length
  for (let step = 0; step < 400; step += 1) {
    await Promise.all([from.operations.pass(signal), ...holders.map((holder) => holder.step())])
    if (holders.every((holder) => holder.isAtRest())) break
    gateway.advance(stepMs)
  }
  expect(holders.every((holder) => holder.isAtRest())).toBe(true)
  expect(gateway.effects.slice(sentBefore).filter(({ by }) => by === 'sender')).toEqual([])
  const of = (name: string) => gateway.effects.filter((effect) => effect.name === name)
  const doubled = names.filter((name) => of(name).length > 1)
  from.end()
  for (const holder of holders) holder.end()
  fs.rmSync(file)
  return {
    effects: gateway.effects,
    doubled,
    inexcusable: doubled.filter((name) =>
      of(name).some(
        (effect, at, all) => at > 0 && effect.atMs - (all[at - 1]?.atMs ?? 0) > (options.isLagging ? cacheLagMs : 0)
      )
    )
  }
}

describe('One file that two laptops take over', { timeout: 360_000 }, () => {
  it('has each effect once, whoever takes it when, however often they die, and the sender sends nothing', async () => {
    for (let seed = 1; seed <= 6; seed += 1) {
      const random = seeded(seed * 7)
      const atMs: [number, number] = [random() * 600_000, random() * 600_000]
      const { doubled, effects } = await play(seed, { atMs, deaths: 4 })
      expect({ seed, doubled, n: new Set(effects.map(({ name }) => name)).size }).toEqual({ seed, doubled: [], n: 5 })
    }
  })

  it('has each effect once where the gateway refuses a second one, also at the same moment', async () => {
    for (let seed = 11; seed <= 13; seed += 1) {
      expect(await play(seed, { atMs: [0, 0], refusesSecond: true, isLagging: true })).toMatchObject({ doubled: [] })
    }
  })

  it('doubles nothing but what both sent before either could see it, where nobody sees what is young', async () => {
    for (let seed = 21; seed <= 24; seed += 1) {
      expect(await play(seed, { atMs: [0, 0], isLagging: true, deaths: 3 })).toMatchObject({ inexcusable: [] })
    }
  })
})
