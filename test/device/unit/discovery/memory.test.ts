import { expect, test } from 'vitest'
import { createDeviceMemory } from '../../../../main/device/discovery/memory.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import type { KnownDevice } from '../../../../preload/contract/device/discovery.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { devices } from '../../../world/data/fakeData.ts'
import { openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const full = new AppError('DATA_UNUSABLE', message('app.fault'))

function open() {
  const stored = openTestStore(tempFolder()).knownDevices
  let failure: unknown
  const guarded =
    <Args extends unknown[], Result>(work: (...args: Args) => Result) =>
    (...args: Args): Result => {
      if (failure) throw failure
      return work(...args)
    }
  const faults: unknown[] = []
  const told: string[] = []
  const rows = { ...stored, find: guarded(stored.find), remember: guarded(stored.remember) }
  const memory = createDeviceMemory({
    rows,
    discovery: () => ({
      onChange: () => () => undefined,
      table: () => ({ devices: [], cards: [], lastHeardAt: null, changeNumber: 0 }),
      remembered: (imei) => told.push(imei)
    }),
    problemChanged: () => told.push(memory.problem()?.id ?? 'well again'),
    reportFault: (error) => faults.push(error)
  })
  return { memory, faults, told, stored, failWith: (error: unknown) => (failure = error) }
}

const [verified] = devices
if (!verified?.imei) throw new Error('No verified device')
const imei = verified.imei
const isKnown = (device: KnownDevice | undefined) => device?.imei === imei

test('a full disk ends nothing: it is a fault in the log and a notice until something can be kept again', () => {
  const { memory, faults, told, failWith } = open()
  failWith(full)
  memory.seen(verified)
  memory.seen(verified)
  expect(memory.find(imei)).toBeUndefined()
  expect(faults).toEqual([full])
  expect(memory.problem()).toEqual(message('discovery.notKept', { why: message('app.fault') }))
  failWith(undefined)
  memory.seen(verified)
  expect(isKnown(memory.find(imei))).toBe(true)
  expect(memory.problem()).toBeNull()
  expect(told).toEqual(['discovery.notKept', imei, imei, 'well again', imei])
})

test('a fault that is none of the disk ends nothing either', () => {
  const { memory, faults, failWith } = open()
  const fault = new TypeError('broken')
  failWith(fault)
  memory.remember({ imei, model: 'ft4', lastSeenAt: '2026-03-01T10:00:00.000Z' })
  expect(faults).toEqual([fault])
  expect(memory.problem()?.id).toBe('discovery.notKept')
})

test('only a device that was verified is remembered, with its address and port', () => {
  const { memory, stored } = open()
  for (const unproved of [
    { ...verified, verified: false },
    { ...verified, imei: null },
    { ...verified, model: null }
  ])
    memory.seen(unproved)
  expect(stored.find(imei)).toBeUndefined()
  memory.seen({ ...verified, addresses: ['fe80::1%eth0'], port: 8081 })
  expect(stored.find(imei)).toMatchObject({ lastAddress: '[fe80::1%eth0]:8081', lastSeenAt: verified.lastSeenAt })
})
