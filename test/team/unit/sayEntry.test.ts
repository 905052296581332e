import { expect, it } from 'vitest'
import { sayEntry } from '../../../main/team/holding/forks.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'

const entry = (type: string, data: object) =>
  sayEntry({ seq: 7, at: '2026-03-01T10:00:00.000Z', type, stepId: 'inputs', data: data as never })

it('an entry says what it says, and its result only when a step ended or was skipped with it', () => {
  expect(entry('stepEnded', { state: 'fail', summary: plainMessage('IN3 never moved') })).toMatchObject({
    state: 'fail',
    what: plainMessage('IN3 never moved')
  })
  expect(entry('waived', { reason: 'No part', by: 'Technician One' })).toMatchObject({ state: 'waived', what: null })
  expect(entry('stateChanged', { state: 'done' })).not.toHaveProperty('state')
  expect(entry('stepEnded', { state: 'ofTomorrow' })).not.toHaveProperty('state')
})
