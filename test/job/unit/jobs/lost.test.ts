import { afterEach, beforeEach, expect, it } from 'vitest'
import { standardStep } from '../../../world/device/quickProfile.ts'
import { openVirtualJob, type VirtualJob } from '../../../world/device/virtualJob.ts'

let job: VirtualJob
beforeEach(async () => {
  job = openVirtualJob([standardStep('output-1'), standardStep('sign-off')])
  job.answers = { arm: { armed: true } }
  await job.connect()
})
afterEach(() => job.close())

const lost = { by: 'Laptop 2', at: '2026-11-20T09:05:00.000Z', reason: 'Its laptop was stolen' }

/** Moves the clock until it is over. */
async function ended(work: Promise<void>): Promise<void> {
  let isOver = false
  void work.finally(() => (isOver = true)).catch(() => undefined)
  for (let passedMs = 0; !isOver && passedMs < 30_000; passedMs += 500) await job.pass(500)
  await work
}

it('a step of a job that somebody took over ends with that word, its output goes off first, and nothing is added any more', async () => {
  job.begin('output-1')
  for (let passedMs = 0; !job.vehicle.state().outputs.OUT1 && passedMs < 30_000; passedMs += 500) await job.pass(500)
  expect(job.vehicle.state().outputs.OUT1).toBe(true)
  let wasOn: boolean | undefined
  await ended(
    job.jobs.lose([{ jobId: job.id, ...lost }], (mark) => {
      wasOn = job.vehicle.state().outputs.OUT1
      mark()
    })
  )
  expect(wasOn).toBe(false)
  expect(job.commands).toEqual(['OUT1 on', 'OUT1 off'])
  expect(job.outputs.ledger()).toEqual([])
  expect(job.step('output-1')).toMatchObject({
    state: 'waiting',
    summary: 'Laptop 2 has taken this job over (Its laptop was stolen). It is read-only on this laptop.'
  })
  expect(job.jobs.live(job.id)).toMatchObject({ active: false })
  expect(job.jobs.show(job.id).handedOver).toMatchObject({
    to: 'Laptop 2',
    takenOver: { by: 'Laptop 2', reason: 'Its laptop was stolen' }
  })
  expect(job.jobs.isWhole(job.id)).toBe(false)
  expect(() =>
    job.jobs.recordWrite(job.id, { phase: 'intent', operation: 'io.setOutput', input: {}, what: '', raw: null })
  ).toThrow(expect.objectContaining({ code: 'CONFLICT' }))
  await expect(job.jobs.waive(job.id, 'output-1', 'No time for it', 'Technician One')).rejects.toMatchObject({
    code: 'CONFLICT'
  })
  // A new start changes nothing of it.
  job.restart()
  expect(job.jobs.show(job.id).handedOver).toMatchObject({ takenOver: { by: 'Laptop 2' } })
  expect(() => job.jobs.start(job.id, new AbortController().signal)).toThrow(
    expect.objectContaining({ code: 'CONFLICT' })
  )
})
