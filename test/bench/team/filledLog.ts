import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'pg'
import { createCore, sourceResourcesFolder } from '../../../main/app/core.ts'
import { createSecrets } from '../../../main/base/secrets/keychain.ts'
import { openStore } from '../../../main/data/store/index.ts'
import { wordsOf } from '../../../main/data/store/jobs/jobWords.ts'
import { inviteLaptop, makeTeam } from '../../../main/team/admin/members.ts'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { createTeam } from '../../../main/team/team.ts'
import { startPostgres, type PostgresServer } from '../../world/team/postgres/postgresServer.ts'
import { madeUpJob } from '../../world/data/madeUpLog.ts'
import { summaryOf } from '../../world/data/jobSummary.ts'

export interface FilledLog {
  server: PostgresServer
  owner: Client
  laptop: Client
  teamId: string
  laptopId: string
  /** A job of 300 entries, pushed as a laptop pushes it. */
  longJob: string
  remove(): Promise<void>
}

/** A team log with so many jobs of ten entries each: their rows as pushing makes them, written in bulk. */
export async function fillLog({ jobs }: { jobs: number }): Promise<FilledLog> {
  const server = await startPostgres({ shared_buffers: '256MB', max_wal_size: '4GB' })
  const owner = await server.connect()
  await raiseSchema(owner)
  const teamId = await makeTeam(owner, 'Bench')
  const { login, password } = await inviteLaptop(owner, { team: 'Bench', name: 'Laptop 1', mayWrite: true })
  const { rows } = await owner.query<{ id: string; month: string }>(
    "select id, date_trunc('month', now())::date::text as month from fitter.laptop"
  )
  const [own] = rows
  await owner.query('select fitter.keep_month($1::date)', [own?.month])
  for (let first = 0; first < jobs; first += 5_000) {
    const made = Array.from({ length: Math.min(5_000, jobs - first) }, (_, at) => rowOf(first + at))
    await owner.query(
      `insert into fitter.job (team_id, id, holder, head_seq, head_hash, kind, state, template, imei, model, vehicle, customer, technician, made_at, shown, words)
       select $1, id, $2, 10, md5(id) || md5(id), kind, state, template, imei, model, vehicle, customer, technician, "madeAt", shown, words
       from jsonb_to_recordset($3::jsonb) as row (id text, kind text, state text, template text, imei text, model text, vehicle text, customer text, technician text, "madeAt" timestamptz, shown jsonb, words text)`,
      [teamId, own?.id, JSON.stringify(made)]
    )
    await owner.query(
      `insert into fitter.entry (team_id, month, job_id, seq, text, hash, pushed_by)
       select $1, $2, id, seq, format('{"at":"2026-03-01T10:00:00.000Z","data":{"attempt":1,"what":"%s"},"seq":%s,"stepId":"ignition","type":"evidence"}', repeat('x', 200), seq), md5(id || seq) || md5(seq::text), $3
       from unnest($4::text[]) id, generate_series(1, 10) seq`,
      [teamId, own?.month, own?.id, made.map(({ id }) => id)]
    )
  }
  await owner.query('vacuum analyze')
  const longJob = await pushLongJob({
    team: 'Bench',
    name: 'Laptop 1',
    server: { host: '127.0.0.1', port: server.port, database: 'postgres', user: login, authority: null },
    password
  })
  const laptop = await server.connect({ ...server.owner, user: login, password })
  return {
    server,
    owner,
    laptop,
    teamId,
    laptopId: own?.id ?? '',
    longJob,
    async remove() {
      await laptop.end()
      await owner.end()
      await server.remove()
    }
  }
}

function rowOf(number: number): { id: string } & Record<string, unknown> {
  const job = madeUpJob(number)
  const { id, kind, state, template, device, vehicle, customer, technician, createdAt } = job
  return {
    id,
    kind,
    state,
    template: template.id,
    imei: device.imei,
    model: device.model,
    vehicle: vehicle?.name ?? '',
    customer,
    technician,
    madeAt: createdAt,
    shown: job,
    words: wordsOf(job)
  }
}

async function pushLongJob(joining: Parameters<ReturnType<typeof createTeam>['join']>[0]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'fitter-bench-team-'))
  const core = createCore({
    dataFolder: folder,
    resourcesFolder: sourceResourcesFolder,
    inMemorySecrets: true,
    reportFault: (fault) => process.stderr.write(`${String(fault)}\n`)
  })
  const id = core.jobs.create({
    templateId: 'standard-installation',
    device: { imei: '356938035643809', model: 'ft4', address: '192.168.1.20:80' },
    vehicleText: 'Truck 1',
    customer: 'Customer One'
  })
  await core.stop()
  const store = openStore(folder)
  const data = {
    attempt: 1,
    witness: 'device',
    what: { id: 'plain.text', values: { text: `A reading ${'x'.repeat(250)}` } },
    raw: { voltage: 12.4 },
    thresholds: null
  }
  store.jobs.append(
    id,
    Array.from({ length: 299 }, () => ({ type: 'evidence', stepId: 'ignition', data, at: '2026-03-01T10:00:00.000Z' })),
    () => summaryOf(id)
  )
  const team = createTeam({ store, secrets: createSecrets({ inMemory: true }) })
  await team.join(joining)
  await team.push(new AbortController().signal)
  store.close()
  rmSync(folder, { recursive: true })
  return id
}
