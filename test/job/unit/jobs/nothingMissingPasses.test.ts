import { afterEach, describe, expect, it } from 'vitest'
import type { Answer } from '../../../../preload/contract/job/jobs.ts'
import { standardStep } from '../../../world/device/quickProfile.ts'
import { event, gatewayLines, openVirtualJob, virtualImei, type VirtualJob } from '../../../world/device/virtualJob.ts'

type DeviceOperation = Parameters<VirtualJob['spoil']>[0]

interface Reliance {
  stepId: string
  operation: DeviceOperation
  fields: string[]
}

/** What each check rests on. Without any one of these it must not pass. */
const reliances: Reliance[] = [
  { stepId: 'identity', operation: 'system.info', fields: ['hostname'] },
  { stepId: 'identity', operation: 'modem.information', fields: ['IMEI', 'SIM_ID'] },
  { stepId: 'external-power', operation: 'io.all', fields: ['PWR'] },
  { stepId: 'ignition', operation: 'io.all', fields: ['IGN', 'TIG'] },
  {
    stepId: 'position',
    operation: 'gps.position',
    fields: [
      'coords',
      'coords.latitude',
      'coords.longitude',
      'timestamp',
      'extras',
      'extras.fix',
      'extras.satsActive',
      'extras.hdop'
    ]
  },
  { stepId: 'network', operation: 'modem.information', fields: ['GSM_REG', 'GPRS_REG', 'RSSI', 'IP'] },
  {
    stepId: 'same-place',
    operation: 'gps.position',
    fields: ['coords.latitude', 'coords.longitude', 'coords.speed', 'timestamp', 'extras.fix']
  },
  { stepId: 'inputs', operation: 'io.all', fields: ['IN1'] },
  { stepId: 'output-1', operation: 'io.all', fields: ['OUT1', 'SO1', 'MOT', 'TIG'] },
  {
    stepId: 'output-1',
    operation: 'gps.position',
    fields: ['coords.latitude', 'coords.longitude', 'coords.speed', 'timestamp', 'extras.fix']
  },
  { stepId: 'alignment', operation: 'io.all', fields: ['MOT'] },
  {
    stepId: 'alignment',
    operation: 'gps.position',
    fields: ['coords.latitude', 'coords.speed', 'timestamp', 'extras.fix']
  }
]

const spoilings: [string, (value: unknown) => unknown][] = [
  ['missing', () => undefined],
  ['null', () => null],
  ['a text for a number, a number for a text', (value) => (typeof value === 'string' ? 7 : String(value))],
  ['a list', (value) => [value]]
]

/** Checks that are about these very readings: they say that they cannot read, and blame nothing else. */
const isReading = new Set(['external-power', 'ignition', 'position', 'network', 'inputs'])

const answers: VirtualJob['answers'] = {
  imei: { value: virtualImei },
  yesNo: { answer: true },
  arm: { armed: true },
  effect: { effect: true },
  choose: { choose: 'Truck 1' },
  lines: { choose: 'IN1' } satisfies Answer
}

let job: VirtualJob
afterEach(() => job.close())

describe.each(reliances)(
  '$stepId, without a field of $operation that it rests on,',
  ({ stepId, operation, fields }) => {
    it('passes when all is there', async () => {
      job = await open(stepId)
      expect((await act(job, stepId)).state).toBe('pass')
    })

    it.each(fields.flatMap((field) => spoilings.map(([name, spoil]) => ({ field, name, spoil }))))(
      'never passes: $field is $name',
      async ({ field, spoil }) => {
        job = await open(stepId)
        job.spoil(operation, (raw) => change(raw, field.split('.'), spoil))
        expect(isReading.has(stepId) ? ['unreadable'] : ['warn', 'fail', 'unreadable']).toContain(
          (await act(job, stepId)).state
        )
      }
    )
  }
)

describe.each([
  { stepId: 'delivered', fields: ['device_id', 'delayS'] },
  { stepId: 'same-place', fields: ['device_id', 'latitude', 'longitude', 'isPositionValid'] }
])('$stepId, without a field of the gateway event that it rests on,', ({ stepId, fields }) => {
  it.each(fields)('never passes: %s', async (field) => {
    job = await open(stepId)
    job.gateway.events = () => [
      field === 'device_id' ? event(job.vehicle, { raw: {} }) : event(job.vehicle, { [field]: null })
    ]
    expect(['warn', 'fail', 'unreadable']).toContain((await act(job, stepId)).state)
  })
})

describe('The gateway as a witness', () => {
  it.each(['ignition', 'inputs'])('is not named for %s when it does not show the line', async (stepId) => {
    job = await open(stepId)
    job.gateway.lines = () => ({ ...gatewayLines(job.vehicle), values: new Map() })
    expect((await act(job, stepId)).witness).toEqual(['device'])
  })
})

async function open(stepId: string): Promise<VirtualJob> {
  const bench = openVirtualJob([standardStep(stepId)])
  bench.answers = answers
  await bench.connect()
  return bench
}

/** Runs the step while the person does what it asks for. */
async function act(bench: VirtualJob, stepId: string) {
  const { vehicle } = bench
  const acts: (() => void)[] = [
    () => (vehicle.turnKey('on'), vehicle.setInput('IN1', true)),
    () => (vehicle.turnKey('off'), vehicle.setInput('IN1', false)),
    () => (vehicle.turnKey('on'), vehicle.setInput('IN1', true)),
    () => (vehicle.turnKey('off'), vehicle.setInput('IN1', false)),
    () => (stepId === 'ignition' ? vehicle.turnKey('crank') : undefined)
  ]
  await bench.pass(600)
  bench.begin(stepId)
  for (const next of acts) {
    await bench.pass(1_000)
    next()
  }
  for (let waitedS = 0; waitedS < 180 && bench.step(stepId).state === 'running'; waitedS++) await bench.pass(1_000)
  return bench.step(stepId)
}

function change(
  raw: Record<string, unknown>,
  [first = '', ...rest]: string[],
  spoil: (value: unknown) => unknown
): Record<string, unknown> {
  const value = rest.length > 0 ? change(raw[first] as Record<string, unknown>, rest, spoil) : spoil(raw[first])
  const { [first]: _old, ...others } = raw
  return value === undefined ? others : { ...others, [first]: value }
}
