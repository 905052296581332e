import type { ChainLink, Diagnosis, DiagnosisSubject } from '../../../../preload/contract/support/diagnosis.ts'
import type { Evidence } from '../../../../preload/contract/support/evidence.ts'
import { sourceResourcesFolder } from '../../../../main/app/core.ts'
import { createDeviceClient } from '../../../../main/device/client/client.ts'
import { startLineRecorder } from '../../../../main/device/client/lineRecorder.ts'
import { readLive } from '../../../../main/device/client/readLive.ts'
import { createDiagnoses } from '../../../../main/support/diagnosis/diagnoses.ts'
import { diagnosisLimits } from '../../../../main/support/diagnosis/limits.ts'
import { createGatewayClient } from '../../../../main/gateway/client/client.ts'
import { createDiagnosisGateway } from '../../../../main/gateway/client/diagnosisGateway.ts'
import { loadShipped } from '../../../../main/job/jobs/checklists/shipped.ts'
import type { Asked, FaultStory } from '../../../../simulator/faultStories.ts'
import type { SimulatedForm } from '../../../../simulator/forms.ts'
import { startSimulation } from '../../../../simulator/simulation.ts'
import type { StoryName } from '../../../../simulator/stories.ts'
import { tellStory } from '../../../../simulator/tellStory.ts'
import { contradictionsOf } from './contradictionsOf.ts'
import { startVirtualClock, type VirtualClock } from './virtualClock.ts'

/** It has reported for this long before, and the fault lasts longer than a pause between two reports. */
const wellMs = 180_000
const faultMs = 35 * 60_000
const lookedMs = 60_000
const lookEveryMs = 1_500

export interface Look {
  atMs: number
  brokenAt: ChainLink | null
  says: string | null
  findings: string[]
  since: string | null
  tone: Diagnosis['tone']
  isHeld: boolean
  /** What it said against itself. */
  contradictions: string[]
}

export interface DiagnosisRun {
  looks: Look[]
  last: Diagnosis
  /** When the fault began, epoch ms. */
  beganMs: number | null
  /** What the last look was made from, as a support bundle would hold it. */
  evidence: Evidence | null
  faults: unknown[]
}

interface Setting {
  asked: Asked
  /** What the vehicle does. */
  plays: StoryName
  /** The fault starts this long after the look; without it, it has existed for long. */
  beginsAfterMs?: number
  form?: SimulatedForm
  /** With the gateway: a person signs in to the device beside the laptop this long after the look. */
  signsInAfterMs?: number
}

/** Looks at a vehicle for 60 s on a clock that costs no time, as the screen does; `null` is the clean vehicle. */
export async function diagnoseStory(story: FaultStory | null, setting: Setting): Promise<DiagnosisRun> {
  const { asked, plays, beginsAfterMs } = setting
  const clock = startVirtualClock()
  const ends: (() => unknown)[] = [() => clock.stop()]
  try {
    const sim = await startSimulation({
      form: setting.form ?? 'document',
      gateway: true,
      fitted: true,
      story: plays,
      seed: 5,
      reportEveryMs: 10_000,
      gatewayDelayMs: 0,
      openSystemInfo: true,
      now: () => Date.now()
    })
    const [device] = sim.devices
    const { gateway } = sim
    if (!device || !gateway) throw new Error('no device or no gateway')
    ends.push(() => sim.stop())
    const faults: unknown[] = []
    const reportFault = (error: unknown) => void faults.push(error)
    await clock.skip(wellMs)
    const vehicleId = gateway.state.vehicles.find((one) => String(one.device) === device.imei)?.id ?? 0
    const faultBeganMs = story && beginsAfterMs === undefined ? Date.now() : null
    if (story && beginsAfterMs === undefined) tellStory(story, { device, gateway })
    if (story && beginsAfterMs === undefined) await clock.skip(faultMs)

    const client = createDeviceClient({
      address: `${device.host}:${device.port}`,
      imei: device.imei,
      credentials: () => Promise.resolve({ user: device.user, password: device.password })
    })
    const atGateway = createGatewayClient({
      url: gateway.url,
      credentials: () => Promise.resolve({ user: gateway.user, password: gateway.password })
    })
    ends.push(() => atGateway.close())
    const shipped = loadShipped(sourceResourcesFolder)
    const record = () =>
      startLineRecorder({
        device: client,
        monotonicMs: () => performance.now(),
        mostChanges: 1,
        changed: () => undefined,
        reportFault
      })
    let recorder = asked === 'gateway' ? undefined : record()
    let isSignedIn = false
    ends.push(() => recorder?.stop())
    const desk = createDiagnoses({
      door: () => ({
        imei: device.imei,
        host: client.label,
        model: null,
        read: (operation, signal) => readLive(client, operation, { signal, timeoutMs: 5_000 }),
        lines: (since) => recorder?.news(since) as never
      }),
      imeiOf: () => device.imei,
      nearby: () => (isSignedIn ? device.imei : null),
      gateway: createDiagnosisGateway(() => Promise.resolve(atGateway)),
      gatewayName: () => Promise.resolve(asked === 'device' ? null : gateway.url),
      expected: () => ({ apn: null, simId: null, from: null }),
      limits: () => diagnosisLimits(shipped.standardProfile),
      tolerances: () => shipped.standardProfile.comparison,
      installed: () => null,
      reportFault
    })
    ends.push(() => desk.stop())
    const subject: DiagnosisSubject =
      asked === 'gateway' ? { vehicleId } : asked === 'device' ? { key: device.imei } : { key: device.imei, vehicleId }

    const looks: Look[] = []
    let last: Diagnosis | undefined
    for (let atMs = 0; atMs <= lookedMs;) {
      if (
        story &&
        beginsAfterMs !== undefined &&
        atMs >= beginsAfterMs &&
        !looks.some((look) => look.atMs >= beginsAfterMs)
      )
        tellStory(story, { device, gateway })
      if (setting.signsInAfterMs !== undefined && atMs >= setting.signsInAfterMs && !isSignedIn) {
        isSignedIn = true
        recorder = record()
      }
      const beganMs = Date.now()
      last = await over(clock, desk.look(subject))
      const broken = last.chain.find(({ state }) => state === 'broken')
      looks.push({
        atMs,
        brokenAt: last.brokenAt,
        says: broken?.sentence.id ?? null,
        findings: last.findings.map(({ id }) => id),
        since: last.since,
        tone: last.tone,
        isHeld: last.chain.some((step) => step.isHeld === true),
        contradictions: contradictionsOf(last)
      })
      // Its lines are read meanwhile, four times a second.
      if (recorder) await clock.until(() => false, lookEveryMs, 125)
      else await clock.skip(lookEveryMs)
      atMs += Math.max(lookEveryMs, Date.now() - beganMs)
    }
    const evidence = last
      ? desk.recording.at({ imei: last.subject.imei, vehicleId: last.subject.vehicleId }, Date.parse(last.at))
      : null
    return { looks, last: last as Diagnosis, beganMs: faultBeganMs, evidence, faults }
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

/** Moves the clock until the answer is there. */
async function over<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  let isOver = false
  const ended = work.finally(() => (isOver = true))
  ended.catch(() => undefined)
  if (!(await clock.until(() => isOver, 60_000))) throw new Error('no answer')
  return ended
}
