import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createRandom } from '../../../simulator/random.ts'
import { createSecrets } from '../../../main/base/secrets/keychain.ts'
import type { Store } from '../../../main/data/store/index.ts'
import { createHolding, type Holding } from '../../../main/team/holding/holding.ts'
import { createTeam, type Team } from '../../../main/team/team.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { Json } from '../../../preload/contract/define.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { summaryOf } from '../../world/data/jobSummary.ts'
import { openLaptop, type Laptop } from '../../world/team/laptop.ts'

/** What a laptop is between two starts. */
export interface LaptopFolder {
  name: string
  folder: string
  password: string
  /** Jobs that it goes on with. */
  open: string[]
}

export interface Kept {
  jobId: string
  /** What was added now. */
  hashes: string[]
  /** The whole log since then. */
  log: string[]
  /** The picture that came with it, by its hash. */
  picture: string | null
}

export interface ProofLaptop {
  store: Store
  jobs: Laptop['jobs']
  team: Team
  holding: Holding
  logOf(jobId: string): string[]
  /** Adds entries, and now and then a picture, to so many jobs: new ones, and ones that are open. */
  work(jobs: number): Promise<Kept[]>
  /** Null: a new job. */
  workOn(jobId: string | null, entries: number): Kept
  push(): Promise<void>
  /** The failure where the server or the way to it did not allow it. Everything that is no such failure is thrown. */
  attempt(work: () => Promise<unknown>): Promise<AppError | null>
  tryPush(): Promise<AppError | null>
  /** Everything that goes by itself, once; what is left then, null for nothing. */
  settle(): Promise<string | null>
  close(): Promise<void>
}

/** The real store, jobs, push and hand-over over one data folder. */
export function openProofLaptop({ name, folder, password, open, seed }: LaptopFolder & { seed: number }): ProofLaptop {
  const random = createRandom(seed)
  const laptop = openLaptop({ folder, name })
  const { store, jobs } = laptop
  const team = createTeam({
    store,
    secrets: createSecrets({ inMemory: true }),
    given: password,
    limits: { connectMs: 20_000, queryMs: 20_000 }
  })
  const holding = createHolding({
    ...laptop,
    team,
    snapshot: () => null,
    folder: join(folder, 'incoming'),
    now: () => new Date(),
    told: () => undefined
  })
  const never = new AbortController().signal

  function workOn(given: string | null, count: number): Kept {
    const jobId = given ?? laptop.makeJob()
    const before = given === null ? 0 : store.jobs.journal(jobId).length
    const at = new Date().toISOString()
    const entries = Array.from({ length: count }, (_, n) => ({
      type: 'evidence',
      stepId: 'ignition',
      at,
      data: {
        attempt: 0,
        witness: 'device',
        what: plainMessage(`${name} ñ ${String(n)}`),
        raw: { value: random(), more: 'x'.repeat(Math.floor(random() * 800)) },
        thresholds: null
      } as unknown as Json
    }))
    store.jobs.append(jobId, entries, () => store.teamPush.summary(jobId) ?? summaryOf(jobId))
    jobs.reread(jobId)
    const log = logOf(jobId)
    return { jobId, hashes: log.slice(before), log, picture: null }
  }

  const logOf = (jobId: string): string[] => store.jobs.journal(jobId).map(({ hash }) => hash)

  async function addPicture(jobId: string): Promise<string> {
    const file = await store.attachments.write(randomBytes(10_000 + Math.floor(random() * 340_000)))
    store.attachments.keep({ jobId, file, mediaType: 'image/jpeg', at: new Date().toISOString() })
    return file.sha256
  }

  return {
    store,
    jobs,
    team,
    holding,
    logOf,
    workOn,
    async work(count) {
      const kept: Kept[] = []
      for (let n = 0; n < count; n++) {
        const isNew = open.length === 0 || random() < 0.4
        const added = workOn(
          isNew ? null : (open[Math.floor(random() * open.length)] as string),
          1 + Math.floor(random() * 40)
        )
        if (isNew) open.push(added.jobId)
        kept.push(random() < 0.1 ? { ...added, picture: await addPicture(added.jobId) } : added)
        if (open.length > 6) open.shift()
      }
      return kept
    },
    async push() {
      await team.push(never)
    },
    attempt,
    tryPush: () => attempt(() => team.push(never)),
    async settle() {
      const failure = await attempt(async () => {
        await team.push(never)
        await holding.goOn(never)
        await holding.pull(never)
        await team.push(never)
      })
      const { waiting, leaving } = team.status()
      if (failure)
        return `${failure.sentence.id} ${JSON.stringify(failure.sentence.values)} ${String((failure.cause as Error | undefined)?.message)}`
      return waiting + leaving === 0 ? null : `${String(waiting)} jobs wait, ${String(leaving)} leave`
    },
    async close() {
      await team.close()
      laptop.end()
    }
  }
}

async function attempt(work: () => Promise<unknown>): Promise<AppError | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof AppError && error.code !== 'INTERNAL') return error
    throw error
  }
}
