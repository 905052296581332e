import type { GatewayStatus } from '../../../../preload/contract/gateway/gateway.ts'
import { isMessage, message, type Message } from '../../../../preload/contract/messages.ts'
import type { DialFailure } from '../../../base/internet/route.ts'
import { tlsFaultOf } from '../../../base/internet/tlsFault.ts'

/** The meaning of a failed connection, and the remedy. */
export function sayDialFailure(failure: DialFailure): Message {
  const { code, stage, way, proxyStatus } = failure
  const proxy = way.proxy?.label
  if (code === 'NO_CARD') return message('gateway.chosenCardGone')
  if (stage === 'proxy' && proxy !== undefined) {
    if (proxyStatus === 407) return message('gateway.proxyWantsPassword', { proxy })
    if (proxyStatus !== undefined) return message('gateway.proxyRefuses', { proxy, status: proxyStatus })
    return message('gateway.proxyBroke', { proxy })
  }
  if (stage !== 'certificate' && proxy !== undefined) return message('gateway.proxyAway', { proxy })
  if (stage === 'name') return message('gateway.nameNotKnown')
  if (stage === 'certificate') return sayCertificate(failure)
  if (code === 'ECONNREFUSED') return message('gateway.nothingThere')
  if (code === 'ETIMEDOUT') return message('gateway.noAnswer')
  return message('gateway.away')
}

function sayCertificate({ code, certificateNames }: DialFailure): Message {
  switch (tlsFaultOf(code)) {
    case 'otherName':
      return message('gateway.certificateOtherName', { names: certificateNames ?? '' })
    case 'expired':
      return message('gateway.certificateExpired')
    case 'notYet':
      return message('gateway.certificateNotYet')
    case 'issuer':
      return message('gateway.certificateIssuer')
    case 'oldTls':
      return message('gateway.oldTls')
    case 'notEncrypted':
      return message('gateway.notEncrypted')
    case 'noCommonCipher':
      return message('gateway.noCommonCipher')
    case 'certificate':
    case 'other':
      return message('gateway.certificate')
    case undefined:
      return message('gateway.broke')
  }
}

const hindrances: Readonly<Record<string, NonNullable<GatewayStatus['hindrance']>>> = {
  'gateway.foreign': 'loginPage',
  'gateway.sentOn': 'loginPage',
  'gateway.loginPage': 'loginPage',
  'gateway.failed': 'failing',
  'gateway.inBetween': 'between',
  'gateway.challenge': 'between',
  'gateway.failedBefore': 'failing',
  'gateway.maintenance': 'failing',
  'gateway.oldTls': 'encryption',
  'gateway.notEncrypted': 'encryption',
  'gateway.noCommonCipher': 'encryption',
  'gateway.proxyAsks': 'proxy',
  'gateway.certificateOtherName': 'loginPage',
  'gateway.certificate': 'certificate',
  'gateway.certificateExpired': 'certificate',
  'gateway.certificateNotYet': 'certificate',
  'gateway.certificateIssuer': 'certificate',
  'gateway.nameNotKnown': 'name',
  'gateway.proxyAway': 'proxy',
  'gateway.proxyBroke': 'proxy',
  'gateway.proxyRefuses': 'proxy',
  'gateway.proxyWantsPassword': 'proxy',
  'internet.pacNotHere': 'proxy',
  'internet.proxyOtherKind': 'proxy',
  'internet.proxyNotRead': 'proxy'
}

/** What is between this computer and the gateway, as far as the failure shows it. */
export function hindranceOf(problem: Message): NonNullable<GatewayStatus['hindrance']> {
  const { what } = problem.values
  return hindrances[problem.id] ?? (isMessage(what) ? hindranceOf(what) : 'network')
}
