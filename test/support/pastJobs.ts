import type { JobState } from '../../preload/contract/jobs/jobs.ts'
import { plainMessage } from '../../preload/contract/messages.ts'
import { sourceResourcesFolder } from '../../main/app/core.ts'
import { newEntry, readJob, summariseJob } from '../../main/jobs/record/journal.ts'
import { loadShipped } from '../../main/jobs/checklists/shipped.ts'
import { openStore } from '../../main/store/index.ts'

const customers = ['Customer One', 'Customer Two', 'Customer Three', 'Customer Four', 'Customer Five']
const technicians = ['Technician One', 'Technician Two', 'Technician Three']
const templates = ['standard-installation', 'service-visit', 'trailer']
const states: readonly JobState[] = ['done', 'done', 'failed', 'done', 'cancelled', 'done']
const dayMs = 86_400_000

/**
 * Fills a data folder with whole jobs of past days, three a day: each has a log that can be read, so that a report can be
 * made of it. The newest was made `firstAt`; one in six that are done has skipped steps.
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
      const ended = template.steps.flatMap((step, index) => {
        if (state === 'cancelled' && index > 1) return []
        if (state === 'done' && number % 12 === 0 && step.kind === 'ignition') return [newEntry('waived', step.id, { reason: 'No key at hand', by: 'Technician One' })]
        const isLast = state === 'failed' && index === 3
        if (state === 'failed' && index > 3) return []
        return [newEntry('stepEnded', step.id, { attempt: 1, state: isLast ? 'fail' : 'pass', summary: plainMessage('Seen.'), remedy: null, witness: ['device'], durationMs: 5_000 })]
      })
      const vehicle = newEntry('vehicleChosen', null, { id: number, name: `Unit ${String(number).padStart(4, '0')}`, plate: `HLD${String(number % 1_000).padStart(3, '0')}` })
      const entries = [created, vehicle, ...ended, newEntry('stateChanged', null, { state, reason: plainMessage('') })]
      const id = `past-${String(number).padStart(6, '0')}`
      store.jobs.append(id, entries.map((entry) => ({ ...entry, at })), (added) => summariseJob(readJob(id, added)))
    }
  })
  store.close()
}
