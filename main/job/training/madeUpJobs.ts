import { message, type Message } from '../../../preload/contract/messages.ts'
import type { JobState, JobSummary } from '../../../preload/contract/job/jobs.ts'
import { makeIdentity } from '../../../simulator/identity.ts'
import { fillFolder, type FillOptions, type WholeJob } from '../../data/store/file/fillFolder.ts'
import { jobIdOf } from '../../data/store/jobs/jobId.ts'
import { canonicalJson, sealEntry, startHash, type JournalEntry } from '../../data/store/jobs/seal.ts'
import { fieldsOfLog, withSalt } from '../../data/store/jobs/sealedFields.ts'
import { unsigned } from '../../data/store/jobs/signature.ts'
import { loadShipped, type Shipped } from '../jobs/checklists/shipped.ts'
import { planSteps } from '../jobs/engine/plan.ts'
import { profileOf } from '../jobs/newJob.ts'
import { plainJson, readJob, summariseJob, type EntryInput, type EntryType } from '../jobs/record/journal.ts'

interface MadeUpJobs {
  jobs: number
  /** The last job ends before this time; the first one began three years earlier. */
  until: Date
  shipped: Shipped
}

const checklists = ['standard-installation', 'service-visit', 'standard-installation', 'trailer', 'removal']
const vehicles = 400
const customers = 40
const technicians = 6
const spanMs = 3 * 365 * 86_400_000
const dayMs = 86_400_000
const workdayMs = 9 * 3_600_000
/** The training uses the same number, so its devices are among these. */
const seed = 7

/** Steps that fail in failed jobs, in turn. */
const failures: readonly { kind: string; summary: Message }[] = [
  { kind: 'externalPower', summary: message('power.none') },
  { kind: 'position', summary: message('position.none', { forS: 300 }) },
  { kind: 'ignition', summary: message('ignition.neverChanged') }
]

/** What jobs with the same checklist and the same end share. */
type Shapes = Map<string, JobSummary>

/** Fills an empty folder with a log of made-up jobs up to now. Refusals: `fillFolder`. */
export function fillWithMadeUpJobs(
  folder: string,
  { jobs, resourcesFolder }: { jobs: number; resourcesFolder: string },
  options: FillOptions = {}
): Promise<void> {
  return fillFolder(folder, madeUpJobs({ jobs, until: new Date(), shipped: loadShipped(resourcesFolder) }), options)
}

/**
 * Whole jobs of simulated vehicles, marked as training, as signed-off, failed and cancelled jobs are logged: to try Fitter
 * with the log of years. In the order of their creation; the same number is always the same job.
 */
function* madeUpJobs({ jobs, until, shipped }: MadeUpJobs): Iterable<WholeJob> {
  const plans = checklists.map((id) => planOf(id, shipped))
  const shapes: Shapes = new Map()
  const identities = Array.from({ length: vehicles }, (_, index) => makeIdentity(seed, index))
  for (let number = 0; number < jobs; number++) {
    const plan = plans[number % plans.length]
    const identity = identities[(number * 17) % vehicles]
    if (plan && identity) yield makeJob({ number, at: timeOf(number, jobs, until), plan, imei: identity.imei, shapes })
  }
}

interface Plan {
  id: string
  template: EntryInput<'jobCreated'>['template']
  profile: EntryInput<'jobCreated'>['profile']
  steps: { id: string; kind: string }[]
  /** The canonical texts of both, which are in the first entry of each log. */
  known: ReadonlyMap<unknown, string>
}

function planOf(id: string, { templates, standardProfile }: Shipped): Plan {
  const found = templates.get(id)
  if (!found) throw new Error(`The checklist ${id} is not among the resources`)
  const template = plainJson(found)
  const profile = plainJson(profileOf(standardProfile, found))
  return {
    id,
    template: template as unknown as Plan['template'],
    profile: profile as unknown as Plan['profile'],
    steps: planSteps(found, null),
    known: new Map([template, profile].map((value) => [value, canonicalJson(value)]))
  }
}

/** Evenly over the years, within working hours. */
function timeOf(number: number, jobs: number, until: Date): number {
  const days = (spanMs / dayMs) * (number / jobs)
  const day = Math.floor((until.getTime() - spanMs) / dayMs) + Math.floor(days)
  return day * dayMs + dayMs / 3 + Math.floor((days % 1) * workdayMs)
}

type End = 'done' | 'skipped' | 'failed' | 'cancelled'

/** Of twelve jobs one fails, one is cancelled, and one has a skipped step. */
function endOf(number: number): End {
  const turn = number % 12
  return turn === 4 ? 'failed' : turn === 9 ? 'cancelled' : turn === 0 ? 'skipped' : 'done'
}

interface JobToMake {
  number: number
  at: number
  plan: Plan
  imei: string
  shapes: Shapes
}

function makeJob({ number, at, plan, imei, shapes }: JobToMake): WholeJob {
  const end = endOf(number)
  const technician = `Technician ${(number % technicians) + 1}`
  const created = {
    template: plan.template,
    profile: plan.profile,
    device: { imei, model: 'ft4', address: '127.0.0.1' },
    vehicleText: '',
    customer: `Customer ${(Math.floor(number / 7) % customers) + 1}`,
    technician,
    order: null,
    isTraining: true,
    nonce: number.toString(16).padStart(32, '0'),
    isSealed: true as const
  }
  const unit = (number * 17) % vehicles
  const vehicle = {
    id: unit + 1,
    name: `Unit ${String(unit + 1).padStart(4, '0')}`,
    plate: `HLD${String(unit + 1).padStart(3, '0')}`
  }
  let ms = at
  const first = {
    seq: 1,
    at: iso(ms),
    type: 'jobCreated',
    stepId: null,
    data: created as unknown as JournalEntry['data']
  }
  const id = jobIdOf(first, plan.known)
  const entries = [sealEntry(startHash(id), first, plan.known)]
  function write<Type extends EntryType>(type: Type, stepId: string | null, data: EntryInput<Type>): void {
    const entry = {
      seq: entries.length + 1,
      at: iso(ms),
      type,
      stepId,
      data: withSalt(type, data as JournalEntry['data'])
    }
    entries.push(sealEntry(entries.at(-1)?.hash ?? '', entry))
  }

  write('vehicleChosen', null, vehicle)
  write('stateChanged', null, { state: 'running', reason: message('jobs.stepWasRun') })
  const failure = failures[Math.floor(number / 12) % failures.length]
  const failsAt = Math.max(
    1,
    plan.steps.findIndex(({ kind }) => kind === failure?.kind)
  )
  for (const [index, { id: stepId, kind }] of plan.steps.entries()) {
    if (end === 'cancelled' && index > 1) break
    if (end === 'skipped' && index === 2) {
      write('waived', stepId, { reason: 'Training', by: technician })
      continue
    }
    const isFailed = end === 'failed' && index === failsAt
    write('stepStarted', stepId, { attempt: 1 })
    ms += lastedMs(number, index)
    if (index === 0)
      write('evidence', stepId, {
        attempt: 1,
        witness: 'device',
        what: message('training.madeUp'),
        raw: { imei },
        thresholds: null
      })
    if (kind === 'signOff') write('namesGiven', stepId, { technician, customer: created.customer })
    write('stepEnded', stepId, {
      attempt: 1,
      state: isFailed ? 'fail' : 'pass',
      summary: isFailed && failure ? failure.summary : message('training.madeUp'),
      remedy: null,
      witness: ['device'],
      durationMs: lastedMs(number, index)
    })
    if (isFailed) break
  }
  const state: JobState = end === 'skipped' ? 'done' : end
  write('stateChanged', null, { state, reason: message('training.madeUp') })
  if (state === 'done') {
    const head = entries.at(-1)?.hash ?? ''
    write('sealed', null, { head, entries: entries.length, at: iso(ms), fields: fieldsOfLog(id, entries), ...unsigned })
  }

  const shape = [plan.id, end, end === 'failed' ? failsAt : ''].join()
  const known = shapes.get(shape) ?? summariseJob(readJob(id, entries))
  shapes.set(shape, known)
  const { device, customer } = created
  return {
    entries,
    summary: { ...known, id, device, vehicle, customer, technician, createdAt: iso(at), updatedAt: iso(ms) }
  }
}

/** As different as real steps are. */
function lastedMs(number: number, index: number): number {
  return index === 0 ? 5_000 : (15 + ((number * 31 + index * 17) % 9) * (4 + index)) * 1_000
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
