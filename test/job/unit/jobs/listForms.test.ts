import { expect, it } from 'vitest'
import { AppError } from '../../../../preload/contract/errors.ts'
import { readOrders } from '../../../../main/job/jobs/orders/readOrders.ts'
import { listedOrders, listForms } from '../../../world/gateway/listForms.ts'

const readable = listForms.filter(({ refused }) => refused === undefined)
const refused = listForms.filter((form) => form.refused !== undefined)

it.each(readable.map((form) => [form.name, form] as const))(
  'A list with %s is read as the same orders',
  async (_name, { bytes }) => {
    const { orders, findings } = await readOrders(bytes)
    expect(findings).toEqual([])
    expect(
      orders.map(({ device, order }) => ({
        device,
        vehicle: order.vehicle,
        customer: order.customer,
        analog: order.items.flatMap((item) => (item.kind === 'analog' ? item.channels : []))
      }))
    ).toEqual(listedOrders)
  }
)

it.each(refused.map((form) => [form.name, form.refused, form] as const))(
  'A list with %s is refused with %s',
  async (_name, id, { bytes }) => {
    const ids = await Promise.resolve(bytes)
      .then(readOrders)
      .then(
        ({ findings }) => findings.map(({ what }) => what.id),
        (error: unknown) => [error instanceof AppError ? error.sentence.id : String(error)]
      )
    expect(new Set(ids)).toEqual(new Set([id]))
  }
)

it('A list whose letters read in two code pages shows both, and is read in the one that a person chooses', async () => {
  const bytes = Buffer.from('vehicle;device\r\nvan\xA0norte;10.0.0.8\r\n', 'latin1')
  expect((await readOrders(bytes)).reading).toMatchObject({
    encoding: 'ibm850',
    separator: ';',
    n: 1,
    unclear: { one: 'vanánorte', other: 'van\u00a0norte', otherEncoding: 'windows-1252' }
  })
  expect((await readOrders(bytes, 'windows-1252')).orders[0]?.order.vehicle).toBe('van norte')
  const polish = Buffer.from('vehicle\r\nGda\xF1sk 1\r\n', 'latin1')
  expect((await readOrders(polish, 'windows-1250')).orders[0]?.order.vehicle).toBe('Gdańsk 1')
  expect(
    (await readOrders(Buffer.from('vehicle\r\n\xCA\xE0\xEC\xE0\xE7 5\r\n', 'latin1'))).orders[0]?.order.vehicle
  ).toBe('Камаз 5')
})

it('What was read of a list is shown back: lines above its head, its first rows, and what was removed', async () => {
  const { reading } = await readOrders(Buffer.from('Pedidos\r\nvehicle;device\r\n\u200eVan 1;10.0.0.9\r\n'))
  expect(reading).toMatchObject({
    skipped: ['Pedidos'],
    columns: ['vehicle', 'device'],
    rows: [['Van 1', '10.0.0.9']],
    notes: [{ id: 'reading.hiddenRemoved', values: { n: 1 } }]
  })
})
