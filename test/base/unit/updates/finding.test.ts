import { expect, it } from 'vitest'
import { updatesFinding } from '../../../../main/app/sayUpdates.ts'
import type { UpdatesState } from '../../../../preload/contract/app/updates.ts'
import { message } from '../../../../preload/contract/messages.ts'

const state: UpdatesState = {
  installed: '2.4.0',
  channel: 'stable',
  notByItself: null,
  phase: 'idle',
  offer: null,
  latest: '2.4.0',
  receivedBytes: 0,
  checkedAt: '2026-11-20T08:00:00.000Z',
  problem: null,
  reasons: [],
  policy: null,
  previous: null
}
const saying = (change: Partial<UpdatesState>) => {
  const { ok, detail, remedy } = updatesFinding({ ...state, ...change })
  return [ok, detail.id, remedy?.id]
}

it('names a refused feed as a fault, and neither a missing connection nor a waiting version', () => {
  expect(saying({})).toEqual([true, 'updates.upToDate', undefined])
  expect(saying({ latest: '2.5.0' })).toEqual([true, 'updates.lastChecked', undefined])
  expect(saying({ checkedAt: null })).toEqual([true, 'updates.notChecked', undefined])
  expect(saying({ problem: message('updates.interrupted', { host: 'x' }) })).toEqual([
    true,
    'updates.upToDate',
    undefined
  ])
  expect(saying({ problem: message('updates.refused.signature') })).toEqual([
    false,
    'updates.refused.signature',
    'updates.remedy'
  ])
  expect(saying({ notByItself: message('updates.fromSources') })).toEqual([true, 'updates.fromSources', undefined])
})
