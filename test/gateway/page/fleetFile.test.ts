import { expect, test } from 'vitest'
import { fleetTable } from '../../../renderer/gateway/vehicles/fleetFile.ts'
import * as data from '../../world/data/fakeData.ts'

test('the table of vehicles has the conditions in words, says when a beginning is not known, and leaves the unknown empty', () => {
  const [one, two] = data.vehicleLines
  if (!one || !two) throw new Error('no vehicles')
  const since = '2026-11-17T10:00:00.000Z'
  const table = fleetTable(
    [
      [
        { ...one, name: '=HLD' },
        { ...data.unknownState, conditions: ['noPower', 'silent'], since, lastReportedAt: since, signalDbm: -109 }
      ],
      [two, undefined]
    ],
    () => 'North depot'
  )
  expect(table.split('\r\n')).toEqual([
    '\ufeffVehicle,Plate,VIN,Group,Condition,Since,Last report,"Signal, dBm",IMEI',
    `'=HLD,HLD007,,North depot,"no power, silent",${since} or earlier,${since},-109,867698040023056`,
    'Unit 0071,,,North depot,,,,,',
    ''
  ])
})
