import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sourceResourcesFolder } from '../../../../main/app/core.ts'
import { createGathering, type Gathered } from '../../../../main/support/diagnosis/gathering.ts'
import { createGatewayWitness } from '../../../../main/support/diagnosis/gatewayWitness.ts'
import { diagnosisLimits } from '../../../../main/support/diagnosis/limits.ts'
import { loadShipped } from '../../../../main/job/jobs/checklists/shipped.ts'
import type { LiveOperation, LiveReading } from '../../../../preload/contract/device/workspace.ts'

// No time passes: whoever waits for it never ends.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] }))
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** A device that says this and never answers the rest. */
function look(said: Partial<Record<LiveOperation, object>>, now?: () => number): Promise<Gathered> {
  const reportFault = (error: unknown) => {
    throw error
  }
  const gathering = createGathering({
    door: () => ({
      imei: null,
      host: '127.0.0.1',
      model: null,
      read(operation) {
        const value = said[operation]
        return value
          ? Promise.resolve({
              value,
              raw: null,
              problems: [],
              readAt: new Date().toISOString(),
              elapsedMs: 1,
              failure: null
            } as LiveReading)
          : new Promise(() => undefined)
      }
    }),
    imeiOf: () => null,
    nearby: () => null,
    gateway: createGatewayWitness({} as never, reportFault),
    gatewayName: () => Promise.resolve(null),
    expected: () => ({ apn: null, simId: null, from: null }),
    limits: () => diagnosisLimits(loadShipped(sourceResourcesFolder).standardProfile),
    reportFault,
    ...(now && { now })
  })
  return gathering.look({ key: 'a', vehicleId: null, imei: null })
}

const all = {
  'io.all': { PWR: true },
  'modem.information': {},
  'modem.configuration': {},
  'system.info': {},
  'gps.position': {}
}

it('a look does not wait for what no link is judged by', async () => {
  const { evidence, isWhole } = await look(all)
  expect(Object.keys(evidence.device?.readings ?? {}).sort()).toEqual(Object.keys(all).sort())
  expect(isWhole).toBe(false)
})

it('never waits for less than no time, however long the judging takes', async () => {
  let ms = 0
  const waits = vi.spyOn(globalThis, 'setTimeout')
  const looking = look({}, () => (ms += 700))
  await vi.advanceTimersByTimeAsync(60_000)
  await looking
  expect(waits.mock.calls.length).toBeGreaterThan(0)
  expect(waits.mock.calls.filter(([, waitMs]) => !(Number(waitMs) > 0))).toEqual([])
})
