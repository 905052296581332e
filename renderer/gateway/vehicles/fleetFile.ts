import type { VehicleLine, VehicleState } from '../../../preload/contract/gateway/vehicles/vehicles.ts'
import { csvFile, type CsvValue } from '../../../preload/base/messages/csvFile.ts'
import { call } from '../../base/bridge.ts'
import { saveBlob } from '../../base/saveFile.ts'
import { t } from '../../base/texts.ts'
import { statusText } from './standing.ts'
import { useVehicles } from './vehicles.store.ts'

const perRequest = 200

/**
 * Saves all vehicles that the shown filter and group, or the search, have now, as a table; times are UTC, and an unknown
 * value is empty.
 */
export async function saveFleet(groupsOf: (vehicle: VehicleLine) => string): Promise<void> {
  const { text, answer, group } = useVehicles()
  const { ids } = await call('vehicles.ids', { text: text.trim(), filter: answer.filter, group })
  const rows: [VehicleLine, VehicleState | undefined][] = []
  for (let from = 0; from < ids.length; from += perRequest) {
    const { vehicles, states } = await call('vehicles.lines', { ids: ids.slice(from, from + perRequest) })
    rows.push(...vehicles.map((vehicle, index): [VehicleLine, VehicleState | undefined] => [vehicle, states[index]]))
  }
  saveBlob(
    `fitter-vehicles-${new Date().toISOString().slice(0, 10)}.csv`,
    new Blob([fleetTable(rows, groupsOf)], { type: 'text/csv' })
  )
}

/** One line for each vehicle, under the names of the columns. */
export function fleetTable(
  rows: readonly (readonly [VehicleLine, VehicleState | undefined])[],
  groupsOf: (vehicle: VehicleLine) => string
): string {
  const head = [
    t('common.vehicle'),
    t('common.plate'),
    'VIN',
    t('common.group'),
    t('common.condition'),
    t('windowFleet.col.since'),
    t('windowVehicles.vehicle.device.lastReport'),
    t('common.signalInDbm'),
    'IMEI'
  ]
  const lines = rows.map(([vehicle, state]): CsvValue[] => [
    vehicle.name,
    vehicle.plate ?? '',
    vehicle.vin ?? '',
    groupsOf(vehicle),
    statusText(state),
    state?.since ? (state.isSinceKnown ? state.since : t('windowFleet.orEarlier', { time: state.since })) : '',
    state?.lastReportedAt ?? '',
    state?.signalDbm ?? null,
    vehicle.imei ?? ''
  ])
  return csvFile([head, ...lines])
}
