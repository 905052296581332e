import { computed, ref, shallowRef } from 'vue'
import type { CallOutput } from '../../../../preload/contract/index.ts'
import type { SilentSpan, VehicleLine, VehicleState } from '../../../../preload/contract/gateway/vehicles/vehicles.ts'
import { call } from '../../../base/bridge.ts'
import { formatAgo } from '../../../base/format.ts'
import { t } from '../../../base/texts.ts'
import type { Shape } from '../../../base/ui/status.ts'
import { spanText, type FleetStanding } from '../../../gateway/vehicles/standing.ts'

/** A silent vehicle and its state in the copy. */
export interface SilentVehicle {
  vehicle: VehicleLine
  state: VehicleState | undefined
}

/** The silent vehicles of the local copy, page by page, longest first. */
export function useSilent() {
  const rows = shallowRef<SilentVehicle[]>([])
  const answer = shallowRef<Omit<CallOutput<'vehicles.silent'>, 'vehicles' | 'states'> | null>(null)
  const span = ref<SilentSpan>('all')
  let asked = 0

  async function ask(after: number | undefined): Promise<void> {
    const own = ++asked
    const { vehicles, states, ...rest } = await call('vehicles.silent', {
      span: span.value,
      ...(after === undefined ? {} : { after })
    })
    if (own !== asked) return
    const page = vehicles.map((vehicle, index) => ({ vehicle, state: states[index] }))
    rows.value = after === undefined ? page : [...rows.value, ...page]
    answer.value = rest
  }

  return {
    rows,
    answer,
    span,
    total: computed(() => answer.value?.counts?.[span.value] ?? rows.value.length),
    load: () => ask(undefined),
    more: async () => (answer.value?.more ? ask(rows.value.at(-1)?.vehicle.id) : undefined)
  }
}

/** What the last event before the silence said: often its cause, and never more than the gateway showed. */
export function lastSaid({ conditions, signalDbm }: FleetStanding): { shape: Shape; text: string } {
  if (conditions.includes('noPower')) return { shape: 'fail', text: t('windowSupport.said.noPower') }
  if (conditions.includes('weakSignal') && signalDbm !== null)
    return { shape: 'warn', text: t('windowSupport.said.signal', { signalDbm }) }
  if (conditions.includes('noPosition')) return { shape: 'warn', text: t('windowSupport.said.noPosition') }
  return signalDbm === null
    ? { shape: 'none', text: t('common.notShown') }
    : { shape: 'wait', text: t('windowSupport.said.signal', { signalDbm }) }
}

/** How long a vehicle has been silent; null: it reports again, by a later answer of the gateway. */
export function silenceOf(state: VehicleState | undefined, gatewayMs: number): { text: string; hours: number } | null {
  const since = state?.reporting.since ?? null
  if (since === null) return null
  const seconds = (gatewayMs - Date.parse(since)) / 1000
  return { text: spanText(seconds, true), hours: seconds / 3_600 }
}

/** The line of a vehicle that reports again. */
export function reportsAgain(live: string, gatewayMs: number): string {
  return t('windowSupport.said.reports', { ago: formatAgo(live, gatewayMs) })
}
