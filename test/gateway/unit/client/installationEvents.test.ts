import { expect, it } from 'vitest'
import type { GatewayClient } from '../../../../main/gateway/client/client.ts'
import { createInstallationGateway } from '../../../../main/gateway/client/vehicles/installation.ts'

const imei = '490154203237518'
const nowMs = Date.parse('2026-11-20T10:00:00Z')
const { signal } = new AbortController()

function open(events: object[]) {
  const asked: object[] = []
  const client = {
    nowMs: () => nowMs,
    rawdata: { query: (request: object) => (asked.push(request), Promise.resolve({ value: { events } })) }
  } as unknown as GatewayClient
  return { asked, gateway: createInstallationGateway(async () => client) }
}

const event = (type: number, eventAgoS: number, arrivedAgoS: number) => ({
  device_id: Number(imei),
  type,
  event_epoch: nowMs / 1000 - eventAgoS,
  system_epoch: nowMs / 1000 - arrivedAgoS
})

it('events are asked for by their date, or by their arrival where the dates may be wrong', async () => {
  const day = 86_400
  const { asked, gateway } = open([event(10, 32 * day, 5), event(10, 4_000, 3_999), event(100, 32 * day + 60, 65)])
  const order = async (by: { by?: 'arrival' }) =>
    (await gateway.readEvents({ imei, vehicleId: 7, sinceMs: 0, untilMs: nowMs, ...by }, signal)).map(
      ({ ageS, type }) => `${Math.round(ageS)} ${type}`
    )
  expect(await order({})).toEqual(['4000 10', `${32 * day} 10`, `${32 * day + 60} 100`])
  expect(await order({ by: 'arrival' })).toEqual([`${32 * day} 10`, `${32 * day + 60} 100`, '4000 10'])
  expect(asked).toMatchObject([{ order: 'event_time' }, { order: 'system_time' }])
})

it('events of the receiver are asked for without those that prove a connection alone', async () => {
  const { asked, gateway } = open([])
  await gateway.readEvents({ imei, vehicleId: 7, isOfReceiver: true }, signal)
  await gateway.readEvents({ imei, vehicleId: 7 }, signal)
  expect(asked).toMatchObject([{ vehicles: [7], filter: 'type < 100' }, { vehicles: [7] }])
  expect(asked[1]).not.toHaveProperty('filter')
})
