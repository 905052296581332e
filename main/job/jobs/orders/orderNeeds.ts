import { AppError } from '../../../../preload/contract/errors.ts'
import type { Order } from '../../../../preload/contract/job/orders.ts'
import type { OrderItem, StepKind } from '../../../../preload/contract/job/steps/index.ts'
import type { OrderNeed, Template } from '../../../../preload/contract/job/templates.ts'
import { asMessage, message, type Message } from '../../../../preload/contract/messages.ts'
import { assignItems } from '../engine/plan.ts'

interface Need {
  /** One of these settings is enough. */
  fields: readonly string[]
  say: Message
}

const limits = message('orders.need.tyreLimits')
const radio: readonly Need[] = [{ fields: ['isOn', 'ssid'], say: message('orders.need.radio') }]

/**
 * What an ordered item needs, by kind: without it there would be nothing to do or to compare. The other kinds run
 * without a value: they ask a person, or compare two witnesses.
 */
const needsOfKind: Readonly<Partial<Record<StepKind, readonly Need[]>>> = {
  analog: [{ fields: ['channels'], say: message('orders.need.channels') }],
  apn: [{ fields: ['apn'], say: message('orders.need.apn') }],
  btTag: [{ fields: ['macs'], say: message('orders.need.tags') }],
  engineBus: [{ fields: ['parameters', 'entries'], say: message('orders.need.busValues') }],
  hotspot: radio,
  iButton: [{ fields: ['ids'], say: message('orders.need.keys') }],
  measurement: [{ fields: ['min', 'max'], say: message('orders.need.limit') }],
  temperature: [{ fields: ['probes'], say: message('orders.need.probes') }],
  trigger: [{ fields: ['label'], say: message('orders.need.event') }],
  tyres: [
    { fields: ['wheels'], say: message('orders.need.wheels') },
    { fields: ['minPsi'], say: limits },
    { fields: ['maxPsi'], say: limits }
  ],
  wifi: radio
}

/** The needs of the ordered items, missing or not; what the checklist itself already sets is not needed. */
export function needsOfOrder(template: Template, order: Order | null): OrderNeed[] {
  return assignItems(template, order).flatMap(({ step, items }) =>
    (step.perItem ? items.map((item) => [item]) : items.length > 0 ? [items] : []).flatMap((own) =>
      (needsOfKind[step.kind] ?? [])
        .filter(({ fields }) => !fields.some((field) => isGiven(step, field)))
        .map(({ fields, say }) => ({
          item: order?.items.indexOf(own[0] as OrderItem) ?? 0,
          kind: step.kind,
          title: asMessage(own[0]?.name ?? message(`kinds.${step.kind}`)),
          fields: [...fields],
          say,
          isMissing: !own.some((item) => fields.some((field) => isGiven(item, field)))
        }))
    )
  )
}

/** Throws INVALID_REQUEST with the item and the value that an order lacks. */
export function refuseIncomplete(template: Template, order: Order | null): void {
  const missing = needsOfOrder(template, order).find(({ isMissing }) => isMissing)
  if (missing)
    throw new AppError('INVALID_REQUEST', message('orders.lacks', { item: missing.title, what: missing.say }))
}

function isGiven(settings: object, field: string): boolean {
  const value = (settings as Record<string, unknown>)[field]
  return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
}
