import { afterEach, describe, expect, it } from 'vitest'
import { order } from '../../../../preload/contract/job/orders.ts'
import { stepOfWords } from '../../../world/window/english.ts'
import { standardStep } from '../../../world/device/quickProfile.ts'
import { openVirtualJob, type VirtualJob } from '../../../world/device/virtualJob.ts'

let job: VirtualJob
afterEach(() => job.close())

const damaged = stepOfWords({
  id: 'damaged',
  kind: 'question',
  title: 'Damaged',
  instruction: 'Is anything damaged?',
  expected: false
})
const repaired = {
  ...stepOfWords({ id: 'repaired', kind: 'question', title: 'Repaired', instruction: 'Was it repaired?' }),
  when: { answered: { step: 'damaged', is: true } }
}
const starter = { ...standardStep('output-1'), when: { ordered: 'starterRelay' } }
const steps = () => job.jobs.show(job.id).steps.map(({ id, state }) => `${id} ${state}`)
const withStarter = order.parse({ reference: 'A 17', items: [{ kind: 'output', as: 'starterRelay', output: 'OUT2' }] })

describe('A job and its order', () => {
  it('has a further step once it was ordered, keeps what was seen, and tells it after a restart', async () => {
    job = openVirtualJob([damaged, starter, standardStep('sign-off')])
    job.answers = { yesNo: { answer: false } }
    await job.connect()
    await job.run('damaged')
    expect(steps()).toEqual(['damaged pass', 'sign-off waiting'])

    job.jobs.changeOrder(job.id, withStarter)
    expect(steps()).toEqual(['damaged pass', 'output-1 waiting', 'sign-off waiting'])
    expect(job.jobs.show(job.id)).toMatchObject({ order: { reference: 'A 17' }, stepsTotal: 3, stepsDone: 1 })

    job.restart()
    expect(steps()).toEqual(['damaged pass', 'output-1 waiting', 'sign-off waiting'])
  })

  it('keeps a step that was begun when it is no longer ordered', async () => {
    job = openVirtualJob([damaged, { ...repaired, when: { ordered: 'repair' } }, standardStep('sign-off')])
    job.answers = { yesNo: { answer: true } }
    job.jobs.changeOrder(job.id, order.parse({ items: [{ kind: 'question', as: 'repair' }] }))
    await job.connect()
    await job.run('repaired')
    job.jobs.changeOrder(job.id, null)
    expect(steps()).toEqual(['damaged waiting', 'repaired pass', 'sign-off waiting'])
  })

  it('takes no other order while a step runs, nor once it is signed', async () => {
    job = openVirtualJob([damaged, standardStep('sign-off')])
    job.answers = { signOff: { value: 'Technician One' } }
    await job.connect()
    job.begin('damaged')
    await job.pass(100)
    expect(() => job.jobs.changeOrder(job.id, withStarter)).toThrow(
      expect.objectContaining({ code: 'CONFLICT' }) as Error
    )
    job.jobs.answer(job.id, 'damaged', { answer: false })
    await job.pass(100)
    await job.run('sign-off')
    expect(() => job.jobs.changeOrder(job.id, withStarter)).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST' }) as Error
    )
  })
})

describe('A step that hangs on an earlier answer', () => {
  async function answer(isDamaged: boolean) {
    job = openVirtualJob([damaged, repaired, standardStep('sign-off')])
    await job.jobs.start(job.id, AbortSignal.timeout(60_000), { goesOn: true })
    await job.pass(100)
    job.jobs.answer(job.id, 'damaged', { answer: isDamaged })
    await job.pass(200)
    return steps()
  }

  it('is left out when the answer makes it needless, and the job goes on by itself', async () => {
    expect(await answer(false)).toEqual(['damaged pass', 'repaired notApplicable', 'sign-off running'])
    expect(job.step('repaired').summary).toBe('Not needed: the answer to an earlier step says so')
  })

  it('stays when the answer wants it', async () => {
    expect(await answer(true)).toEqual(['damaged fail', 'repaired running', 'sign-off waiting'])
  })
})
