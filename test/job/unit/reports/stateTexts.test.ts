import { describe, expect, it } from 'vitest'
import type { Job, StepState } from '../../../../preload/contract/job/jobs.ts'
import { createTexts } from '../../../../main/base/messages/texts.ts'
import { judgeJob, operationKindWord, operationWord, stepWord } from '../../../../main/job/reports/stateTexts.ts'
import { customerHeadline } from '../../../../main/job/reports/pdf/pdfCustomer.ts'
import { english } from '../../../world/window/english.ts'
import { makePassedJob, makeTruckJob } from '../../../world/data/sampleJob.ts'

const texts = createTexts({ language: 'en', timeZone: 'UTC' })
const passed = makePassedJob().job
const withStep = (state: StepState, change: Partial<Job> = {}): Job => ({
  ...passed,
  ...change,
  steps: [passed.steps[0]!, { ...passed.steps[1]!, state }]
})
const read = (job: Job) => {
  const { tone, counts, sentences } = judgeJob(job)
  return { tone, headline: counts.map(english).join(', '), sentence: sentences.map(english).join(' ') }
}

describe('verdict of a report', () => {
  it('is a pass only when the job is done and every step that applies passed', () => {
    expect(read(passed)).toEqual({
      tone: 'pass',
      headline: '2 passed',
      sentence: 'Passed: every step that applies was confirmed.'
    })
    expect(read(withStep('notApplicable'))).toMatchObject({ tone: 'pass', headline: '1 passed, 1 not applicable' })
  })

  it.each<[StepState, string, string]>([
    ['waived', 'waive', '1 passed, 1 skipped'],
    ['warn', 'warn', '1 passed, 1 passed with a warning'],
    ['fail', 'fail', '1 passed, 1 failed'],
    ['unreadable', 'fail', '1 passed, 1 unreadable'],
    ['deferred', 'defer', '1 passed, 1 deferred until the gateway answers'],
    ['waiting', 'defer', '1 passed, 1 not done'],
    ['running', 'defer', '1 passed, 1 not done']
  ])('never calls a done job with a step that is %s a pass', (state, tone, headline) => {
    expect(read(withStep(state))).toMatchObject({ tone, headline })
  })

  it('never calls a step passed that was only sent', () => {
    const sent = { ...passed.steps[1]!, isSent: true }
    expect(read({ ...passed, steps: [passed.steps[0]!, sent] })).toMatchObject({
      tone: 'warn',
      headline: '1 passed, 1 sent'
    })
    expect(english(stepWord(sent).word)).toBe('Sent')
    expect(english(stepWord({ ...sent, state: 'fail' }).word)).toBe('Failed')
  })

  it('never calls a step passed whose value was compared with nothing', () => {
    expect(read(withStep('received'))).toEqual({
      tone: 'warn',
      headline: '1 passed, 1 received, nothing to compare',
      sentence:
        'Passed, apart from values with nothing to compare. 1 step received its value, but nothing was ordered to compare it with.'
    })
    expect(
      read({ ...withStep('received'), steps: [{ ...passed.steps[0]!, isSent: true }, withStep('received').steps[1]!] })
    ).toMatchObject({
      tone: 'warn',
      sentence: expect.stringMatching(/sent and cannot be confirmed\. 1 step received its value/)
    })
    expect(english(stepWord({ state: 'received' }).word)).toBe('Received, nothing to compare')
    expect(stepWord({ state: 'received' }).tone).not.toBe('pass')
    expect(customerHeadline(withStep('received')).map(english)).toEqual([])
  })

  it.each<[Job['state'], string]>([
    ['draft', 'warn'],
    ['running', 'warn'],
    ['failed', 'fail'],
    ['cancelled', 'fail'],
    ['installedAwaitingGateway', 'defer']
  ])('never calls a job that is %s a pass, even with every step passed', (state, tone) => {
    expect(judgeJob({ ...passed, state })).toMatchObject({ tone })
  })

  it('counts gateway work that is not done, and work that was dropped', () => {
    const operation = (state: string): Job => ({ ...passed, operations: [{ id: '1', kind: 'x', state }] })
    expect(read(operation('needsAttention'))).toMatchObject({
      tone: 'defer',
      sentence: expect.stringContaining('1 gateway operation is not done.')
    })
    expect(read(operation('cancelled'))).toMatchObject({
      tone: 'warn',
      sentence: expect.stringContaining('1 gateway operation was discarded.')
    })
    expect(read(operation('superseded'))).toMatchObject({ tone: 'pass' })
  })

  it('names every kind of open end of a job', () => {
    expect(read(makeTruckJob().job)).toEqual({
      tone: 'fail',
      headline:
        '3 passed, 1 passed with a warning, 1 skipped, 1 failed, 1 unreadable, 1 deferred until the gateway answers, 1 not done, 1 not applicable',
      sentence: 'Signed off with failed steps. 2 gateway operations are not done.'
    })
  })

  it('shows what another version made by its own name', () => {
    expect(operationWord('constructor', texts)).toEqual({
      word: { id: 'plain.text', values: { text: 'constructor' } },
      tone: 'wait'
    })
    expect(english(operationWord('needsAttention', texts).word)).toBe('Needs attention')
    expect(english(operationKindWord('entities.link', texts))).toBe('Trailer or driver')
    expect(english(operationKindWord('later.kind', texts))).toBe('later.kind')
  })
})
