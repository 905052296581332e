import path from 'node:path'
import fs from 'node:fs'
import { hasEnded } from '../../../../main/gateway/waitingWork/transitions.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import type { PostgresServer } from '../postgres/postgresServer.ts'
import { makeSharedGateway } from '../../gateway/sharedGateway.ts'
import { invitation, openTeamLaptop, type TeamLaptop } from '../teamLaptop.ts'
import { tempFolder } from '../../tempFolder.ts'

const signal = new AbortController().signal
const names = ['Laptop 1', 'Laptop 2', 'Laptop 3']
const mostMoves = 14
const mostHealing = 60

export interface Played {
  /** What happened, in order. */
  story: string[]
  /** What must not have. */
  harms: string[]
}

class Crash extends Error {}

function seeded(seed: number): () => number {
  let state = (seed * 2_654_435_761) % 4_294_967_296
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

/**
 * Three laptops with real data folders and a real server, who do with one job what comes to their minds, and die in it.
 */
export async function playLaptops(server: PostgresServer, team: string, seed: number): Promise<Played> {
  const random = seeded(seed)
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)]
  const story: string[] = []
  const harms: string[] = []
  let isQuiet = false
  const gateway = makeSharedGateway({
    losesReply: () => (!isQuiet && random() < 0.3 ? (random() < 0.5 ? 'applied' : 'notApplied') : 'no')
  })
  const added: string[] = []
  /** The last of them, until it is kept. */
  let adding: string | undefined
  const files: string[] = []
  let takeOvers = 0
  const laptops = await Promise.all(names.map((name) => begin(name)))

  /** One laptop whose process dies now and then, and is started again on its folder. */
  async function begin(name: string) {
    const folder = tempFolder()
    const joining = await invitation(server, team, name)
    let left = Infinity
    let open: TeamLaptop | undefined
    async function opened(): Promise<TeamLaptop> {
      open ??= await openTeamLaptop({
        name,
        folder,
        joining,
        kinds: [gateway.kindFor(name)],
        nowMs: gateway.nowMs,
        chooseWaitMs: () => Math.floor(random() * 60_000),
        instant() {
          left -= 1
          if (left < 0) throw new Crash()
        }
      })
      return open
    }
    return {
      name,
      get: opened,
      /** Does it, or dies in it; what Fitter refuses with a sentence is no harm. */
      async run(what: string, work: (laptop: TeamLaptop) => Promise<unknown>): Promise<void> {
        const laptop = await opened()
        const dies = !isQuiet && random() < 0.15
        left = dies ? Math.floor(random() * 40) : Infinity
        try {
          await work(laptop)
          story.push(`${name} ${what}`)
        } catch (error) {
          const isDeath = left < 0
          story.push(
            `${name} ${what}: ${isDeath ? 'dies' : error instanceof AppError ? error.sentence.id : String(error)}`
          )
          if (!isDeath && !(error instanceof AppError))
            harms.push(`${name} ${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
        }
        const died = left < 0
        left = Infinity
        if (!died) return
        laptop.end()
        open = undefined
        const again = await opened()
        // Whoever died before it was on the disk has promised nothing.
        if (
          adding !== undefined &&
          !again.operations.ofJob(job).some(({ payload }) => (payload as { name: string }).name === adding)
        )
          added.pop()
        adding = undefined
      },
      end: () => open?.end()
    }
  }

  const [first] = laptops
  if (!first) throw new Error('No laptop')
  const job = (await first.get()).makeJob()
  const isAtWork = ({ jobs, store }: TeamLaptop): boolean =>
    store.jobs.journal(job).length > 0 && jobs.show(job).handedOver === undefined
  const addWork = ({ operations }: TeamLaptop): void => {
    const name = `work ${String(added.length + 1)}`
    added.push(name)
    adding = name
    operations.add({
      kind: 'shared',
      key: `vehicle:${name}`,
      title: plainMessage(name),
      payload: { name },
      jobId: job,
      draft: false
    })
    adding = undefined
  }
  addWork(await first.get())
  await first.run('pushes', ({ team: log }) => log.push(signal))

  const moves: Record<string, (laptop: TeamLaptop) => Promise<unknown> | undefined> = {
    passes: ({ operations }) => operations.pass(signal),
    pushes: ({ team: log }) => log.push(signal),
    'brings on its way what left': ({ holding }) => holding.goOn(signal),
    looks: ({ holding }) => holding.pull(signal),
    'wants more': (laptop) => (isAtWork(laptop) && added.length < 4 ? Promise.resolve(addWork(laptop)) : undefined),
    'hands over': (laptop) =>
      isAtWork(laptop)
        ? laptop.holding.handOver({ jobIds: [job], to: random() < 0.5 ? '' : (pick(names) ?? '') }, signal)
        : undefined,
    'hands over in a file': (laptop) => {
      if (!isAtWork(laptop)) return undefined
      const file = path.join(tempFolder(), 'work.handover')
      return laptop.transfers.give({ jobIds: [job], to: '', file }, signal).then(() => files.push(file))
    },
    'takes a file': (laptop) => {
      const file = pick(files)
      return file === undefined || !fs.existsSync(file) ? undefined : laptop.transfers.take(file)
    },
    'takes what is offered': async ({ holding }) => {
      const { offers } = await holding.offers(signal)
      const open = offers.filter(({ direction, state }) => direction !== 'mine' && state === 'open').map(({ id }) => id)
      return holding.pull(signal, open.slice(0, 1))
    },
    'takes back': async ({ holding }) => {
      const mine = (await holding.offers(signal)).offers.find(
        ({ direction, state }) => direction === 'mine' && (state === 'leaving' || state === 'open')
      )
      return mine && holding.withdraw(mine.id, signal)
    },
    'takes over': (laptop) => {
      if (isAtWork(laptop)) return undefined
      takeOvers += 1
      return laptop.holding.takeOver({ jobId: job, reason: 'Nobody answers.' }, signal)
    },
    decides: ({ operations }) => {
      const asked = pick(operations.ofJob(job).filter(({ state }) => state === 'needsAttention'))
      return asked && Promise.resolve(operations.retry(asked.id, 'It is wanted.'))
    }
  }

  /** What may never be, at any moment. */
  async function look(): Promise<void> {
    for (const name of added) {
      const effects = gateway.effects.filter((effect) => effect.name === name)
      if (effects.length > 1) harms.push(`${name} was applied by ${effects.map(({ by }) => by).join(' and by ')}`)
    }
    const open = await Promise.all(laptops.map((laptop) => laptop.get()))
    for (const { operations } of open) {
      for (const { state, payload } of operations.ofJob(job)) {
        const { name } = payload as { name: string }
        if (state === 'done' && !gateway.effects.some((effect) => effect.name === name))
          harms.push(`${name} is done, and nothing was applied`)
      }
    }
    if (takeOvers === 0 && files.length === 0 && open.filter(isAtWork).length > 1) harms.push('Two work on the job')
  }

  for (let move = 0; move < mostMoves && harms.length === 0; move += 1) {
    const laptop = pick(laptops)
    const what = pick(Object.keys(moves))
    const work = what === undefined ? undefined : moves[what]
    if (laptop && work && what !== undefined) await laptop.run(what, async (open) => work(open))
    gateway.advance(random() < 0.3 ? 150_000 : 7_000)
    await look()
  }

  // Nothing goes wrong any more, and people take what is theirs.
  isQuiet = true
  story.push('it becomes quiet')
  let isSound = false
  for (let round = 0; round < mostHealing && harms.length === 0 && !isSound; round += 1) {
    for (const laptop of laptops) {
      for (const what of ['brings on its way what left', 'looks', 'pushes', 'takes what is offered', 'passes'])
        await laptop.run(what, async (open) => moves[what]?.(open))
    }
    gateway.advance(60_000)
    await look()
    isSound = await isAtRest()
    if (isSound) break
    const open = await Promise.all(laptops.map((laptop) => laptop.get()))
    const [file] = files.slice(-1)
    if (round % 10 === 9) {
      // Files are imported by their receiver; a job without a holder is taken over, by a laptop whose log allows it.
      const [, second] = laptops
      if (file !== undefined && round < 20) await second?.run('takes the file', ({ transfers }) => transfers.take(file))
      else if (!open.some(isAtWork))
        await laptops[Math.floor(round / 10 + 2) % laptops.length]?.run('takes over', async (one) =>
          moves['takes over']?.(one)
        )
    }
  }
  if (!isSound && harms.length === 0) harms.push(`It does not come to rest: ${await standing()}`)
  for (const laptop of laptops) laptop.end()
  return { story, harms }

  async function standing(): Promise<string> {
    const open = await Promise.all(laptops.map((laptop) => laptop.get()))
    return open
      .map(
        (laptop, at) =>
          `${names[at] ?? ''} ${isAtWork(laptop) ? 'works' : 'does not'} (${laptop.team
            .status()
            .stopped.map(({ why }) => why.id)
            .join()}), ${laptop.operations
            .ofJob(job)
            .map(({ payload, state }) => `${(payload as { name: string }).name} ${state}`)
            .join(', ')}`
      )
      .join('; ')
  }

  /** One laptop works on the job, and each operation was applied, or ended, or shown to a person. */
  async function isAtRest(): Promise<boolean> {
    const open = await Promise.all(laptops.map((laptop) => laptop.get()))
    // A laptop with a diverging log was told so: a person decides.
    const isForked = ({ team: log }: TeamLaptop): boolean => log.status().stopped.some(({ jobId }) => jobId === job)
    if (open.filter((laptop) => isAtWork(laptop) && !isForked(laptop)).length !== 1) return false
    return added.every((name) => {
      const rows = open.flatMap(({ operations }) =>
        operations.ofJob(job).filter(({ payload }) => (payload as { name: string }).name === name)
      )
      return rows.some(
        ({ state }) => state === 'needsAttention' || state === 'failed' || (hasEnded(state) && state !== 'moved')
      )
    })
  }
}
