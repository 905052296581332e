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
  const name = user?.name ?? '-'
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
      remedy: message('chain.visible.askForScope', { scope })
    })
  if (gateway.vehicle?.value) {
    if (isRight(gateway.refused.events)) {
      if (lacks('rawdata')) return scopeMissing('rawdata')
      return brokenLink({
        ...by,
        sentence: message('chain.visible.eventsRefused', { why: gateway.refused.events?.why ?? '' }),
        short: message('chain.short.hidden'),
        remedy
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
      sentence: message('chain.visible.refused', { why: gateway.refused.vehicle?.why ?? '' }),
      short: message('chain.short.hidden'),
      remedy
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
    remedy
  })
}

/** A refusal because of rights, as far as the statuses show. */
function isRight(refusal: { status: number | null } | undefined): boolean {
  return refusal !== undefined && [401, 403, 404].includes(refusal.status ?? 0)
}
