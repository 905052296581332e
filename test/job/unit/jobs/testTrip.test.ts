import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { english, stepOfWords } from '../../../world/window/english.ts'
import { hearDrive, type DriveFaults, type TestDrive } from '../../../world/device/testDrive.ts'
import { openVirtualJob, type VirtualJob } from '../../../world/device/virtualJob.ts'

// The quick profile: 200 m in a minute at least; ended by 10 s of standstill; 30 s for late events; lost after 40 s.
const gone = new AppError('UNREACHABLE', plainMessage('Gone.'), { retryable: true, fate: 'away' })
let bench: VirtualJob
let drive: TestDrive

async function begin(faults: DriveFaults = {}): Promise<void> {
  drive = hearDrive(bench, faults)
  bench.gateway.vehicle = {
    id: 7,
    name: 'Truck 1',
    plate: null,
    imei: '490154203237518',
    kind: 'vehicle',
    assetType: null
  }
  bench.answers = { ready: { answer: true } }
  await bench.connect()
  bench.begin('trip')
  await drive.pass(3)
  // Ready once: from here on the trip ends by standstill.
  bench.answers = {}
}

/** Drives for some time, stands, and gives the gateway its time. */
async function driveAround(seconds = 90): Promise<void> {
  bench.vehicle.driveAt(40)
  await drive.pass(seconds)
  bench.vehicle.driveAt(0)
  await drive.pass(60)
}

const rows = () => bench.step('trip').rows?.map(({ label, verdict }) => `${english(label)}: ${verdict}`)

beforeEach(() => {
  bench = openVirtualJob([stepOfWords({ id: 'trip', kind: 'testTrip', title: 'Test trip', instruction: 'Drive.' })])
})
afterEach(() => bench.close())

describe('A test trip', () => {
  it('passes when both witnesses saw the same drive, and keeps the way of both', async () => {
    await begin()
    await driveAround()
    const step = bench.step('trip')
    expect([step.state, step.summary, step.remedy]).toEqual([
      'pass',
      expect.stringMatching(/^\d+ m driven in .*events at the gateway agree$/),
      ''
    ])
    expect(rows()).toEqual([
      'Track read from the device: agrees',
      'Minutes without an event: agrees',
      'Time until an event arrives: agrees',
      'Places apart: agrees',
      'Speeds apart: agrees',
      'Distance of the trip record: agrees',
      'Distance on the counter: agrees'
    ])
    expect(step.witness).toEqual(['device', 'gateway'])
    expect(step.drive?.device.length).toBeGreaterThan(5)
    expect(step.drive?.gateway.length).toBeGreaterThan(5)
    expect(step.evidence.at(-1)).toMatchObject({ witness: 'gateway', thresholds: { apartPassM: 50 } })
  })

  it('does not begin before the person is ready and the vehicle moves', async () => {
    drive = hearDrive(bench)
    await bench.connect()
    bench.begin('trip')
    await drive.pass(5)
    expect(bench.live('trip')?.prompt).toMatchObject({ kind: 'ready' })
    bench.answers = { ready: { answer: true } }
    bench.jobs.answer(bench.id, 'trip', { answer: true })
    await drive.pass(30)
    expect(bench.live('trip')?.say).toBe('Waiting for the vehicle to move.')
    await drive.pass(40)
    expect(bench.step('trip')).toMatchObject({ state: 'unreadable', summary: 'The vehicle did not move' })
  })

  it('asks whether it is over once it is far enough, and ends when the person says so', async () => {
    await begin()
    bench.vehicle.driveAt(40)
    await drive.pass(30)
    expect(bench.live('trip')?.prompt).toBe(null)
    await drive.pass(50)
    expect(bench.live('trip')?.prompt?.text).toBe(
      'You have driven far enough. End the trip here, or stop for a moment.'
    )
    bench.jobs.answer(bench.id, 'trip', { answer: true })
    await drive.pass(10)
    expect(bench.step('trip').state).toBe('pass')
  })

  it.each<[string, DriveFaults, string, string]>([
    ['no event arrives', { everyS: 10_000 }, 'fail', 'No event of this trip reached the gateway'],
    [
      'the gateway hears another place',
      { change: (event) => ({ ...event, latitude: (event.latitude ?? 0) + 0.05 }) },
      'fail',
      'The events’ positions are up to 5.6 km away from the track'
    ],
    ['the events carry no fix', { change: (event) => ({ ...event, isPositionValid: false }) }, 'fail', 'None of'],
    ['the validity cannot be read', { change: (event) => ({ ...event, isPositionValid: null }) }, 'fail', 'None of'],
    [
      'the speeds are of another vehicle',
      { change: (event) => ({ ...event, speedKmh: 120 }) },
      'fail',
      'The speeds of the events differ by'
    ],
    [
      'events are of another device',
      { change: (event) => ({ ...event, imei: '356307042441013' }) },
      'fail',
      'No event of this trip reached the gateway'
    ],
    [
      'events say not which device sent them',
      { change: (event) => ({ ...event, imei: null }) },
      'fail',
      'No event of this trip reached the gateway'
    ],
    [
      'the delays cannot be read',
      { change: (event) => ({ ...event, delayS: null }) },
      'warn',
      'the gateway does not report the delay of events'
    ],
    [
      'there is no trip record',
      { trip: () => null },
      'warn',
      'The gateway has no trip of these minutes that could be compared'
    ],
    [
      'the counter counted twice as far',
      { counter: (real) => ({ ...real, distanceM: (real.distanceM ?? 0) * 2 }) },
      'fail',
      'The device drove'
    ],
    [
      'the counter says nothing',
      { counter: (real) => ({ ...real, distanceM: null }) },
      'warn',
      'The gateway’s counter has no value to compare for these minutes'
    ],
    ['events come slowly', { delayS: 35 }, 'warn', 'Half of the events took']
  ])('does not pass when %s', async (_what, faults, state, summary) => {
    await begin(faults)
    await driveAround()
    await drive.pass(30)
    const step = bench.step('trip')
    expect([step.state, step.summary.slice(0, summary.length)]).toEqual([state, summary])
  })

  it('has a hole where the device was not read, joins nothing over it, and does not pass', async () => {
    await begin()
    bench.vehicle.driveAt(40)
    await drive.pass(40)
    bench.breakDevice('gps.position', gone)
    await drive.pass(15)
    bench.breakDevice('gps.position', null)
    await drive.pass(40)
    bench.vehicle.driveAt(0)
    await drive.pass(60)
    const step = bench.step('trip')
    expect([step.state, step.summary]).toEqual([
      'warn',
      expect.stringMatching(/^Fitter could read the device in only \d\d % of the trip$/)
    ])
    expect(step.drive?.device.filter(([, , , , isAfterGap]) => isAfterGap)).toHaveLength(1)
  })

  it('ends as not readable when the device is lost for good; run again, the trip goes on from there', async () => {
    await begin()
    bench.vehicle.driveAt(40)
    await drive.pass(50)
    bench.breakDevice('gps.position', gone)
    await drive.pass(45)
    expect(bench.step('trip')).toMatchObject({
      state: 'unreadable',
      summary: expect.stringMatching(/^The device has not answered for/)
    })
    bench.breakDevice('gps.position', null)
    bench.begin('trip')
    await drive.pass(60)
    bench.vehicle.driveAt(0)
    await drive.pass(60)
    const step = bench.step('trip')
    expect(step.drive?.device.filter(([, , , , isAfterGap]) => isAfterGap)).toHaveLength(1)
    expect(step.state).not.toBe('pass')
  })

  it('goes on after the program was closed in the middle, with what was driven before', async () => {
    await begin()
    bench.vehicle.driveAt(40)
    await drive.pass(70)
    bench.restart()
    await drive.pass(5)
    await bench.connect()
    bench.begin('trip')
    await drive.pass(60)
    bench.vehicle.driveAt(0)
    await drive.pass(60)
    const step = bench.step('trip')
    expect(step.attempts).toBe(2)
    expect(step.drive?.device.filter(([, , , , isAfterGap]) => isAfterGap)).toHaveLength(1)
    // The first minute was in the log when the program ended.
    expect((step.drive?.device.at(-1)?.[0] ?? 0) - (step.drive?.device[0]?.[0] ?? 0)).toBeGreaterThan(120_000)
  })

  it('waits for the gateway when it is away, and is finished from the log without the device', async () => {
    await begin()
    bench.vehicle.driveAt(40)
    await drive.pass(90)
    bench.gateway.isAway = gone
    bench.vehicle.driveAt(0)
    await drive.pass(60)
    expect(bench.step('trip').state).toBe('deferred')
    bench.gateway.isAway = null
    const finishing = bench.jobs.finishDeferred(new AbortController().signal)
    await drive.pass(5)
    await finishing
    expect([bench.step('trip').state, bench.step('trip').rows?.length]).toEqual(['pass', 7])
  })

  it('tells the clock when the device is far off, and does not take its delays', async () => {
    bench.spoil('gps.position', (raw) => ({ ...raw, timestamp: Number(raw['timestamp']) - 900 }))
    await begin({ change: (event) => ({ ...event, eventAtMs: event.eventAtMs - 900_000, delayS: 902 }) })
    await driveAround()
    await drive.pass(30)
    expect(bench.step('trip')).toMatchObject({
      state: 'warn',
      summary: 'The device’s clock is off by 15 min, so the delay of events is unknown'
    })
  })
})
