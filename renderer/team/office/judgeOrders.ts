import type { OfficeOrder, TeamMember } from '../../../preload/contract/team/teamOffice.ts'
import { formatWhen } from '../../base/format.ts'
import { say } from '../../base/say.ts'
import { isImei } from '../../base/shell/diagnoseSubject.ts'
import { t } from '../../base/texts.ts'

export type OrderStanding = 'ready' | 'check' | 'fault' | 'sent'

/** An order as the office sees it: whether it can be sent, and why not. */
export interface JudgedOrder {
  order: OfficeOrder
  line: number
  /** Null when this computer has no such checklist. */
  template: { id: string; name: string } | null
  /** The laptop; empty: anyone. Null when the file names nobody of the team. */
  to: string | null
  standing: OrderStanding
  /** The worst first; empty when it is ready. */
  reasons: string[]
}

export interface KnownToOffice {
  templates: readonly { id: string; name: string }[]
  members: readonly TeamMember[]
  /** Whom a person assigned an order to, by its id. */
  assigned: ReadonlyMap<string, string>
  /** Orders that were prepared since the file was checked. */
  sent: ReadonlyMap<string, NonNullable<OfficeOrder['sent']>>
  /** Why the team log refused an order. */
  refused: ReadonlyMap<string, string>
}

/**
 * Judges each order without changing anything. What a file writes is compared without capitals: a checklist by id or
 * name, a person by the laptop or by the one laptop on which this technician works. The form of a plate is not judged.
 */
export function judgeOrders(orders: readonly OfficeOrder[], known: KnownToOffice): JudgedOrder[] {
  const first = new Map<string, number>()
  return orders.map((order) => {
    const line = order.lines[0] ?? 0
    const template =
      known.templates.find(({ id, name }) => isSame(id, order.template) || isSame(name, order.template)) ?? null
    const to = known.assigned.get(order.id) ?? receiverOf(order.to, known.members)
    const sent = known.sent.get(order.id) ?? order.sent
    const vehicle = order.vehicle.trim().toLowerCase()
    const before = vehicle === '' ? undefined : first.get(vehicle)
    if (before === undefined) first.set(vehicle, line)
    if (sent)
      return {
        order,
        line,
        template,
        to: sent.to,
        standing: 'sent',
        reasons: [t('windowTeamOffice.sent', { when: formatWhen(sent.at), by: sent.by })]
      }
    const faults = [
      ...order.errors.map((error) => say(error)),
      ...faultsOf(order, template !== null, to),
      ...(known.refused.has(order.id) ? [known.refused.get(order.id) ?? ''] : [])
    ]
    const checks = checksOf(order, to, before)
    return {
      order,
      line,
      template,
      to,
      standing: faults.length > 0 ? 'fault' : checks.length > 0 ? 'check' : 'ready',
      reasons: [...faults, ...checks]
    }
  })
}

function faultsOf({ vehicle, template, to: named }: OfficeOrder, hasTemplate: boolean, to: string | null): string[] {
  return [
    ...(vehicle.trim() === '' ? [t('common.noVehicle')] : []),
    ...(template === ''
      ? [t('windowTeamOffice.noChecklist')]
      : hasTemplate
        ? []
        : [t('windowTeamOffice.noSuchChecklist', { name: template })]),
    ...(to === null ? [t('windowTeamOffice.noSuchPerson', { name: named })] : [])
  ]
}

function checksOf({ open, device }: OfficeOrder, to: string | null, before: number | undefined): string[] {
  return [
    ...(open
      ? [t(open.isStarted ? 'windowTeamOffice.openJob' : 'windowTeamOffice.openPrepared', { by: open.by })]
      : []),
    ...(before === undefined ? [] : [t('windowTeamOffice.sameVehicle', { line: before })]),
    ...(to === '' ? [t('windowTeamOffice.noTechnician')] : []),
    ...(device === '' || isImei(device) ? [] : [t('windowTeamOffice.noImei', { text: device })])
  ]
}

/** A name of two laptops names neither. */
function receiverOf(named: string, members: readonly TeamMember[]): string | null {
  if (named === '') return ''
  const writers = members.filter(({ role }) => role !== 'reader')
  const laptop = writers.find(({ name }) => isSame(name, named))
  if (laptop) return laptop.name
  const [only, other] = writers.filter(({ technician }) => isSame(technician, named))
  return only && !other ? only.name : null
}

function isSame(one: string, other: string): boolean {
  return one.trim().toLocaleLowerCase() === other.trim().toLocaleLowerCase()
}
