import { beforeAll, expect, it } from 'vitest'
import type { StepCounts } from '../../../preload/contract/job/jobs.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { countsText, jobStanding, jobSub, jobTitle } from '../../../renderer/base/shell/jobStanding.ts'
import { beadShape, stepShape, stepWord } from '../../../renderer/base/shell/jobStage.ts'
import { lineKinds } from '../../../renderer/base/shell/jobLanes.ts'
import { loadLanguage } from '../../../renderer/base/say.ts'
import { shapeTone } from '../../../renderer/base/ui/status.ts'

const none: StepCounts = {
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

beforeAll(() => loadLanguage('en'))

it('never shows a job with skipped steps in green', () => {
  const standing = jobStanding({ state: 'done', counts: { ...none, pass: 10, waived: 2 }, isActive: false })
  expect(shapeTone[standing.shape]).toBe('warn')
  expect(standing.text).toBe('Done, 2 steps skipped')
  expect(shapeTone[jobStanding({ state: 'done', counts: { ...none, pass: 12 }, isActive: false }).shape]).toBe('pass')
})

it('says of a running job that nobody is connected to that it is paused', () => {
  expect(jobStanding({ state: 'running', counts: none, isActive: false })).toEqual({ shape: 'wait', text: 'Paused' })
  expect(jobStanding({ state: 'running', counts: none, isActive: true })).toEqual({
    shape: 'live',
    text: 'In progress'
  })
})

it('shows a job whose log is damaged as damaged, whatever its state says', () => {
  expect(jobStanding({ state: 'done', counts: none, isActive: false, isDamaged: true })).toEqual({
    shape: 'unknown',
    text: 'Log damaged'
  })
})

it('counts each kind of result by itself', () => {
  expect(countsText({ ...none, pass: 10, waived: 2, notApplicable: 1 })).toBe('10 passed, 2 skipped, 1 not applicable')
  expect(countsText({ ...none, pass: 8, sent: 1, fail: 1, unreadable: 1, waiting: 1, running: 1 })).toBe(
    '8 passed, 1 sent, not confirmed, 2 failed, 2 open'
  )
})

it('shows what was only sent as sent', () => {
  expect(stepShape({ state: 'pass', isSent: true })).toBe('sent')
  expect(stepWord({ state: 'pass', isSent: true })).toBe('sent')
  expect(stepShape({ state: 'fail', isSent: true })).toBe('fail')
})

it('shows and counts a value that nothing was compared with as received, in grey', () => {
  const shape = stepShape({ state: 'received', isSent: false })
  expect([shape, shapeTone[shape], beadShape('received')]).toEqual(['received', 'wait', 'received'])
  expect(stepWord({ state: 'received', isSent: false })).toBe('received')
  expect(countsText({ ...none, pass: 3, received: 2 })).toBe('3 passed, 2 received, nothing to compare')
})

it('draws lines only on steps that lines prove something about', () => {
  expect((['output', 'ignition', 'externalPower'] as const).every((kind) => lineKinds[kind])).toBe(true)
  expect(
    (['identity', 'inputs', 'position', 'network', 'vehicle', 'signOff', 'link'] as const).some(
      (kind) => lineKinds[kind]
    )
  ).toBe(false)
})

it.each([
  [
    'confirmed',
    { vehicle: { name: 'Unit 0007', plate: 'SZM 653' }, vehicleText: 'unit 7' },
    'Unit 0007',
    'SZM 653 · Standard installation · Yard North'
  ],
  ['as typed', { vehicle: null, vehicleText: 'Unit 0008' }, 'Unit 0008', 'Standard installation · Yard North'],
  ['none', { vehicle: null }, 'Standard installation', 'Yard North']
])('a job is named by its vehicle, and its checklist is the second line: %s', (_, vehicle, title, sub) => {
  const job = { ...vehicle, template: { name: plainMessage('Standard installation') }, customer: 'Yard North' }
  expect([jobTitle(job), jobSub(job)]).toEqual([title, sub])
})
