import type { Json } from '../../../preload/contract/define.ts'
import { asMessage, type Message, plainMessage } from '../../../preload/contract/messages.ts'
import type { Evidence, Job, Step } from '../../../preload/contract/job/jobs.ts'
import { evidenceEntryType, evidenceOf } from '../../../main/data/store/jobs/evidence.ts'
import { sealEntry, sealOf, startHash, type JournalEntry } from '../../../main/data/store/jobs/seal.ts'

export interface SampleJob {
  job: Job
  entries: JournalEntry[]
}

type Words = Message | string
type StepPlan = Pick<Step, 'id' | 'kind' | 'state' | 'witness'> & {
  title: Words
  instruction: Words
  summary: Words
  remedy?: Words
} & Partial<Omit<Step, 'title' | 'instruction' | 'summary' | 'remedy'>> & {
    seen?: (Pick<Evidence, 'witness' | 'raw' | 'thresholds'> & { what: Words })[]
  }

const startMs = Date.parse('2026-11-19T08:12:04.000Z')

/** A sealed job with the given steps: its log and the job that follows from it. */
export function makeSampleJob(plans: StepPlan[], change: Partial<Job> = {}): SampleJob {
  const id = change.id ?? '01JD2F7Q3XW9V6M0KZ4T8B5HCN'
  const entries: JournalEntry[] = []
  let atMs = startMs
  const write = (type: string, stepId: string | null, data: JournalEntry['data']): JournalEntry => {
    atMs += 21_000
    const at = new Date(atMs).toISOString()
    const entry = sealEntry(entries.at(-1)?.hash ?? startHash(id), { seq: entries.length + 1, at, type, stepId, data })
    entries.push(entry)
    return entry
  }
  write('created', null, { template: 'heavy-truck', version: 2 })
  const steps = plans.map((plan): Step => {
    const { seen = [], title, instruction, summary, remedy, ...rest } = plan
    const startedAt = new Date(atMs).toISOString()
    const collected = seen.map(({ witness, what, raw, thresholds }) => {
      const found = evidenceOf(
        write(evidenceEntryType, plan.id, { attempt: 1, witness, what: what as Json, raw, thresholds })
      )
      if (!found) throw new Error('the sample evidence is not of the contract')
      return found
    })
    if (rest.waiver) write('waived', plan.id, rest.waiver)
    write('state', plan.id, { state: plan.state })
    const isRun = plan.state !== 'waiting'
    return {
      attempts: isRun ? 1 : 0,
      title: asMessage(title),
      instruction: asMessage(instruction),
      summary: summary === '' ? null : asMessage(summary),
      remedy: remedy === undefined || remedy === '' ? null : asMessage(remedy),
      waiver: null,
      startedAt: isRun ? startedAt : null,
      durationMs: isRun ? 42_000 : null,
      evidence: collected,
      ...rest
    }
  })
  write('state', null, { state: change.state ?? 'done' })
  const finished = steps.filter((one) => ['pass', 'warn', 'waived', 'notApplicable'].includes(one.state)).length
  const job: Job = {
    id,
    kind: 'installation',
    state: 'done',
    template: { id: 'heavy-truck', version: 2, name: plainMessage('Heavy truck') },
    device: { imei: '356307042441013', model: 'cc3', address: '192.168.8.1' },
    vehicle: { id: 4711, name: 'Camión 12 · 4821 KLM' },
    customer: 'Áridos y Hormigones del Segura, S.L.',
    technician: 'Technician 7',
    createdAt: new Date(startMs).toISOString(),
    updatedAt: new Date(atMs).toISOString(),
    stepsDone: finished,
    stepsTotal: steps.length,
    profile: { id: 'default', version: 3, name: plainMessage('Default profile') },
    vehicleText: '4821 KLM',
    steps,
    operations: [
      { id: '01JD2FA0QW', kind: 'vehicle.assignDevice', state: 'done' },
      { id: '01JD2FA0QX', kind: 'vehicle.setCounters', state: 'accepted' },
      { id: '01JD2FA0QY', kind: 'ibutton.register', state: 'needsAttention' }
    ],
    seal: '',
    ...change
  }
  return { job: { ...job, seal: sealOf(id, entries) }, entries }
}

/** A truck installation with every step state that a report has to tell apart. */
export function makeTruckJob(): SampleJob {
  return makeSampleJob([
    {
      id: 'identity',
      kind: 'identity',
      title: 'This is the right device',
      instruction: 'Scan or type the IMEI on the label.',
      state: 'pass',
      witness: ['person', 'device'],
      summary: 'The label, the host name and the modem name the same IMEI.',
      seen: [
        {
          witness: 'person',
          what: 'IMEI typed from the label: 356307042441013.',
          raw: '356307042441013',
          thresholds: null
        },
        {
          witness: 'device',
          what: 'The modem reports IMEI 356307042441013.',
          raw: { imei: '356307042441013' },
          thresholds: null
        }
      ]
    },
    {
      id: 'externalPower',
      kind: 'externalPower',
      title: 'External power is steady',
      instruction: 'Leave the supply connected.',
      state: 'pass',
      witness: ['device'],
      durationMs: 61_200,
      summary: 'External power was present for 60 s without a drop.',
      seen: [
        {
          witness: 'device',
          what: 'PWR true in 61 of 61 readings.',
          raw: { pwr: true },
          thresholds: { steadySeconds: 60, dropMaxMs: 2000 }
        }
      ]
    },
    {
      id: 'ignition',
      kind: 'ignition',
      title: 'Ignition follows the key',
      instruction: 'Turn the key off, on and off, twice.',
      state: 'warn',
      witness: ['device', 'gateway'],
      durationMs: 94_000,
      summary: 'IGN followed the key twice. TIG stayed silent 30 s after the engine start.',
      remedy: 'Normal on an electric or hybrid vehicle; otherwise check that the supply is taken at the battery.',
      seen: [
        {
          witness: 'device',
          what: 'IGN changed 4 times with the key; TIG false 30 s after the engine start.',
          raw: { ign: true, tig: false },
          thresholds: { cyclesMin: 2, tigWithinSeconds: 30 }
        },
        { witness: 'gateway', what: 'io_ign followed within 4 s.', raw: { io_ign: true }, thresholds: null }
      ]
    },
    {
      id: 'position',
      kind: 'position',
      title: 'Position is good',
      instruction: 'Move the vehicle outdoors.',
      state: 'pass',
      witness: ['device'],
      summary: '11 satellites, HDOP 0.9, position 2 s old.',
      seen: [
        {
          witness: 'device',
          what: 'Fix 38.07952, -1.12873 with 11 satellites, HDOP 0.9, 2 s old.',
          raw: { satellites: 11 },
          thresholds: { satellitesMin: 6, hdopMax: 1.5, ageMaxSeconds: 10 }
        }
      ]
    },
    {
      id: 'samePlace',
      kind: 'samePlace',
      title: 'The gateway shows the same place',
      instruction: 'Keep the vehicle parked.',
      state: 'waived',
      witness: ['person'],
      summary: 'Device and gateway were 214 m apart.',
      waiver: {
        reason:
          'Vehicle stands in the underground workshop; customer accepts the check on the first trip. Añadido por teléfono: «conforme», José Muñoz.',
        by: 'Technician 7',
        at: '2026-11-19T08:31:10.000Z'
      },
      seen: [
        {
          witness: 'gateway',
          what: 'Device and gateway 214 m apart.',
          raw: { distanceM: 214 },
          thresholds: { distanceMaxM: 50, distanceWarnM: 200 }
        }
      ]
    },
    {
      id: 'delivered',
      kind: 'delivered',
      title: 'Data arrives at the gateway',
      instruction: 'Wait for the next event.',
      state: 'deferred',
      witness: [],
      summary: 'The gateway could not be reached from here; it will be asked when online.'
    },
    {
      id: 'starter',
      kind: 'output',
      title: 'Starter relay works',
      instruction: 'Hold the button while somebody tries to start the engine.',
      state: 'fail',
      witness: ['device', 'person'],
      attempts: 2,
      summary: 'OUT1 was read back as on, the engine still started.',
      remedy: 'The relay is not in the starter circuit: check that the cut wire runs to contact 30 and 87a.',
      seen: [
        {
          witness: 'device',
          what: 'OUT1 on read back, SO1 false, restored to off and read back.',
          raw: { out1: false, so1: false },
          thresholds: { holdSeconds: 5 }
        },
        { witness: 'person', what: 'Effect not confirmed: the engine started.', raw: false, thresholds: null }
      ]
    },
    {
      id: 'canBus',
      kind: 'question',
      title: 'Engine bus data is complete',
      instruction: 'Let the engine run.',
      state: 'unreadable',
      witness: [],
      summary: 'The gateway answered with something that is not a reading of the engine bus.',
      remedy: 'Try again; if it stays, send a support bundle.'
    },
    {
      id: 'trailer',
      kind: 'link',
      title: 'Trailer is linked',
      instruction: 'Choose the trailer.',
      state: 'notApplicable',
      witness: [],
      summary: 'No trailer was chosen.'
    },
    {
      id: 'signOff',
      kind: 'signOff',
      title: 'Signed off',
      instruction: 'Sign off the job.',
      state: 'waiting',
      witness: [],
      summary: ''
    }
  ])
}

/** A job in which every step passed and nothing waits. */
export function makePassedJob(): SampleJob {
  return makeSampleJob(
    [
      {
        id: 'identity',
        kind: 'identity',
        title: 'This is the right device',
        instruction: 'Scan the label.',
        state: 'pass',
        witness: ['person', 'device'],
        summary: 'All ids are equal.',
        seen: [
          {
            witness: 'device',
            what: 'The modem reports the IMEI of the label.',
            raw: { imei: '356307042441013' },
            thresholds: null
          }
        ]
      },
      {
        id: 'position',
        kind: 'position',
        title: 'Position is good',
        instruction: 'Move outdoors.',
        state: 'pass',
        witness: ['device'],
        summary: '9 satellites, HDOP 1.1.',
        seen: [
          {
            witness: 'device',
            what: 'Fix with 9 satellites.',
            raw: { satellites: 9 },
            thresholds: { satellitesMin: 6 }
          }
        ]
      }
    ],
    { operations: [{ id: '01JD2FA0QW', kind: 'vehicle.assignDevice', state: 'done' }] }
  )
}
