import { expect, it, vi } from 'vitest'
import type { GatewayClient } from '../../../../main/gateway/client/client.ts'
import { openStore } from '../../../../main/data/store/index.ts'
import { createLocalVehicles } from '../../../../main/gateway/vehicles/localVehicles.ts'
import { listOf, openCopies } from '../../../world/gateway/copiedLists.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const gatewayMs = Date.parse('2026-11-20T12:00:00Z')
const ago = (hours: number) => new Date(gatewayMs - hours * 3_600_000).toISOString()

it.each([
  ['right', 0],
  ['a day fast', -86_400],
  ['a day slow', 86_400]
])('a computer whose clock is %s copies the same vehicles as silent', async (_name, clockDifferenceS) => {
  const nowMs = gatewayMs - clockDifferenceS * 1_000
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs })
  const store = openStore(tempFolder())
  try {
    const records = [
      { imei: '867698040023051', last_reported: ago(1) },
      { imei: '867698040023052', last_reported: ago(30) },
      { imei: '867698040023053', last_reported: ago(8 * 24 - 1) }
    ]
    const vehicles = records.map(({ imei }, n) => ({
      id: n + 1,
      name: `Unit ${imei}`,
      device: Number(imei),
      groups: [1]
    }))
    const copies = openCopies(store.copies, [listOf('vehicles', vehicles), listOf('devices', records)], {
      client: () => ({ clockDifferenceS: () => clockDifferenceS }) as GatewayClient,
      now: () => new Date(nowMs)
    })
    await copies.refresh()
    await copies.ended()
    const local = createLocalVehicles(copies, () => nowMs + clockDifferenceS * 1_000)
    const { vehicles: silent, counts, states } = await local.silent({ span: 'all', limit: 10 } as never)
    expect(silent.map(({ id }) => id)).toEqual([3, 2])
    expect(counts).toEqual({ all: 2, week: 1, month: 1, longer: 0 })
    // The age of the copy is by the clock that the person sees.
    expect(states.map(({ readAt }) => readAt)).toEqual(Array(2).fill(new Date(nowMs).toISOString()))
  } finally {
    store.close()
    vi.useRealTimers()
  }
})
