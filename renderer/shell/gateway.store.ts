import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import type { EntityChoice, GatewayStatus } from '../../preload/contract/gateway/gateway.ts'
import type { CallInput, CallOutput } from '../../preload/contract/index.ts'
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

  async function findEntities(kind: EntityChoice['kind'], text: string): Promise<CallOutput<'gateway.findEntities'>> {
    return call('gateway.findEntities', { kind, text })
  }

  return {
    status,
    shape,
    load,
    signIn,
    signOut,
    chooseSite,
    findEntities,
    sites: async () => (await call('gateway.sites', {})).sites,
    forgetSite: async (site: CallInput<'gateway.forgetSite'>) => (await call('gateway.forgetSite', site)).sites,
    sessions: async () => (await call('gateway.sessions', {})).sessions,
    endSession: async (key: string) => (await call('gateway.endSession', { key })).sessions,
    groups: async () => (await call('gateway.groups', {})).groups,
    createToken: (wish: CallInput<'gateway.createToken'>) => call('gateway.createToken', wish)
  }
})
