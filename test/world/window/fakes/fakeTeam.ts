import type { CallInput, CallOutput } from '../../../../preload/contract/index.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import type { TeamJob, TeamWork } from '../../../../preload/contract/team/team.ts'
import type { TeamCounts, TeamLive } from '../../../../preload/contract/team/teamNews.ts'
import { belongsTo } from '../../../../renderer/base/shell/teamQuestion.ts'
import type { createFakeBridge } from './fakeBridge.ts'
import * as data from '../../data/fakeData.ts'

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
const none = {
  waiting: 0,
  running: 0,
  pass: 0,
  sent: 0,
  warn: 0,
  fail: 0,
  unreadable: 0,
  waived: 0,
  deferred: 0,
  notApplicable: 0
}

export const work: TeamWork = {
  joined: { team: 'North', name: 'Laptop 1', mayWrite: true, at: ago(90_000) },
  server: { host: 'team.example', port: 5432, database: 'fitter', isEncrypted: true },
  pushedAt: ago(1),
  waiting: 0,
  leaving: 0,
  held: [],
  forks: 0,
  stopped: [],
  isPushing: false,
  problem: null,
  nextAt: null
}
export const live: TeamLive = { state: 'listening', since: ago(60), newsAt: null, why: null }

/** A job of the team; the higher its number, the earlier it was made. */
export function teamJob(number: number, more: Partial<TeamJob> = {}): TeamJob {
  return {
    id: `01TEAM${String(number).padStart(4, '0')}`,
    kind: 'installation',
    state: 'running',
    template: { id: 'standard', version: 3, name: plainMessage('Standard installation') },
    device: { imei: `86769804002${String(3000 + number)}`, model: 'syrus4', address: '' },
    vehicle: {
      id: number,
      name: `Unit ${String(number).padStart(4, '0')}`,
      plate: `KRT${String(number).padStart(3, '0')}`
    },
    customer: 'Customer One',
    technician: 'Technician Two',
    createdAt: ago(1000 + number),
    updatedAt: ago(40),
    stepsDone: 2,
    stepsTotal: 12,
    counts: { ...none, pass: 2, waiting: 10 },
    named: [{ title: plainMessage('Position'), state: 'running' }],
    holder: 'Laptop 2',
    isMine: false,
    changedAt: ago(40),
    needsHelp: false,
    endedAt: null,
    entries: 20,
    forks: 0,
    keptAt: null,
    ...more
  }
}

export const failing = teamJob(1, {
  needsHelp: true,
  counts: { ...none, pass: 2, fail: 1, waiting: 9 },
  named: [
    { title: plainMessage('Ignition'), state: 'fail' },
    { title: plainMessage('Position'), state: 'waiting' }
  ]
})
export const mine = teamJob(2, { holder: 'Laptop 1', isMine: true, technician: 'Technician One' })
export const waits = teamJob(3, { state: 'installedAwaitingGateway', counts: { ...none, pass: 10, deferred: 2 } })
export const skipped = teamJob(4, {
  state: 'done',
  endedAt: ago(7000),
  counts: { ...none, pass: 10, waived: 2 },
  named: []
})
export const jobs: readonly TeamJob[] = [failing, mine, waits, skipped]

export const counts: TeamCounts = {
  all: 24,
  needHelp: 1,
  inWork: 2,
  waiting: 1,
  skipped: 1,
  ended: 1,
  assigned: 0,
  technicians: [
    { technician: 'Technician Two', jobs: 20 },
    { technician: 'Technician One', jobs: 4 }
  ],
  technicianCount: 4,
  firstTimeRightPercent: 87,
  customers: [
    { customer: 'Customer One', done: 6, of: 8, late: 2 },
    { customer: 'Customer Two', done: 2, of: 5, late: 0 }
  ]
}

/** The server's answer of these jobs to a question of the list. */
export function pageOf(
  all: readonly TeamJob[],
  { group, search = '', technician, customer, ids, after, limit = 50 }: CallInput<'team.jobs'>
): CallOutput<'team.jobs'> {
  const found = all.filter(
    (job) =>
      (ids === undefined || ids.includes(job.id)) &&
      (group === undefined || belongsTo(group, job)) &&
      (technician === undefined || job.technician === technician) &&
      (customer === undefined || job.customer === customer) &&
      `${job.vehicle?.name ?? ''} ${job.vehicle?.plate ?? ''}`.toLowerCase().includes(search.toLowerCase())
  )
  const from = after === undefined ? 0 : found.findIndex(({ id }) => id === after) + 1
  const page = found.slice(from, from + limit)
  return {
    jobs: page,
    isSimilar: false,
    next: from + limit < found.length ? (page.at(-1)?.id ?? null) : null,
    keptAt: null,
    why: null
  }
}

/** A laptop that has joined, and a server that answers. */
export function teamAnswers(
  all: () => readonly TeamJob[] = () => jobs
): NonNullable<Parameters<typeof createFakeBridge>[0]> {
  return {
    'team.status': () => work,
    'team.watch': ({ isOn }) => ({ ...live, state: isOn ? 'listening' : 'off' }),
    'team.counts': () => counts,
    'team.pins': () => ({ pins: [], kept: { jobs: 0, sizeBytes: 0, mostBytes: 1 } }),
    'team.pin': ({ kind, value = '' }) => ({
      pins: [{ kind, value, jobs: 1, keptAt: ago(1) }],
      kept: { jobs: 1, sizeBytes: 100, mostBytes: 1 }
    }),
    'team.unpin': () => ({ pins: [], kept: { jobs: 0, sizeBytes: 0, mostBytes: 1 } }),
    'team.assigned': () => ({ assigned: [], keptAt: null, why: null, next: null }),
    'team.jobs': (question) => pageOf(all(), question),
    'team.job': ({ id }) => {
      const listed = all().find((job) => job.id === id) ?? failing
      return {
        job: { ...data.job, id, state: listed.state, vehicle: listed.vehicle, updatedAt: listed.updatedAt },
        holder: listed.holder,
        isMine: listed.isMine,
        keptAt: null,
        forks: []
      }
    },
    'team.picture': () => ({ mediaType: 'image/jpeg', base64: '' })
  }
}
