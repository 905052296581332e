import { afterEach, describe, expect, it } from 'vitest'
import { needsOfOrder } from '../../../../main/job/jobs/orders/orderNeeds.ts'
import { order } from '../../../../preload/contract/job/orders.ts'
import type { Template } from '../../../../preload/contract/job/templates.ts'
import { english, stepOfWords } from '../../../world/window/english.ts'
import { openVirtualJob, virtualImei, type VirtualJob } from '../../../world/device/virtualJob.ts'

let job: VirtualJob | undefined
afterEach(() => job?.close())

const words = { title: 'Step', instruction: 'Do it.' }
const kinds = [
  'apn',
  'btTag',
  'tyres',
  'temperature',
  'engineBus',
  'trigger',
  'measurement',
  'iButton',
  'analog',
  'wifi',
  'hotspot'
] as const
const steps = kinds.map((kind) =>
  stepOfWords({
    ...words,
    id: kind.toLowerCase(),
    kind,
    when: { ordered: kind },
    ...(kind === 'measurement' ? { perItem: true } : {})
  } as never)
)
const asked = stepOfWords({ ...words, id: 'mounted', kind: 'question' })
const template = { id: 'x', version: 1, steps: [asked, ...steps] } as unknown as Template
const missingOf = (...items: object[]) =>
  needsOfOrder(template, order.parse({ items }))
    .filter(({ isMissing }) => isMissing)
    .map(({ item, fields, say }) => [item, fields.join(), english(say)])

describe('An order', () => {
  it('needs the value of each item that would otherwise have nothing to compare', () => {
    expect(
      missingOf(...kinds.map((kind) => ({ kind }))).map(([item, fields]) => [kinds[Number(item)], fields])
    ).toEqual([
      ['apn', 'apn'],
      ['btTag', 'macs'],
      ['tyres', 'wheels'],
      ['tyres', 'minPsi'],
      ['tyres', 'maxPsi'],
      ['temperature', 'probes'],
      ['engineBus', 'parameters,entries'],
      ['trigger', 'label'],
      ['measurement', 'min,max'],
      ['iButton', 'ids'],
      ['analog', 'channels'],
      ['wifi', 'isOn,ssid'],
      ['hotspot', 'isOn,ssid']
    ])
    expect(missingOf({ kind: 'apn' })).toEqual([
      [0, 'apn', 'Enter the APN. Without it the step has nothing to compare.']
    ])
  })

  it('is complete with them, and an empty list is no value', () => {
    expect(
      missingOf(
        { kind: 'apn', apn: 'internet.example' },
        { kind: 'measurement', max: 5 },
        { kind: 'tyres', wheels: [{ axle: 0, wheel: 0 }], minPsi: 90, maxPsi: 120 },
        { kind: 'wifi', isOn: false }
      )
    ).toEqual([])
    expect(missingOf({ kind: 'iButton', ids: [] })).toEqual([[0, 'ids', 'Add at least one key.']])
    expect(missingOf({ kind: 'measurement', min: 1 }, { kind: 'measurement' })).toEqual([
      [1, 'min,max', 'Enter the lowest or the highest allowed value.']
    ])
  })

  it('needs nothing that its checklist sets', () => {
    const own = { ...template, steps: [{ ...steps[0], apn: 'internet.example' }] } as unknown as Template
    expect(needsOfOrder(own, order.parse({ items: [{ kind: 'apn' }] }))).toEqual([])
  })

  it('without its values makes no job and changes none: the refusal names item and value', () => {
    const opened = (job = openVirtualJob([asked, ...steps]))
    const create = (item: object) =>
      opened.jobs.create({
        templateId: 'some-steps',
        device: { imei: virtualImei, model: 'ft4', address: 'ft4.local:8080' },
        vehicleText: '',
        customer: '',
        order: order.parse({ items: [item] })
      })
    expect(() => create({ kind: 'trigger' })).toThrow(
      expect.objectContaining({
        code: 'INVALID_REQUEST',
        sentence: expect.objectContaining({ id: 'orders.lacks' }) as unknown
      })
    )
    expect(() => create({ kind: 'trigger', label: 'in1on' })).not.toThrow()
    expect(() => opened.jobs.changeOrder(opened.id, order.parse({ items: [{ kind: 'apn' }] }))).toThrow('orders.lacks')
    expect(opened.jobs.show(opened.id).order ?? null).toBeNull()
  })
})
