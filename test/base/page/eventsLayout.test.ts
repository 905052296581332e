import { expect, test } from 'vitest'
import { layEventsOut, placePlate } from '../../../renderer/base/instruments/charts/events/layout.ts'

test('plates never cover each other, nor the line that they name, and stay in the chart', () => {
  const taken: [number, number][] = []
  const lost = placePlate({ fromPx: 500, toPx: 600, textPx: 120, isBefore: true }, taken, 640)
  expect((lost ?? 0) + 69).toBeLessThan(500)
  expect(placePlate({ fromPx: 400, toPx: 480, textPx: 90, isBefore: false }, taken, 640)).toBeNull()
  expect(placePlate({ fromPx: 100, toPx: 200, textPx: 90, isBefore: false }, taken, 640)).toBe(150)
  const atStart = placePlate({ fromPx: 45, toPx: 60, textPx: 120, isBefore: true }, [], 640) ?? 0
  expect(atStart - 69).toBeGreaterThan(45)
  expect(placePlate({ fromPx: 630, toPx: 900, textPx: 60, isBefore: false }, [], 640)).toBe(640 - 39)
})

test('the parts of the chart are one below the other in every height of the window', () => {
  for (const room of ['high', 'low', 'least'] as const) {
    const { happened, fan, arrived, plates, lanes, axisPx, heightPx } = layEventsOut({ lanes: 3, room })
    const parts = [happened, fan, arrived, plates, ...lanes]
    for (const [index, part] of parts.slice(1).entries())
      expect(part.topPx).toBeGreaterThanOrEqual((parts[index]?.topPx ?? 0) + (parts[index]?.heightPx ?? 0))
    expect(axisPx).toBeGreaterThanOrEqual((lanes.at(-1)?.topPx ?? 0) + (lanes.at(-1)?.heightPx ?? 0))
    expect(heightPx).toBeGreaterThan(axisPx)
  }
})
