import { createPinia, setActivePinia } from 'pinia'
import { describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { fleetTable, saveFleet } from '../../../renderer/gateway/vehicles/fleetFile.ts'
import { useVehicles } from '../../../renderer/gateway/vehicles/vehicles.store.ts'
import * as data from '../../world/data/fakeData.ts'
import { made, putCore } from '../../world/window/fakes/fakeWindow.ts'

test('the table of vehicles has the conditions in words, says when a beginning is not known, and leaves the unknown empty', () => {
  const [one, two] = data.vehicleLines
  if (!one || !two) throw new Error('no vehicles')
  const since = '2026-11-17T10:00:00.000Z'
  const table = fleetTable(
    [
      [
        { ...one, name: '=HLD' },
        data.stateAt(since, { conditions: ['noPower', 'silent'], isSinceKnown: false, signalDbm: -109 })
      ],
      [two, undefined]
    ],
    () => 'North depot'
  )
  expect(table.split('\r\n')).toEqual([
    '\ufeffVehicle,Plate,VIN,Group,Condition,Since,Last report,"Signal, dBm",IMEI',
    `'=HLD,HLD007,,North depot,"silent, no power",${since} or earlier,${since},-109,867698040023056`,
    'Unit 0071,,,North depot,,,,,',
    ''
  ])
})

describe('The file of a list', () => {
  const fleet = Array.from({ length: 450 }, (_, n) => ({ ...data.vehicleLines[0]!, id: n + 1, name: `Truck ${n + 1}` }))
  const numbers = fleet.map(({ id }) => id)

  /** The page over a copy of 450 vehicles, and the file that it saves. */
  function openFleet() {
    setActivePinia(createPinia())
    putCore({
      'vehicles.search': ({ after, limit = 50 }) => {
        const from = after === undefined ? 0 : after
        return data.vehicleList(fleet.slice(from, from + limit), { more: from + limit < fleet.length })
      },
      'vehicles.ids': () => ({ ids: numbers, instead: null }),
      'vehicles.lines': ({ ids }) => {
        const vehicles = ids.flatMap((id) => fleet.filter((one) => one.id === id))
        // Whoever waits may choose another filter meanwhile.
        store.answer = { ...store.answer, filter: 'noPower' }
        return { vehicles, states: vehicles.map(() => data.unknownState) }
      }
    })
    const store = useVehicles()
    let saved: Blob | undefined
    Object.assign(URL, { createObjectURL: (file: Blob) => ((saved = file), 'blob:fleet') })
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    onTestFinished(() => click.mockRestore())
    return {
      store,
      async savedNumbers(): Promise<number[]> {
        await saveFleet(() => '')
        const rows = ((await saved?.text()) ?? '').trim().split('\r\n').slice(1)
        return rows.map((row) => Number(/^Truck (\d+),/.exec(row)?.[1]))
      }
    }
  }

  it('has all vehicles of a search, not only its first page', async () => {
    const { store, savedNumbers } = openFleet()
    store.text = ' truck '
    expect(await savedNumbers()).toEqual(numbers)
    expect(made('vehicles.ids')).toEqual([{ text: 'truck', filter: 'all', group: null }])
  })

  it('has all vehicles of the filter that was shown when it was asked for', async () => {
    const { store, savedNumbers } = openFleet()
    store.answer = { ...store.answer, filter: 'attention' }
    store.group = 2
    expect(await savedNumbers()).toEqual(numbers)
    expect(made('vehicles.ids')).toEqual([{ text: '', filter: 'attention', group: 2 }])
  })

  it('of an empty list asks for nothing more', async () => {
    const { savedNumbers } = openFleet()
    putCore({ 'vehicles.ids': () => ({ ids: [], instead: null }) })
    expect(await savedNumbers()).toEqual([])
    expect(made('vehicles.lines')).toEqual([])
  })
})
