import { message } from '../../../../preload/contract/messages.ts'
import { brokenLink, okLink, shortWords, unknownLink, type LinkVerdict } from '../linkVerdict.ts'
import { whyNoGateway, type EvidenceView } from '../evidenceView.ts'

/**
 * This user can see the vehicle and its events. 404 has two meanings; which one applies is said only if it is known.
 */
export function judgeVisible({ evidence, gateway }: EvidenceView): LinkVerdict {
  const why = whyNoGateway(gateway)
  if (gateway === null || why)
    return unknownLink(
      why ?? message('chain.gatewayNotAsked'),
      gateway?.state === 'signedOut' ? { action: { kind: 'signInGateway' } } : {}
    )
  const user = gateway.user?.value
  const username = user?.name || gateway.username || null
  const name = username ?? '-'
  const isNamed = username === null ? 'no' : 'yes'
  const ask = (scope: string | null, status: number | null = null) =>
    ({ action: { kind: 'askAdministrator', username, scope, status } }) as const
  const by = { witness: 'gateway', readAt: gateway.user?.readAt ?? gateway.vehicle?.readAt ?? null } as const
  const lacks = (scope: string) =>
    user !== undefined &&
    !user.isStaff &&
    user.scopes !== null &&
    Object.keys(user.scopes).length > 0 &&
    user.scopes[scope] === undefined
  const remedy = message('chain.visible.askForGroup')
  const scopeMissing = (scope: string) =>
    brokenLink({
      ...by,
      sentence: message('chain.visible.scopeMissing', { name, scope }),
      short: message('chain.short.scope'),
      remedy: message('chain.visible.askForScope', { scope }),
      ...ask(scope)
    })
  if (gateway.vehicle?.value) {
    if (isRight(gateway.refused.events)) {
      if (lacks('rawdata')) return scopeMissing('rawdata')
      return brokenLink({
        ...by,
        sentence: message('chain.visible.eventsRefused', { name, isNamed, status: statusOf(gateway.refused.events) }),
        short: message('chain.short.hidden'),
        remedy: isStated(gateway.refused.events) ? message('chain.visible.askForScope', { scope: 'rawdata' }) : remedy,
        ...ask(isStated(gateway.refused.events) ? 'rawdata' : null, gateway.refused.events?.status)
      })
    }
    return okLink({
      ...by,
      sentence: message('chain.visible.seen', { name }),
      short: user ? shortWords(user.name.split('@')[0] ?? user.name) : message('chain.short.valid')
    })
  }
  if (lacks('vehicles')) return scopeMissing('vehicles')
  if (isRight(gateway.refused.vehicle)) {
    return brokenLink({
      ...by,
      sentence: message('chain.visible.refused', { name, isNamed, status: statusOf(gateway.refused.vehicle) }),
      short: message('chain.short.hidden'),
      remedy: isStated(gateway.refused.vehicle) ? message('chain.visible.askForScope', { scope: 'vehicles' }) : remedy,
      ...ask(isStated(gateway.refused.vehicle) ? 'vehicles' : null, gateway.refused.vehicle?.status)
    })
  }
  if (gateway.vehicle === null) return unknownLink(gateway.refused.vehicle?.why ?? message('chain.gatewayAsking'), by)
  if (evidence.vehicleText !== null) {
    return brokenLink({
      ...by,
      sentence: message('chain.visible.notFound', { text: evidence.vehicleText }),
      short: message('chain.short.hidden'),
      remedy: message('chain.visible.checkName')
    })
  }
  return brokenLink({
    ...by,
    sentence: message('chain.visible.deviceHidden'),
    short: message('chain.short.hidden'),
    remedy,
    ...ask(null)
  })
}

/** The gateway says that a right is missing; 404 only says that nothing is shown. */
function isStated(refusal: { status: number | null } | undefined): boolean {
  return refusal?.status === 401 || refusal?.status === 403
}

function statusOf(refusal: { status: number | null } | undefined): string {
  return String(refusal?.status ?? '-')
}

/** A refusal because of rights, as far as the statuses show. */
function isRight(refusal: { status: number | null } | undefined): boolean {
  return refusal !== undefined && [401, 403, 404].includes(refusal.status ?? 0)
}
