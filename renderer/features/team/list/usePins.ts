import { shallowRef } from 'vue'
import type { TeamPins } from '../../../../preload/contract/team/teamPins.ts'
import { call } from '../../../bridge.ts'

export type TeamPin = TeamPins['pins'][number]

const pins = shallowRef<readonly TeamPin[]>([])

/** The local copies for work without the team log; one list for all components. */
export function usePins() {
  function pinOf(kind: TeamPin['kind'], value: string): TeamPin | undefined {
    return pins.value.find((one) => one.kind === kind && one.value === value)
  }

  async function load(): Promise<void> {
    pins.value = (await call('team.pins', {})).pins
  }

  async function toggle(kind: TeamPin['kind'], value: string): Promise<void> {
    pins.value = (await call(pinOf(kind, value) ? 'team.unpin' : 'team.pin', { kind, value })).pins
  }

  return { pinOf, load, toggle }
}
