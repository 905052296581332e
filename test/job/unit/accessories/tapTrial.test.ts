import { afterEach, expect, test } from 'vitest'
import { startTapTrial } from '../../../../main/job/accessories/identityTrials.ts'
import type { AccessoryGateway, EventFields } from '../../../../main/job/accessories/ports.ts'
import { createAccessoryTrials } from '../../../../main/job/accessories/trials.ts'

const nowMs = Date.parse('2026-11-20T10:00:05Z')
const tests = createAccessoryTrials({
  changed: () => undefined,
  reportFault: (error) => {
    throw error
  }
})
afterEach(() => tests.close())

function start(before: readonly { aid: number | null; second: number }[]) {
  const gateway = {
    nowMs: () => Promise.resolve(nowMs),
    readEvents: (_vehicle: number, _wanted: unknown, { tail }: { tail: number }) =>
      Promise.resolve<EventFields[]>(before.slice(-tail)),
    eventMs: ({ second }: EventFields) => nowMs - 5_000 + Number(second) * 1_000,
    findLink: () => Promise.resolve({ found: false, sure: true, raw: null })
  } satisfies Partial<AccessoryGateway>
  return startTapTrial(
    { gateway: gateway as unknown as AccessoryGateway, tests },
    { vehicleId: 1, assetId: 9, assetName: 'Ana', waitS: 60 },
    AbortSignal.timeout(60_000)
  )
}

test.each([
  [
    'the last event names him',
    [
      { aid: null, second: 0 },
      { aid: 9, second: 1 }
    ],
    'accessories.driverThereAlready'
  ],
  [
    'an event of the same second as the last one names him',
    [
      { aid: 9, second: 1 },
      { aid: null, second: 1 }
    ],
    'accessories.driverThereAlready'
  ],
  [
    'only an earlier event names him',
    [
      { aid: 9, second: 0 },
      { aid: 7, second: 1 }
    ],
    'accessories.holdKey'
  ],
  ['there is no event', [], 'accessories.holdKey']
])('whether the driver is there already: %s', async (_, before, note) => {
  expect((await start(before)).note.id).toBe(note)
})
