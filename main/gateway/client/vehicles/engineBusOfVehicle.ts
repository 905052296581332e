import type { Json } from '../../../../preload/contract/define.ts'
import type { Message } from '../../../../preload/contract/messages.ts'
import { isEventOfDevice } from '../../../base/reading/eventOfDevice.ts'
import { problemOf } from '../../../base/reading/fields.ts'
import type { GatewayClient } from '../client.ts'
import { readEcuFields, readEcuParameters, type EcuFlag } from '../decoders/engineBus.ts'
import type { Fields } from '../decoders/fields.ts'
import { eventMs } from '../decoders/eventTimes.ts'

/** One engine-bus value in one event; scaled if the description of its parameter states a divisor. */
interface BusValue {
  /** Without the prefix `ecu_`, in lower case. */
  name: string
  flag: EcuFlag
  meaning: Message
  value: number | string | boolean | null
}

const mostEvents = 10

/** `GET /vehicles/:vid/remote/ecu_state` and the `ecu_` fields of the newest events that name this device. */
export async function readEngineBus(
  gateway: GatewayClient,
  request: { imei: string; vehicleId: number; sinceMs: number; nowMs: number },
  signal: AbortSignal
) {
  const { imei, vehicleId, sinceMs, nowMs } = request
  const state = await gateway.remote.ecuState({ vid: vehicleId }, { signal })
  const parameters = readEcuParameters(state.value.params).map((one) => ({
    ...one,
    name: one.name.trim().toLowerCase().replace(/^ecu_/, '')
  }))
  const { value: catalogue } = await gateway.rawdata.keys({}, { signal })
  const fields = Object.keys(catalogue.keys ?? {}).filter((name) => name.startsWith('ecu_'))
  const { value } = await gateway.rawdata.query(
    {
      from: new Date(sinceMs),
      // The end makes each request different, because the gateway caches by request.
      to: new Date(nowMs + 60_000),
      vehicles: [vehicleId],
      fields: ['device_id', 'event_epoch', ...fields],
      order: 'event_time',
      tail: mostEvents
    },
    { signal }
  )
  const heard = ((value.events ?? []) as Fields[]).filter((raw) => isEventOfDevice({ raw }, imei))
  const heardMs = heard.map(eventMs).filter((atMs) => atMs !== undefined)
  const events = heard
    .flatMap((event): { atMs: number; ageS: number; values: BusValue[] }[] => {
      const atMs = eventMs(event)
      const values = valuesOf(event, parameters)
      return atMs === undefined || values.length === 0
        ? []
        : [{ atMs, ageS: Math.max(0, (nowMs - atMs) / 1000), values }]
    })
    .sort((a, b) => a.atMs - b.atMs)
  const { detected, engineison, upgrading } = state.value
  return {
    isDetected: detected ?? null,
    isEngineOn: engineison ?? null,
    isUpgrading: upgrading ?? null,
    problem: detected === undefined ? (problemOf(state.problems, 'detected') ?? null) : null,
    parameters,
    heardAgeS: heardMs.length === 0 ? null : Math.max(0, (nowMs - Math.max(...heardMs)) / 1000),
    events,
    raw: { ecu_state: (state.raw ?? null) as Json, event: ((value.events ?? []).at(-1) ?? null) as Json }
  }
}

function valuesOf(event: Fields, parameters: { name: string; description: string; divisor: number }[]): BusValue[] {
  const divisors = new Map(parameters.map(({ name, divisor }) => [name, divisor]))
  return readEcuFields(event).flatMap(({ name, value, flag }): BusValue[] => {
    if (!flag) return []
    const divisor = divisors.get(name.toLowerCase()) ?? 1
    return [
      {
        name: name.toLowerCase(),
        flag: flag.flag,
        meaning: flag.meaning,
        value: typeof value === 'number' ? Math.round((value / divisor) * 1000) / 1000 : value
      }
    ]
  })
}
