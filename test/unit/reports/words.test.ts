import { describe, expect, it } from 'vitest'
import type { Job, StepState } from '../../../preload/contract/jobs.ts'
import { judgeJob, operationWord } from '../../../main/reports/words.ts'
import { makePassedJob, makeTruckJob } from '../../support/sampleJob.ts'

const passed = makePassedJob().job
const withStep = (state: StepState, change: Partial<Job> = {}): Job => ({
  ...passed,
  ...change,
  steps: [passed.steps[0]!, { ...passed.steps[1]!, state }]
})

describe('verdict of a report', () => {
  it('is a pass only when the job is done and every step that applies passed', () => {
    expect(judgeJob(passed)).toEqual({ tone: 'pass', headline: 'Passed', sentence: '2 of 2 steps passed.' })
    expect(judgeJob(withStep('notApplicable'))).toMatchObject({ tone: 'pass', sentence: '1 of 1 step passed.' })
  })

  it.each<[StepState, string, RegExp]>([
    ['waived', 'waive', /1 waived without proof/],
    ['warn', 'warn', /1 passed with a warning/],
    ['fail', 'fail', /1 failed/],
    ['unreadable', 'fail', /1 unreadable/],
    ['deferred', 'defer', /1 deferred/],
    ['waiting', 'defer', /1 not done/],
    ['running', 'defer', /1 not done/]
  ])('never calls a done job with a step that is %s a pass', (state, tone, words) => {
    expect(judgeJob(withStep(state))).toMatchObject({ tone, sentence: expect.stringMatching(words) })
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
    expect(judgeJob(operation('needsAttention'))).toMatchObject({ tone: 'defer', sentence: '2 of 2 steps passed. 1 gateway operation not done.' })
    expect(judgeJob(operation('cancelled'))).toMatchObject({ tone: 'warn', sentence: '2 of 2 steps passed. 1 gateway operation dropped.' })
    expect(judgeJob(operation('superseded'))).toMatchObject({ tone: 'pass' })
  })

  it('names every kind of open end of a job', () => {
    expect(judgeJob(makeTruckJob().job)).toEqual({
      tone: 'fail',
      headline: 'Signed off with failed steps',
      sentence:
        '3 of 9 steps passed; 1 failed, 1 unreadable, 1 waived without proof, 1 passed with a warning, ' +
        '1 deferred until the gateway answers, 1 not done. 2 gateway operations not done.'
    })
  })

  it('shows an operation state that it does not know by its own name', () => {
    expect(operationWord('constructor')).toEqual({ word: 'constructor', tone: 'wait' })
    expect(operationWord('needsAttention').word).toBe('Needs attention')
  })
})
