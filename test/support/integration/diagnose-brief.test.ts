import { expect, it } from 'vitest'
import { sourceResourcesFolder } from '../../../main/app/core.ts'
import type { CommandContext } from '../../../main/terminal/context.ts'
import { gatherEvidence, reachedThrough } from '../../../main/terminal/gatherEvidence.ts'
import { createDeviceClient } from '../../../main/device/client/client.ts'
import { diagnose } from '../../../main/support/diagnosis/diagnosis.ts'
import { diagnosisLimits } from '../../../main/support/diagnosis/limits.ts'
import { loadShipped } from '../../../main/job/jobs/checklists/shipped.ts'
import type { FaultName } from '../../../simulator/faults.ts'
import { startSimulation } from '../../../simulator/simulation.ts'
import { startVirtualClock } from '../../world/window/stories/virtualClock.ts'

const { standardProfile } = loadShipped(sourceResourcesFolder)
const limits = diagnosisLimits(standardProfile)
const tolerances = standardProfile.comparison

/**
 * What the terminal finds at a device with these faults, and for how long it watched, on a clock that costs no time.
 */
async function diagnoseBriefly(
  faults: readonly FaultName[]
): Promise<{ link: string | null; beside: string[]; tookMs: number }> {
  const clock = startVirtualClock()
  const ends: (() => unknown)[] = [() => clock.stop()]
  try {
    const sim = await startSimulation({
      fitted: true,
      story: 'parked',
      seed: 5,
      openSystemInfo: true,
      now: () => Date.now()
    })
    ends.push(() => sim.stop())
    const [device] = sim.devices
    if (!device) throw new Error('no device')
    // A feed that flickers every four seconds does so a moment after somebody begins to look.
    await clock.skip(59_000)
    await clock.until(() => false, 750)
    for (const name of faults) device.setFault(name, true)
    const client = createDeviceClient({
      address: `${device.host}:${device.port}`,
      imei: device.imei,
      credentials: () => Promise.resolve({ user: device.user, password: device.password })
    })
    const context = {
      common: {},
      signal: new AbortController().signal,
      faulted: (error: unknown) => Promise.reject(error as Error)
    } as unknown as CommandContext
    const reached = reachedThrough(context, { client, address: client.label, imei: device.imei })
    const beganMs = Date.now()
    let tookMs: number | undefined
    const work = gatherEvidence(context, {
      connections: null as never,
      hasGateway: false,
      reached,
      vehicleId: null,
      limits,
      isBrief: true
    }).finally(() => (tookMs = Date.now() - beganMs))
    work.catch(() => undefined)
    await clock.until(() => tookMs !== undefined, 30_000)
    const { brokenAt: link, findings } = diagnose(await work, { limits, tolerances })
    return { link, beside: findings.map(({ id }) => id), tookMs: tookMs ?? Infinity }
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

it('the lines are not watched for longer than shows that power is not what is broken', async () => {
  const { link, tookMs } = await diagnoseBriefly(['noSim'])
  expect(link).toBe('sim')
  expect(tookMs).toBeGreaterThanOrEqual(500)
  expect(tookMs).toBeLessThan(1_500)
})

it.each<readonly FaultName[]>([['noPower'], ['noPower', 'noSim']])(
  'power has to be gone for two seconds (%j)',
  async (...faults) => {
    const { link, tookMs } = await diagnoseBriefly(faults)
    expect(link).toBe('power')
    expect(tookMs).toBeGreaterThanOrEqual(2_000)
    expect(tookMs).toBeLessThan(2_500)
  }
)

it.each<{ faults: readonly FaultName[]; link: string | null; beside: readonly string[] }>([
  { faults: [], link: null, beside: [] },
  { faults: ['powerFlickers', 'noSim'], link: 'sim', beside: ['powerDropped'] }
])('with $faults they are watched to the end', async ({ faults, link, beside }) => {
  const found = await diagnoseBriefly(faults)
  expect(found).toMatchObject({ link, beside })
  expect(found.tookMs).toBeGreaterThanOrEqual(2_500)
})
