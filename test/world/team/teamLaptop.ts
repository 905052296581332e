import path from 'node:path'
import { onTestFinished } from 'vitest'
import { createSecrets } from '../../../main/base/secrets/keychain.ts'
import { createHolding, type Holding } from '../../../main/team/holding/holding.ts'
import type { Joining } from '../../../main/team/server/joinFile.ts'
import { inviteLaptop, makeTeam } from '../../../main/team/admin/members.ts'
import { createTeam, type Team } from '../../../main/team/team.ts'
import type { Pulled } from '../../../preload/contract/team/teamHolding.ts'
import type { PostgresServer } from './postgres/postgresServer.ts'
import { openLaptop, type Laptop, type LaptopOptions } from './laptop.ts'
import { tempFolder } from '../tempFolder.ts'

/** Fitter on one laptop with the team log. */
export interface TeamLaptop extends Laptop {
  team: Team
  holding: Holding
  told: Pick<Pulled, 'arrived' | 'lost'>[]
}

export interface TeamLaptopOptions extends LaptopOptions {
  /** How it joined; the invitation is used once, the data folder remembers it. */
  joining: Joining
}

/** An invitation of a laptop of this name. */
export async function invitation(server: PostgresServer, teamName: string, name: string): Promise<Joining> {
  const owner = await server.connect()
  await makeTeam(owner, teamName)
  const { login, password } = await inviteLaptop(owner, { team: teamName, name, mayWrite: true })
  await owner.end()
  return {
    team: teamName,
    name,
    password,
    server: { host: '127.0.0.1', port: server.port, database: 'postgres', user: login, authority: null }
  }
}

/** The laptop of a data folder that joined, or joins now. */
export async function openTeamLaptop({
  joining,
  instant = () => undefined,
  ...options
}: TeamLaptopOptions): Promise<TeamLaptop> {
  const laptop = openLaptop({ ...options, instant })
  const { store } = laptop
  const own = createTeam({
    store,
    secrets: createSecrets({ inMemory: true }),
    given: joining.password,
    limits: { connectMs: 5_000, queryMs: 10_000 }
  })
  if (!own.isMember()) await own.join(joining)
  // A process may die before each question to the server, and before its answer is heard.
  const team: Team = {
    ...own,
    async ask(act, signal) {
      const answer = await own.ask((client, member) => act(withInstants(client, instant, ['query']), member), signal)
      instant()
      return answer
    }
  }
  const told: TeamLaptop['told'] = []
  const holding = createHolding({
    team,
    store: { ...store, teamHolding: withInstants(store.teamHolding, instant) },
    transfers: laptop.transfers,
    jobs: laptop.jobs,
    operations: laptop.operations,
    snapshot: (jobId, sha256) => laptop.snapshots.named(jobId, sha256),
    folder: path.join(options.folder, 'fitter.transfers'),
    now: () => new Date(options.nowMs?.() ?? Date.now()),
    told: (pulled) => told.push(pulled)
  })
  return { ...laptop, team, holding, told }
}

/** One that joins now, under a name of its own, and is closed when the test is over. */
export async function joinedLaptop(
  server: PostgresServer,
  teamName: string,
  name: string,
  options: Partial<LaptopOptions> = {}
): Promise<TeamLaptop & { joining: Joining; folder: string }> {
  const joining = await invitation(server, teamName, name)
  const folder = options.folder ?? tempFolder()
  const laptop = await openTeamLaptop({ name, ...options, folder, joining })
  let isOver = false
  const end = (): void => {
    if (!isOver) laptop.end()
    isOver = true
  }
  onTestFinished(end)
  return { ...laptop, end, joining, folder }
}

/** Adds a picture to a job, which its log names; its hash. */
export async function attachPicture({ store, jobs }: Laptop, jobId: string, seed: number): Promise<string> {
  const at = '2026-03-01T10:00:00.000Z'
  const picture = new Uint8Array(300_000).map((_byte, place) => (place * seed) % 251)
  const sha256 = store.attachments.keep({
    jobId,
    file: await store.attachments.write(picture),
    mediaType: 'image/jpeg',
    at
  })
  const attached = {
    attempt: 0,
    sha256,
    reportSha256: sha256,
    mediaType: 'image/jpeg',
    bytes: picture.length,
    width: 1,
    height: 1,
    purpose: 'other',
    takenAt: null,
    keptAt: at,
    source: 'file',
    latitude: null,
    longitude: null,
    placeSource: null
  }
  store.jobs.append(
    jobId,
    [{ type: 'attached', stepId: null, data: attached, at }],
    () => store.teamPush.summary(jobId) as never
  )
  jobs.reread(jobId)
  return sha256
}

function withInstants<T extends object>(real: T, instant: () => void, only?: readonly string[]): T {
  return new Proxy(real, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function' || (only && !only.includes(String(key)))) return value
      return (...parameters: unknown[]) => {
        instant()
        const result: unknown = Reflect.apply(value, target, parameters)
        if (result instanceof Promise) return result.then((answer: unknown) => (instant(), answer))
        instant()
        return result
      }
    }
  })
}
