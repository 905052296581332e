import { expect, test } from 'vitest'
import { openTestStore } from '../../../world/data/storedJobs.ts'
import { summaryOf } from '../../../world/data/jobSummary.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

test('a short number means a vehicle with that number, with or without zeros before it, among thousands', () => {
  const store = openTestStore(tempFolder())
  const entry = { type: 'evidence', stepId: null, data: {}, at: '2026-03-01T10:00:00.000Z' }
  for (let n = 1; n <= 3_000; n++) {
    const plate = `HLD${String(n).padStart(4, '0')}`
    const imei = `35693803${String(n).padStart(7, '0')}`
    const id = `01J${String(n).padStart(6, '0')}A7`
    store.jobs.append(id, [entry], () =>
      summaryOf(id, {
        vehicle: { id: n, name: plate },
        device: { imei, model: 'ft4', address: '' },
        createdAt: new Date(Date.parse('2026-01-01T00:00:00.000Z') + n * 60_000).toISOString()
      })
    )
  }
  const names = (search: string) => store.jobs.page({ search, limit: 200 }).jobs.map((job) => job.vehicle?.name ?? '')
  const sevens = names('hld 7')
  expect(sevens).toContain('HLD0007')
  expect(sevens).toContain('HLD0070')
  expect(sevens).not.toContain('HLD0017')
  expect(sevens).toEqual(names('HLD 07'))
  expect(names('hld 2999')).toEqual(['HLD2999'])
  expect(names('hld0007')).toEqual(['HLD0007'])
  expect(store.jobs.page({ search: 'hld 70', limit: 5 })).toMatchObject({ total: 11, isMore: false, isSimilar: false })
})

test('a known device is found by its number, its name, its model and its last vehicle', () => {
  const { knownDevices } = openTestStore(tempFolder())
  for (let n = 1; n <= 500; n++) {
    knownDevices.remember({
      imei: `86769804${String(n).padStart(7, '0')}`,
      model: 'ft4',
      label: n === 9 ? 'bench' : '',
      lastVehicle: `HLD${String(n).padStart(3, '0')}`,
      lastSeenAt: new Date(1_800_000_000_000 + n).toISOString()
    })
  }
  const find = (text: string) => knownDevices.search(text, 3)
  expect(find('hld 7')).toMatchObject({
    n: 11,
    total: 500,
    found: [{ lastVehicle: 'HLD079' }, { lastVehicle: 'HLD078' }, { lastVehicle: 'HLD077' }]
  })
  expect(find('0000123').found.map(({ imei }) => imei)).toEqual(['867698040000123'])
  expect(find('BENCH ft4').found.map(({ imei }) => imei)).toEqual(['867698040000009'])
  expect(find('nothing')).toEqual({ found: [], n: 0, total: 500 })
  expect(find('  ')).toEqual({ found: [], n: 0, total: 500 })
})
