import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { inviteLaptop, makeTeam } from '../../../main/team/admin/members.ts'
import { makeKeptFolder, removeKeptFolder } from '../../world/team/postgres/keptFolders.ts'
import { startPostgres, type PostgresOptions, type PostgresServer } from '../../world/team/postgres/postgresServer.ts'
import { createRandom } from '../../../simulator/random.ts'
import { holdersAreLost } from '../../world/team/teamServer.ts'
import { smallDiskRights } from '../../world/team/postgres/smallDisk.ts'
import { openServerProxy, type ServerProxy } from '../../world/team/postgres/serverProxy.ts'
import { openProofLaptop, type Kept, type LaptopFolder, type ProofLaptop } from './laptops.ts'

export interface Member {
  at: LaptopFolder
  laptop: ProofLaptop
}

/** What was kept on a laptop, whatever became of it: nothing of it may be missing at the server in the end. */
export interface Ledger {
  /** The log of each job, as its hashes. */
  logs: Map<string, string[]>
  /** Entries of logs that are forks, as their hashes. */
  forks: Set<string>
  pictures: Set<string>
}

export interface World {
  /** The primary of this moment. */
  server: PostgresServer
  /** How laptops reach it, wherever it is. */
  way: ServerProxy
  /** How a server of this company is made; one with a disk that has an end, where that can be. */
  options: PostgresOptions
  members: Member[]
  ledger: Ledger
  random(): number
  timesSetBack: number
  timesBehind: number
  timesGiven: number
  folder: string
  end(): Promise<void>
}

/** A company: a server, and laptops that have joined. */
export async function openWorld({
  laptops,
  seed,
  rounds
}: {
  laptops: number
  seed: number
  rounds: number
}): Promise<World> {
  const random = createRandom(seed)
  // Commits wait for the disk, as a company's do. Room for all rounds, and a little to be filled.
  const options = { isDurable: true, ...(smallDiskRights() === null ? {} : { diskMb: Math.round(76 + rounds * 0.4) }) }
  const server = await startPostgres(serverSettings, options)
  const folder = makeKeptFolder('fitter-team-proof-')
  const way = await openServerProxy(server.port)
  const owner = await server.connect()
  await raiseSchema(owner)
  await holdersAreLost(owner)
  await makeTeam(owner, 'North')
  const members: Member[] = []
  for (let n = 1; n <= laptops; n++) {
    const name = `Laptop ${String(n)}`
    const { login, password } = await inviteLaptop(owner, { team: 'North', name, mayWrite: true })
    const at: LaptopFolder = { name, folder: join(folder, `laptop${String(n)}`), password, open: [] }
    mkdirSync(at.folder)
    const laptop = openProofLaptop({ ...at, seed: random() * 1e9 })
    await laptop.team.join({
      team: 'North',
      name,
      server: { host: '127.0.0.1', port: way.port, database: 'postgres', user: login, authority: null },
      password
    })
    members.push({ at, laptop })
  }
  await owner.end()
  const world: World = {
    server,
    way,
    options,
    members,
    ledger: { logs: new Map(), forks: new Set(), pictures: new Set() },
    random,
    timesSetBack: 0,
    timesBehind: 0,
    timesGiven: 0,
    folder,
    async end() {
      for (const { laptop } of members) await laptop.close()
      await way.close()
      await world.server.remove()
      removeKeptFolder(folder)
    }
  }
  return world
}

export const serverSettings = { max_wal_size: '64MB', min_wal_size: '32MB' }

/** Keeps in the ledger what a laptop has on its disk. */
export function note({ ledger }: World, kept: readonly Kept[]): void {
  for (const { jobId, log, picture } of kept) {
    ledger.logs.set(jobId, log)
    if (picture !== null) ledger.pictures.add(picture)
  }
}

export function reopen({ random }: World, member: Member): void {
  member.laptop = openProofLaptop({ ...member.at, seed: random() * 1e9 })
}

/** Two of the laptops. */
export function anyTwo({ members, random }: World): [Member, Member] {
  const first = Math.floor(random() * members.length)
  const second = (first + 1 + Math.floor(random() * (members.length - 1))) % members.length
  return [members[first] as Member, members[second] as Member]
}

/** One of the laptops. */
export function anyMember({ members, random }: World): Member {
  return members[Math.floor(random() * members.length)] as Member
}
