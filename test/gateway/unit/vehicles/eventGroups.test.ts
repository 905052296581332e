import { expect, test } from 'vitest'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { groupEvents } from '../../../../renderer/support/vehicle/eventGroups.ts'

const event = (id: number, what: string, delayS: number | null) => ({
  id,
  at: '',
  arrivedAt: null,
  delayS,
  what: plainMessage(what),
  detail: null,
  type: 11,
  label: null,
  latitude: null,
  longitude: null,
  validPosition: null,
  speedKmh: null,
  satellites: null,
  raw: null
})

test('equal events in a row are one, the latest, with their number and the longest delay; others stay', () => {
  const groups = groupEvents([
    event(5, 'Position', 2),
    event(4, 'Position', 430),
    event(3, 'Ignition off', 3),
    event(2, 'Position', null),
    event(1, 'Position', null)
  ])
  expect(groups.map(({ event: { id, delayS }, n }) => [id, n, delayS])).toEqual([
    [5, 2, 430],
    [3, 1, 3],
    [2, 2, null]
  ])
})
