import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import type { GatewayStatus } from '../../../preload/contract/gateway/gateway.ts'
import type { CallInput, CallOutput } from '../../../preload/contract/index.ts'
import { gatewayTimeMs } from '../../../preload/gateway/reporting.ts'
import { call } from '../bridge.ts'
import type { Shape } from '../ui/status.ts'

const shapes: Record<GatewayStatus['state'], Shape> = {
  notSet: 'none',
  signedOut: 'warn',
  unknown: 'wait',
  reachable: 'pass',
  unreachable: 'defer'
}

/** Whether the gateway answers, and who is signed in. */
export const useGateway = defineStore('gateway', () => {
  const status = ref<GatewayStatus | null>(null)
  const shape = computed<Shape>(() => (status.value ? shapes[status.value.state] : 'wait'))

  /** Until the limit of the gateway is known, there is none. */
  const callsLeft = computed(() => status.value?.rateLimit?.remaining ?? Infinity)

  /** What the gateway's clock shows at a moment of this computer's, as far as the difference is known. */
  const gatewayMs = (nowMs: number): number => gatewayTimeMs(nowMs, status.value?.clockDifferenceS)

  async function load(): Promise<void> {
    status.value = await call('gateway.status', {})
  }

  async function signIn(input: CallInput<'gateway.signIn'>): Promise<CallOutput<'gateway.signIn'>> {
    const result = await call('gateway.signIn', input)
    if (result.kind === 'signedIn') status.value = result.status
    return result
  }

  async function chooseSite(site: CallInput<'gateway.chooseSite'>): Promise<void> {
    status.value = await call('gateway.chooseSite', site)
  }

  async function signOut(): Promise<void> {
    status.value = await call('gateway.signOut', {})
  }

  return {
    status,
    shape,
    callsLeft,
    gatewayMs,
    load,
    signIn,
    signOut,
    chooseSite
  }
})
