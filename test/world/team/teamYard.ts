import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sourceResourcesFolder } from '../../../main/app/core.ts'
import {
  newEntry,
  readJob,
  summariseJob,
  type EntryInput,
  type EntryType
} from '../../../main/job/jobs/record/journal.ts'
import { planSteps } from '../../../main/job/jobs/engine/plan.ts'
import { loadShipped } from '../../../main/job/jobs/checklists/shipped.ts'
import { createSecrets } from '../../../main/base/secrets/keychain.ts'
import { openStore, type Store } from '../../../main/data/store/index.ts'
import { canonicalJson, sealEntry, startHash } from '../../../main/data/store/jobs/seal.ts'
import { writeJoinFile } from '../../../main/team/server/joinFile.ts'
import { inviteLaptop, makeTeam } from '../../../main/team/admin/members.ts'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { createTeam } from '../../../main/team/team.ts'
import type { JobState } from '../../../preload/contract/job/jobs.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { startPostgres, type PostgresServer } from './postgres/postgresServer.ts'
import { putEmptyData } from '../data/emptyData.ts'
import { jpegPicture } from '../data/pictures.ts'

const template = loadShipped(sourceResourcesFolder).templates.get('standard-installation')
const profile = loadShipped(sourceResourcesFolder).profiles.get('standard')

/** How far a job is: this many steps passed; then one failed, runs, or nothing more; these were skipped before. */
export interface YardJob {
  number: number
  customer: string
  technician: string
  passed: number
  then?: 'fails' | 'runs'
  skipped?: readonly number[]
  state?: JobState
  /** When it was made, before now. */
  agoMin: number
  photos?: number
}

export interface YardLaptop {
  store: Store
  /** Writes a job into its log, and its id. */
  work(job: YardJob): Promise<string>
  /** One entry more in the log of a job. */
  add<Type extends EntryType>(id: string, type: Type, stepId: string | null, data: EntryInput<Type>): void
  push(): Promise<unknown>
}

export interface TeamYard {
  server: PostgresServer
  /** The text of the file of an invitation. */
  invite(name: string): Promise<string>
  laptop(name: string): Promise<YardLaptop>
  /** A laptop of this name offers a job with waiting gateway work to the first that takes it. */
  offer(name: string, vehicle: string): Promise<void>
  /** The log of a job went on otherwise on another laptop: its last entry in the team log is another one. */
  fork(jobId: string): Promise<void>
  close(): Promise<void>
}

/** A real server with one team, and laptops in this process that push what they wrote. */
export async function startTeamYard(): Promise<TeamYard> {
  const server = await startPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'fitter-team-yard-'))
  const stores: Store[] = []
  const givers: { end(): void }[] = []
  const owner = await server.connect()
  await raiseSchema(owner)
  await makeTeam(owner, 'North')
  await owner.end()

  async function joiningOf(name: string) {
    const asOwner = await server.connect()
    const { login, password } = await inviteLaptop(asOwner, { team: 'North', name, mayWrite: true })
    await asOwner.end()
    return {
      team: 'North',
      name,
      server: { host: '127.0.0.1', port: server.port, database: 'postgres', user: login, authority: null },
      password
    }
  }

  return {
    server,
    invite: async (name) => writeJoinFile(await joiningOf(name)),
    async laptop(name) {
      putEmptyData(join(folder, name))
      const store = openStore(join(folder, name))
      stores.push(store)
      const team = createTeam({ store, secrets: createSecrets({ inMemory: true }) })
      await team.join(await joiningOf(name))
      return {
        store,
        work: (job) => writeJob(store, job),
        add: (id, type, stepId, data) =>
          append(store, id, [{ at: new Date().toISOString(), ...newEntry(type, stepId, data) }]),
        push: () => team.push(new AbortController().signal)
      }
    },
    async offer(name, vehicle) {
      const { openTeamLaptop } = await import('./teamLaptop.ts')
      const giver = await openTeamLaptop({ name, folder: join(folder, name), joining: await joiningOf(name) })
      givers.push(giver)
      const job = giver.makeJob(vehicle)
      for (const key of ['A1', 'B2'])
        giver.operations.add({
          kind: 'ibuttons.create',
          key: `ibutton:${key}`,
          title: plainMessage(`Key fob ${key}`),
          payload: { id: key, assetId: 1, assetName: vehicle },
          jobId: job,
          draft: false
        })
      await giver.holding.handOver({ jobIds: [job], to: '' }, new AbortController().signal)
    },
    async fork(jobId) {
      const asOwner = await server.connect()
      const { rows } = await asOwner.query<{ seq: string; hash: string }>(
        'select seq, hash from fitter.entry where job_id = $1 order by seq desc limit 2',
        [jobId]
      )
      const [last, before] = rows
      const entry = sealEntry(before?.hash ?? startHash(jobId), {
        seq: Number(last?.seq),
        at: new Date().toISOString(),
        ...newEntry('stateChanged', null, { state: 'running', reason: plainMessage('connected') })
      })
      const { hash, ...text } = entry
      await asOwner.query('update fitter.entry set text = $3, hash = $4 where job_id = $1 and seq = $2', [
        jobId,
        entry.seq,
        canonicalJson(text),
        hash
      ])
      await asOwner.query('update fitter.job set head_hash = $2 where id = $1', [jobId, hash])
      await asOwner.end()
    },
    async close() {
      for (const giver of givers) giver.end()
      for (const store of stores) store.close()
      await server.remove()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

type Written = ReturnType<typeof newEntry> & { at: string }

function append(store: Store, id: string, entries: Written[]): void {
  const before = store.jobs.journal(id)
  store.jobs.append(id, entries, (added) => summariseJob(readJob(id, [...before, ...added])))
}

async function writeJob(
  store: Store,
  { number, customer, technician, passed, then, skipped = [], state, agoMin, photos = 0 }: YardJob
): Promise<string> {
  if (!template || !profile) throw new Error('The checklists that come with Fitter are not there.')
  const id = `01TEAMYARD${String(number).padStart(6, '0')}`
  const beginMs = Date.now() - agoMin * 60_000
  const steps = planSteps(template, null)
  const entries: Written[] = []
  const everyMs = Math.max(200, (agoMin * 60_000 - 30_000) / (steps.length * 3 + 4))
  const write = <Type extends EntryType>(type: Type, stepId: string | null, data: EntryInput<Type>) =>
    entries.push({ at: new Date(beginMs + entries.length * everyMs).toISOString(), ...newEntry(type, stepId, data) })
  write('jobCreated', null, {
    template,
    profile,
    device: { imei: `86769804002${String(3000 + number)}`, model: 'ft4', address: '192.168.4.1' },
    vehicleText: '',
    customer,
    technician,
    order: null
  })
  write('vehicleChosen', null, {
    id: number,
    name: `Unit ${String(number).padStart(4, '0')}`,
    plate: `KRT${String(number).padStart(3, '0')}`
  })
  write('stateChanged', null, { state: 'running', reason: plainMessage('connected') })
  for (const [place, { id: stepId }] of steps.entries()) {
    if (skipped.includes(place)) {
      write('waived', stepId, { reason: 'The part comes with the next visit', by: technician })
      continue
    }
    if (place > passed || (place === passed && then === undefined)) break
    write('stepStarted', stepId, { attempt: 1 })
    write('evidence', stepId, {
      attempt: 1,
      witness: place % 3 === 2 ? 'gateway' : 'device',
      what: plainMessage(place === passed ? 'The line never changed in 2 tries' : `Steady for ${String(20 + place)} s`),
      raw: { value: place },
      thresholds: null
    })
    if (place === passed && then === 'runs') break
    const fails = place === passed
    write('stepEnded', stepId, {
      attempt: 1,
      state: fails ? 'fail' : 'pass',
      summary: plainMessage(fails ? 'The engine is running, but the line never moved.' : 'As it should be.'),
      remedy: fails ? plainMessage('Check the wire at the ignition lock.') : null,
      witness: ['device'],
      durationMs: 8_000
    })
  }
  if (state) write('stateChanged', null, { state, reason: plainMessage('') })
  append(store, id, entries)
  for (let n = 0; n < photos; n++) {
    const bytes = jpegPicture(640, 480, (x, y) => Math.max(30, 230 - Math.hypot(x - 220 - n * 180, y - 200) / 2))
    const file = await store.attachments.write(bytes)
    store.attachments.keep({ jobId: id, file, mediaType: 'image/jpeg', at: new Date().toISOString() })
    append(store, id, [
      {
        at: new Date().toISOString(),
        ...newEntry('attached', null, {
          attempt: 1,
          sha256: file.sha256,
          reportSha256: file.sha256,
          mediaType: 'image/jpeg',
          bytes: bytes.length,
          width: 640,
          height: 480,
          purpose: 'other',
          takenAt: null,
          keptAt: new Date(beginMs).toISOString(),
          source: 'file',
          latitude: null,
          longitude: null,
          placeSource: null
        })
      }
    ])
  }
  return id
}

/** A day of four laptops, as pictures want it. */
export async function workOfADay(yard: TeamYard): Promise<{ failing: string }> {
  const [two, three, four] = [
    await yard.laptop('Laptop 2'),
    await yard.laptop('Laptop 3'),
    await yard.laptop('Laptop 4')
  ]
  const one = { customer: 'Customer One', technician: 'Technician Two' }
  const failing = await two.work({ ...one, number: 31, passed: 3, then: 'fails', agoMin: 12, photos: 2 })
  await two.work({ ...one, number: 30, passed: 99, state: 'done', agoMin: 75 })
  await two.work({ ...one, number: 29, passed: 99, state: 'done', skipped: [4, 8], agoMin: 130 })
  await three.work({
    number: 118,
    customer: 'Customer Two',
    technician: 'Technician Three',
    passed: 5,
    then: 'runs',
    agoMin: 20
  })
  await three.work({
    number: 117,
    customer: 'Customer Two',
    technician: 'Technician Three',
    passed: 11,
    state: 'installedAwaitingGateway',
    agoMin: 90
  })
  await three.work({
    number: 116,
    customer: 'Customer Two',
    technician: 'Technician Three',
    passed: 99,
    state: 'done',
    agoMin: 160
  })
  await four.work({
    number: 22,
    customer: 'Customer Three',
    technician: 'Technician Four',
    passed: 8,
    then: 'runs',
    skipped: [5],
    agoMin: 31
  })
  await four.work({
    number: 19,
    customer: 'Customer Three',
    technician: 'Technician Four',
    passed: 99,
    state: 'done',
    agoMin: 100
  })
  for (const laptop of [two, three, four]) await laptop.push()
  return { failing }
}
