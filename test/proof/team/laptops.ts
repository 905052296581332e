import { randomBytes } from 'node:crypto'
import { createRandom } from '../../../simulator/random.ts'
import { createSecrets } from '../../../main/secrets/keychain.ts'
import { openStore, type Store } from '../../../main/store/index.ts'
import { createTeam, type Team } from '../../../main/team/team.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { summaryOf } from '../../support/jobSummary.ts'

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
  hashes: string[]
  /** The picture that came with it, by its hash. */
  picture: string | null
}

export interface ProofLaptop {
  store: Store
  team: Team
  /** Adds entries, and now and then a picture, to so many jobs: new ones, and ones that are open. */
  work(jobs: number): Promise<Kept[]>
  workOn(jobId: string, entries: number): Kept
  push(): Promise<void>
  /** The same; false where the server or the way to it did not allow it. Everything that is no such failure is thrown. */
  tryPush(): Promise<AppError | null>
  close(): Promise<void>
}

let made = 0

/** The real store and the real push over one data folder. */
export function openProofLaptop({ name, folder, password, open, seed }: LaptopFolder & { seed: number }): ProofLaptop {
  const random = createRandom(seed)
  const store = openStore(folder)
  const team = createTeam({ store, secrets: createSecrets({ inMemory: true }), given: password, limits: { connectMs: 20_000, queryMs: 20_000 } })
  const never = new AbortController().signal

  function workOn(jobId: string, entries: number): Kept {
    const at = new Date().toISOString()
    const given = Array.from({ length: entries }, (_, n) => ({ type: 'evidence', stepId: 'ignition', at, data: { text: `${name} ñ ${String(n)}`, value: random(), more: 'x'.repeat(Math.floor(random() * 800)) } }))
    const added = store.jobs.append(jobId, given, () => summaryOf(jobId, { customer: 'Customer One', technician: name, createdAt: at }))
    return { jobId, hashes: added.map(({ hash }) => hash), picture: null }
  }

  async function addPicture(jobId: string): Promise<string> {
    const file = await store.attachments.write(randomBytes(10_000 + Math.floor(random() * 340_000)))
    store.attachments.keep({ jobId, file, mediaType: 'image/jpeg', at: new Date().toISOString() })
    return file.sha256
  }

  return {
    store,
    team,
    workOn,
    async work(jobs) {
      const kept: Kept[] = []
      for (let n = 0; n < jobs; n++) {
        const isNew = open.length === 0 || random() < 0.4
        const jobId = isNew ? `job-${String(Date.now())}-${String(process.pid)}-${String(++made)}` : (open[Math.floor(random() * open.length)] as string)
        if (isNew) open.push(jobId)
        const added = workOn(jobId, 1 + Math.floor(random() * 40))
        kept.push(random() < 0.1 ? { ...added, picture: await addPicture(jobId) } : added)
        if (open.length > 6) open.shift()
      }
      return kept
    },
    async push() {
      await team.push(never)
    },
    async tryPush() {
      try {
        await team.push(never)
        return null
      } catch (error) {
        if (error instanceof AppError && error.code !== 'INTERNAL') return error
        throw error
      }
    },
    async close() {
      await team.close()
      store.close()
    }
  }
}
