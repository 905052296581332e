import { expect, it } from 'vitest'
import { createVisitHandlers } from '../../../../main/support/diagnosis/visits.ts'
import { openStore } from '../../../../main/data/store/index.ts'
import { calls } from '../../../../preload/contract/index.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const vehicle = { vehicleId: 7, imei: '867698040023056' }
const visit = {
  checklistId: 'service-visit',
  place: 'North depot',
  technician: 'Technician Two',
  dueAt: '2026-11-24T13:30:00.000Z',
  note: 'The key is at the gate.'
}
const signal = new AbortController().signal

it('a planned visit, its outcome and the notes are there again after Fitter was closed', async () => {
  const folder = tempFolder()
  const first = openStore(folder)
  const before = createVisitHandlers({
    cases: first.diagnosisCases,
    gatewayUrl: () => 'https://one.example',
    technician: () => 'Technician One',
    now: () => new Date('2026-11-20T10:00:00.000Z')
  })
  expect(await before['visits.read'](vehicle, signal)).toEqual({ case: { visit: null, outcome: 'open', notes: [] } })
  await before['visits.addNote']({ ...vehicle, text: 'Called, nobody answered.' }, signal)
  await before['visits.save']({ ...vehicle, visit, outcome: 'planned' }, signal)
  await before['visits.addNote']({ ...vehicle, text: 'The truck is in the workshop.' }, signal)
  first.close()
  const second = openStore(folder)
  const after = createVisitHandlers({
    cases: second.diagnosisCases,
    gatewayUrl: () => 'https://one.example',
    technician: () => ''
  })
  const at = '2026-11-20T10:00:00.000Z'
  expect(await after['visits.read'](vehicle, signal)).toEqual({
    case: {
      visit,
      outcome: 'planned',
      notes: [
        { at, by: 'Technician One', text: 'The truck is in the workshop.' },
        { at, by: 'Technician One', text: 'Called, nobody answered.' }
      ]
    }
  })
  second.close()
})

it('the vehicle with the same number at another gateway is another one, and a device in no vehicle has its own notes', async () => {
  const store = openStore(tempFolder())
  let gatewayUrl = 'https://one.example'
  const handlers = createVisitHandlers({
    cases: store.diagnosisCases,
    gatewayUrl: () => gatewayUrl,
    technician: () => ''
  })
  await handlers['visits.addNote']({ ...vehicle, text: 'Here.' }, signal)
  gatewayUrl = 'https://two.example'
  expect((await handlers['visits.read'](vehicle, signal)).case.notes).toEqual([])
  expect((await handlers['visits.read']({ ...vehicle, vehicleId: null }, signal)).case.notes).toEqual([])
  expect(calls['visits.read'].input.safeParse({ vehicleId: null, imei: null }).success).toBe(false)
  store.close()
})
