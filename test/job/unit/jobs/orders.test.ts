import { describe, expect, it } from 'vitest'
import { readOrders } from '../../../../main/job/jobs/orders/readOrders.ts'

const read = (text: string) => readOrders(Buffer.from(text))
const items = async (text: string) => (await read(text)).orders.map(({ order }) => order.items)
const findings = async (text: string) =>
  (await read(text)).findings.map(({ line, column, what }) => `${line} ${column} ${what.id}`)

describe('Orders of a table', () => {
  it('with a line for each thing are one order for each reference', async () => {
    const { orders, findings: found } = await read(
      'reference;vehicle;customer;kind;name;inputs;output;engineOff\nA1;Van 1;Customer One;inputs;Doors;IN1|IN2;;\nA1;;;output;Starter relay;;out1;yes\nA2;Van 2;Customer One;;;;;\n'
    )
    expect(found).toEqual([])
    expect(orders).toMatchObject([
      {
        line: 2,
        order: {
          reference: 'A1',
          vehicle: 'Van 1',
          customer: 'Customer One',
          items: [
            { kind: 'inputs', inputs: ['IN1', 'IN2'], name: { values: { en: 'Doors' } } },
            { kind: 'output', output: 'OUT1', engineOff: true }
          ]
        }
      },
      { line: 4, order: { reference: 'A2', vehicle: 'Van 2', items: [] } }
    ])
  })

  it('with a line for each vehicle have a column for each kind or setting', async () => {
    const { orders, findings: found } = await read(
      'vehicle,device,template,inputs,output,output.engineOff,alignment\nVan 1,192.168.0.4,trailer,"IN1; IN3",OUT2,no,yes\nVan 2,,,,,,no\n'
    )
    expect(found).toEqual([])
    expect(orders.map(({ device, template, order }) => [device, template, order.items])).toEqual([
      [
        '192.168.0.4',
        'trailer',
        [
          { kind: 'inputs', inputs: ['IN1', 'IN3'] },
          { kind: 'output', output: 'OUT2', engineOff: false },
          { kind: 'alignment' }
        ]
      ],
      ['', '', []]
    ])
  })

  it('take numbers with a decimal comma, and a cell of JSON where a thing has many parts', async () => {
    expect(
      await items(
        'vehicle;measurement.unit;measurement.min;inputs.wires\nVan 1;V;23,5;"{""IN1"": {""name"": {""en"": ""Door""}}}"'
      )
    ).toMatchObject([
      [
        { kind: 'measurement', unit: 'V', min: 23.5 },
        { kind: 'inputs', wires: { IN1: { name: { values: { en: 'Door' } } } } }
      ]
    ])
  })

  it.each([
    ['AN1:9.000:28.000', '9.000', '9000', '9'],
    ['"AN1:23,000:28000"', '23,000', '23000', '23'],
    ['AN1:9000:28.000', '28.000', '28000', '28']
  ])('ask what a point or comma before three digits means in %s', async (cell, text, one, other) => {
    expect((await read(`vehicle,analog\nVan 1,${cell}`)).findings).toMatchObject([
      { column: 'analog', what: { id: 'orders.twoNumbers', values: { text, one, other } } }
    ])
  })

  it('take a range in plain digits', async () => {
    expect(await items('vehicle;analog\nVan 1;AN1:9000:28000\n')).toMatchObject([
      [{ kind: 'analog', channels: [{ channel: 'AN1', minMv: 9_000, maxMv: 28_000 }] }]
    ])
  })

  it.each([
    ['a column that nothing is told by', 'vehicle,color\nVan 1,red', ['1 color orders.noSuchColumn']],
    ['a kind that does not exist', 'vehicle,kind\nVan 1,magic', ['2 kind orders.noSuchKind']],
    ['a setting of another kind', 'vehicle,kind,output\nVan 1,inputs,OUT1', ['2 output orders.notOfKind']],
    ['a line that does not exist', 'vehicle,output\nVan 1,OUT9', ['2 output templates.finding.notOneOf']],
    [
      'a word where yes or no belongs',
      'vehicle,output.engineOff\nVan 1,perhaps',
      ['2 output.engineoff orders.notYesNo']
    ],
    ['a word where a number belongs', 'vehicle,measurement.min\nVan 1,low', ['2 measurement.min orders.notNumber']],
    [
      'two vehicles for one reference',
      'reference,vehicle,kind\nA1,Van 1,link\nA1,Van 2,vehicle',
      ['3 vehicle orders.saidTwice']
    ]
  ])('tell where %s stands', async (_what, text, expected) => {
    expect(await findings(text)).toEqual(expected)
  })
})

describe('Orders as JSON', () => {
  it('are one or a list, with the device and the checklist that they are for', async () => {
    const one = {
      reference: 'A1',
      device: 'ft4.local',
      template: 'camera',
      items: [{ kind: 'output', output: 'OUT1' }]
    }
    expect((await read(JSON.stringify(one))).orders).toMatchObject([
      { line: null, device: 'ft4.local', template: 'camera', order: { reference: 'A1', items: [{ output: 'OUT1' }] } }
    ])
    expect((await read(JSON.stringify([one, { items: [] }]))).orders).toHaveLength(2)
  })

  it('tell where something is wrong', async () => {
    expect(await findings('[{"items": [{"kind": "output", "outputs": 3}]}]')).toEqual([
      'null [0].items[0].outputs templates.finding.unknownField'
    ])
    await expect(read('{"items": [], "__proto__": {}}')).rejects.toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST' }) as Error
    )
  })
})
