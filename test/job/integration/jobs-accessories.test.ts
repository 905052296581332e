import { afterEach, describe, expect, it } from 'vitest'
import type { TemplateStep } from '../../../preload/contract/job/steps/index.ts'
import { truckTyres } from '../../../simulator/vehicle/tyres.ts'
import { stepOfWords } from '../../world/window/english.ts'
import { openJobBench, until, type JobBench } from '../../world/device/jobBench.ts'
import { quickShipped } from '../../world/device/quickProfile.ts'

let bench: JobBench
afterEach(() => bench.close())

const words = { title: 'As ordered', instruction: 'Wait.' }
/** The truck of the simulator with everything on it. */
const wheels = [
  [0, 0, '184512'],
  [0, 1, '184513'],
  [1, 0, '184520'],
  [1, 1, '184521'],
  [1, 2, '184522'],
  [1, 3, '184523']
] as const
const fitted: TemplateStep[] = [
  stepOfWords<'btTag'>({ id: 'tag', kind: 'btTag', macs: ['A4:C1:38:00:11:22'], ...words }),
  stepOfWords<'tyres'>({
    id: 'tyres',
    kind: 'tyres',
    wheels: wheels.map(([axle, wheel, sensorId]) => ({ axle, wheel, sensorId })),
    ...words
  }),
  stepOfWords<'temperature'>({
    id: 'temperature',
    kind: 'temperature',
    probes: [
      { probe: 'a', minDegC: -2, maxDegC: 2 },
      { probe: 'b', minDegC: 18, maxDegC: 22 }
    ],
    ...words
  }),
  stepOfWords<'expander'>({ id: 'expander', kind: 'expander', inputs: [2], ...words }),
  stepOfWords<'trigger'>({ id: 'trigger', kind: 'trigger', label: 'adasfcw', ...words })
]

async function open(steps: TemplateStep[], fit?: () => void): Promise<string> {
  bench = await openJobBench({ shipped: quickShipped(steps), simulation: { fitted: !fit } })
  // The gateway calls a device connected once it reported.
  await until(
    'the first report',
    () => bench.sim.gateway?.state.devices.some(({ lastReportMs }) => lastReportMs !== null) === true
  )
  fit?.()
  const id = bench.create()
  await bench.jobs.start(id, AbortSignal.timeout(60_000))
  return id
}

function accessories() {
  const [device] = bench.sim.devices
  if (!device) throw new Error('No device')
  return device.vehicle.accessories
}

describe('Accessories of a simulated truck, over HTTP,', () => {
  it('are each seen to work by the events of the vehicle', { timeout: 180_000 }, async () => {
    const id = await open(fitted)
    await until('the steps run', () => bench.jobs.live(id).steps.length > 0)
    // The events before this one say how the input rests.
    await until('tyres are seen', () => bench.step(id, 'tyres').state !== 'running', 20_000)
    accessories().setExpanderInput(2, true)
    accessories().setExpanderInput(2, false)
    accessories().reportEvent('adasfcw')
    await bench.jobs.idle(id)
    const ends = Object.fromEntries(
      fitted.map((step) => [step.id, [bench.step(id, step.id).state, bench.step(id, step.id).summary]])
    )
    expect(ends).toEqual({
      tag: ['pass', 'Received: A4C138001122'],
      tyres: ['pass', 'The modules of 6 wheels report, measured 6.7 bar to 7.2 bar'],
      temperature: [
        'pass',
        expect.stringMatching(/^Probe A: -?0(\.\d)? °C and Probe B: (19\.\d|20(\.\d)?) °C$/) as string
      ],
      expander: ['pass', 'Switched on and off: Expander input 2'],
      trigger: [
        expect.stringMatching(/pass|warn/) as string,
        expect.stringContaining('Event adasfcw arrived after') as string
      ]
    })
    expect(bench.faults).toEqual([])
    expect(bench.sim.violations()).toEqual([])
  })

  it(
    'never pass with a module in the wrong wheel, a probe unplugged and a tag out of reach',
    { tags: ['long'], timeout: 180_000 },
    async () => {
      const id = await open(fitted.slice(0, 3), () => {
        accessories().fitTyres(truckTyres)
        accessories().swapTyres(16, 19)
        accessories().setProbe('a', { celsius: 0 })
      })
      await bench.jobs.idle(id)
      expect(bench.step(id, 'tyres')).toMatchObject({
        state: 'fail',
        summary: 'Module 184520 belongs to Axle 2 wheel 1, but is in Axle 2 wheel 4'
      })
      expect(bench.step(id, 'temperature')).toMatchObject({ state: 'fail', summary: 'No temperature from: Probe B' })
      expect(bench.step(id, 'tag')).toMatchObject({ state: 'fail', summary: 'Not received: A4C138001122' })
    }
  )

  it(
    'know a key by its owner in the events, and name one that nobody registered',
    { tags: ['long'], timeout: 180_000 },
    async () => {
      const steps = [stepOfWords<'iButton'>({ id: 'key', kind: 'iButton', ...words })]
      const id = await open(steps)
      const fob = bench.sim.gateway?.state.ibuttons[0]
      accessories().tapKeyFob('FFFFFFFFFFFFFFFF')
      await until('the unknown key is named', () =>
        bench.lives.some(({ hint }) => hint?.id === 'accessoryChecks.keyUnknown')
      )
      accessories().tapKeyFob(fob?.id ?? '')
      await bench.jobs.idle(id)
      expect(bench.step(id, 'key')).toMatchObject({
        state: 'received',
        witness: ['gateway'],
        rows: [{ verdict: 'received' }]
      })
    }
  )

  it(
    'show the picture that a camera really took, and call a covered one dark before the person looks',
    { tags: ['long'], timeout: 180_000 },
    async () => {
      const id = await open([stepOfWords<'camera'>({ id: 'camera', kind: 'camera', views: [{ source: 0 }], ...words })])
      bench.answerWith({ picture: { answer: true } })
      await bench.jobs.runStep(id, 'camera')
      expect(bench.step(id, 'camera')).toMatchObject({
        state: 'pass',
        summary: 'Accepted: Camera 1',
        witness: ['gateway', 'person']
      })
      accessories().coverCamera(0, true)
      bench.answerWith({ picture: { answer: false } })
      await bench.jobs.runStep(id, 'camera')
      expect(bench.step(id, 'camera')).toMatchObject({ state: 'fail', summary: 'The picture of Camera 1 was refused' })
      expect(bench.lives.some(({ hint }) => hint?.id === 'accessoryChecks.pictureDark')).toBe(true)
      expect(bench.jobs.show(id).attachments?.map(({ purpose, source }) => [purpose, source])).toEqual([
        ['cameraView', 'vehicleCamera'],
        ['cameraView', 'vehicleCamera']
      ])
      accessories().coverCamera(0, false)
      accessories().failCamera(0, 5)
      await bench.jobs.runStep(id, 'camera')
      expect(bench.step(id, 'camera')).toMatchObject({ state: 'fail', summary: 'Camera 1: the camera does not answer' })
      expect(bench.sim.violations()).toEqual([])
    }
  )
})
