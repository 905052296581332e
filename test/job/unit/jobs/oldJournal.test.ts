import { describe, expect, it } from 'vitest'
import { readJob } from '../../../../main/job/jobs/record/journal.ts'
import { sealEntry, startHash, verifyChain, type JournalEntry } from '../../../../main/data/store/jobs/seal.ts'
import type { Json } from '../../../../preload/contract/define.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { quickProfile } from '../../../world/device/quickProfile.ts'

const id = '01JD2F7Q3XW9V6M0KZ4T8B5HCN'

/**
 * The log of a job as the first version wrote it: sentences where there are messages now, and inputs counted by
 * changes.
 */
function firstVersionLog(): JournalEntry[] {
  const { inputs, ...profile } = quickProfile
  const { cycles: _cycles, ...times } = inputs
  const step = {
    id: 'external-power',
    kind: 'externalPower',
    title: 'External power',
    instruction: 'Leave the power connected.'
  }
  const written: [string, string | null, unknown][] = [
    [
      'jobCreated',
      null,
      {
        template: { id: 'some', version: 1, name: 'Some steps', kind: 'installation', description: '', steps: [step] },
        profile: { ...profile, name: 'Standard', inputs: { ...times, changes: 4 } },
        device: { imei: '490154203237518', model: 'ft4', address: 'a:80' },
        vehicleText: '',
        customer: '',
        technician: 'T'
      }
    ],
    ['stepStarted', step.id, { attempt: 1 }],
    ['evidence', step.id, { attempt: 1, witness: 'device', what: 'PWR present', raw: { PWR: true }, thresholds: null }],
    [
      'stepEnded',
      step.id,
      { attempt: 1, state: 'pass', summary: 'steady for 60 s', remedy: '', witness: ['device'], durationMs: 60_000 }
    ],
    ['stateChanged', null, { state: 'running', reason: 'A step was run.' }]
  ]
  const entries: JournalEntry[] = []
  for (const [type, stepId, data] of written) {
    const entry = { seq: entries.length + 1, at: '2026-03-01T10:00:00.000Z', type, stepId, data: data as Json }
    entries.push(sealEntry(entries.at(-1)?.hash ?? startHash(id), entry))
  }
  return entries
}

describe('A log of the first version', () => {
  const entries = firstVersionLog()
  const job = readJob(id, entries)

  it('keeps its seal', () => {
    expect(verifyChain(id, entries)).toEqual({ ok: true })
    expect(job.seal).toBe(entries.at(-1)?.hash)
  })

  it('is read with its own words', () => {
    expect(job.template.name).toEqual(plainMessage('Some steps'))
    expect(job.steps[0]).toMatchObject({
      title: plainMessage('External power'),
      summary: plainMessage('steady for 60 s'),
      remedy: null,
      state: 'pass'
    })
    expect(job.steps[0]?.evidence).toMatchObject([{ what: plainMessage('PWR present') }])
  })

  it('counts two changes of an input as once on and off', () => {
    expect(job.thresholds.inputs.cycles).toBe(2)
  })
})
