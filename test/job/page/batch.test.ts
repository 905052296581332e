import { describe, expect, it } from 'vitest'
import {
  canRetry,
  checkLines,
  deviceOfLine,
  inOrder,
  nextByHand,
  standingOf,
  type BatchLine
} from '../../../renderer/job/log/batch/batchLines.ts'
import type { SeenDevice } from '../../../preload/contract/device/discovery.ts'
import type { ListedJob } from '../../../preload/contract/job/jobs.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'

const job = (more: Partial<ListedJob>): ListedJob =>
  ({ id: '1', state: 'running', isActive: true, ...more }) as ListedJob
const line = (place: number, more: Partial<BatchLine> = {}): BatchLine =>
  ({ place, job: job({}), phase: 'begun', why: null, asks: new Map(), ...more }) as BatchLine
const asking = new Map([['clean', plainMessage('Is it clean?')]])

describe('a batch', () => {
  it('names by hand what asks first, in the order of the walk, then what was left', () => {
    const left = line(1, { job: job({ isActive: false, state: 'failed' }) })
    expect(nextByHand([left, line(2), line(3, { asks: asking }), line(4, { asks: asking })])?.place).toBe(3)
    expect(nextByHand([left, line(2)])?.place).toBe(1)
    expect(nextByHand([line(2)])).toBe(undefined)
  })

  it('tries again what failed alone: not what is done, at work or waiting for its turn', () => {
    const all: [string, BatchLine][] = [
      ['done', line(1, { job: job({ state: 'done', isActive: false }) })],
      ['done', line(2, { job: job({ state: 'installedAwaitingGateway', isActive: false }) })],
      ['working', line(3)],
      ['waiting', line(4, { phase: 'waiting', job: null })],
      ['left', line(5, { job: job({ isActive: false }) })],
      ['notBegun', line(6, { phase: 'notBegun', job: null })]
    ]
    expect(all.map(([, one]) => standingOf(one))).toEqual(all.map(([standing]) => standing))
    expect(all.filter(([, one]) => canRetry(one)).map(([, { place }]) => place)).toEqual([5, 6])
  })

  it('finds the device by IMEI, host name or address', () => {
    const device = {
      key: 'k',
      imei: '490154203237518',
      hostname: 'ft4-490154203237518',
      addresses: ['192.168.8.1'],
      port: 8080
    } as SeenDevice
    for (const named of ['490154203237518', 'ft4-490154203237518.local', '192.168.8.1', '192.168.8.1:8080'])
      expect(deviceOfLine([device], named)).toBe(device)
    expect(deviceOfLine([device], '192.168.8.2')).toBe(undefined)
  })

  it('shows those that need somebody first, in the order of the walk', () => {
    const lines = [
      line(1, { job: job({ state: 'done', isActive: false }) }),
      line(2),
      line(3, { asks: asking }),
      line(4, { job: job({ isActive: false }) }),
      line(5, { asks: asking }),
      line(6, { job: job({ state: 'installedAwaitingGateway', isActive: false }) })
    ]
    expect(inOrder(lines).map(({ place }) => place)).toEqual([3, 5, 4, 2, 6, 1])
  })

  it('checks each row before anything begins', () => {
    const device = (imei: string, more: Partial<SeenDevice> = {}) =>
      ({
        key: imei,
        imei,
        hostname: null,
        addresses: [],
        port: 8080,
        standing: 'verified',
        signedIn: true,
        ...more
      }) as unknown as SeenDevice
    const devices = [
      device('1'),
      device('2', { standing: 'needsSignIn', signedIn: false }),
      device('3', { standing: 'impostor' }),
      device('4', { standing: 'lost' }),
      device('5'),
      device('6')
    ]
    const row = (place: number, named: string, template = '') =>
      line(place, {
        job: null,
        phase: 'waiting',
        order: {
          line: place,
          device: named,
          template,
          order: { reference: '', items: [], vehicle: '', customer: '', notes: '' }
        }
      })
    const rows = [
      row(1, '1'),
      row(2, '2'),
      row(3, '3'),
      row(4, '4'),
      row(5, '9'),
      row(6, ''),
      row(7, '1'),
      row(8, '1', 'unknown'),
      line(9),
      row(10, '5'),
      { ...row(11, '6'), openJob: 'new' as const }
    ]
    const otherJobs = new Map([10, 11].map((place) => [place, job({})]))
    const lacking = new Map([[1, 'APN']])
    expect([
      ...checkLines([row(1, '1'), row(2, '9')], devices, ['standard'], 'standard', { otherJobs, lacking })
    ]).toEqual([
      [1, 'incomplete'],
      [2, 'notFound']
    ])
    expect([...checkLines(rows, devices, ['standard'], 'standard', { otherJobs, lacking: new Map() })]).toEqual([
      [2, 'needsSignIn'],
      [3, 'refused'],
      [4, 'notFound'],
      [5, 'notFound'],
      [6, 'noDevice'],
      [7, 'twice'],
      [8, 'noChecklist'],
      [10, 'openJob']
    ])
  })
})
