import type { JobState } from '../../../preload/contract/job/jobs.ts'
import { message, plainMessage } from '../../../preload/contract/messages.ts'
import { sourceResourcesFolder } from '../../../main/app/core.ts'
import { newEntry, readJob, summariseJob } from '../../../main/job/jobs/record/journal.ts'
import { loadShipped } from '../../../main/job/jobs/checklists/shipped.ts'
import { openStore } from '../../../main/data/store/index.ts'

const customers = ['Customer One', 'Customer Two', 'Customer Three', 'Customer Four', 'Customer Five']
const technicians = ['Technician One', 'Technician Two', 'Technician Three']
const templates = ['standard-installation', 'service-visit', 'trailer']
const states: readonly JobState[] = ['done', 'done', 'failed', 'done', 'cancelled', 'done']
const dayMs = 86_400_000
/** What the failed jobs failed with, in turn. */
const failures = [
  ['externalPower', message('power.none')],
  ['position', message('position.none', { forS: 300 })],
  ['externalPower', message('power.none')],
  ['ignition', message('ignition.neverChanged')]
] as const
/** As different as real steps are, and the same in every run; the identity always takes 5 s. */
const lastedMs = (number: number, index: number) =>
  index === 0 ? 5_000 : (15 + ((number * 31 + index * 17) % 9) * (4 + index)) * 1_000

/**
 * Fills a data folder with whole jobs of past days, three a day: each has a log that can be read, so that a report can
 * be made of it. The newest ended `firstAt`; one in six that are done has skipped steps.
 */
export function makePastJobs(folder: string, count: number, firstAt = new Date()): void {
  const { templates: known, profiles } = loadShipped(sourceResourcesFolder)
  const store = openStore(folder)
  store.together(() => {
    for (let number = count - 1; number >= 0; number--) {
      const at = new Date(firstAt.getTime() - (number * dayMs) / 3).toISOString()
      const template = known.get(templates[number % templates.length] ?? '')
      const profile = profiles.get('standard')
      if (!template || !profile) throw new Error('The checklists that come with Fitter are not there.')
      const state = states[number % states.length] ?? 'done'
      const created = newEntry('jobCreated', null, {
        template,
        profile,
        device: { imei: String(350_000_000_000_000 + number * 7_919), model: 'cc3', address: '127.0.0.1:8080' },
        vehicleText: '',
        customer: customers[number % customers.length] ?? '',
        technician: technicians[number % technicians.length] ?? ''
      })
      const [failedKind, failure] = failures[Math.floor(number / states.length) % failures.length] ?? failures[0]
      const failedAt = Math.max(
        3,
        template.steps.findIndex(({ kind }) => kind === failedKind)
      )
      const ended = template.steps.flatMap((step, index) => {
        if (state === 'cancelled' && index > 1) return []
        if (state === 'done' && number % 12 === 0 && step.kind === 'ignition')
          return [newEntry('waived', step.id, { reason: 'No key at hand', by: 'Technician One' })]
        const isLast = state === 'failed' && index === failedAt
        if (state === 'failed' && index > failedAt) return []
        return [
          newEntry('stepEnded', step.id, {
            attempt: 1,
            state: isLast ? 'fail' : 'pass',
            summary: isLast ? failure : plainMessage('Seen.'),
            remedy: null,
            witness: ['device'],
            durationMs: lastedMs(number, index)
          })
        ]
      })
      const vehicle = newEntry('vehicleChosen', null, {
        id: number,
        name: `Unit ${String(number).padStart(4, '0')}`,
        plate: `HLD${String(number % 1_000).padStart(3, '0')}`
      })
      const entries = [created, vehicle, ...ended, newEntry('stateChanged', null, { state, reason: plainMessage('') })]
      const id = `past-${String(number).padStart(6, '0')}`
      const lasted = entries.map(({ type }, index) => (type === 'stepEnded' ? lastedMs(number, index - 2) : 0))
      const timed = entries.map((entry, index) => ({
        ...entry,
        at: new Date(Date.parse(at) - lasted.slice(index + 1).reduce((sum, ms) => sum + ms, 0)).toISOString()
      }))
      store.jobs.append(id, timed, (added) => summariseJob(readJob(id, added)))
    }
  })
  store.close()
}
