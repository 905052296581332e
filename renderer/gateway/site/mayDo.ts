import type { GatewayStatus } from '../../../preload/contract/gateway/gateway.ts'
import { isReadOnly } from '../../base/ui/readOnly.ts'
import { t } from '../../base/texts.ts'

/**
 * Whether this user may perform the action, by the user record ("Scopes"): `r` reads, `w` also writes. Staff may do
 * everything; write on `remote` includes all remote commands. While the scopes are unknown, the action is offered and
 * the gateway decides.
 */
export function mayDo(status: GatewayStatus | null, scope: string, level: 'r' | 'w'): boolean {
  if (level === 'w' && isReadOnly.value) return false
  if (!status?.scopes || status.isStaff) return true
  const levels = [
    status.scopes[scope],
    ...(scope.startsWith('remote.') ? [status.scopes['remote'] === 'w' ? 'w' : undefined] : [])
  ]
  return levels.some((own) => own === 'w' || (level === 'r' && own === 'r'))
}

/** Why the action is not offered; empty when it is. */
export function whyNot(status: GatewayStatus | null, scope: string, level: 'r' | 'w'): string {
  if (level === 'w' && isReadOnly.value) return t('windowCab.onlyLookedAt')
  return mayDo(status, scope, level) ? '' : t('windowGateway.may.not', { scope: level === 'w' ? `${scope} w` : scope })
}
