import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { LedgerEntry } from '../../../preload/contract/device/outputs.ts'
import { call } from '../../base/bridge.ts'
import { t } from '../../base/texts.ts'

/** An output's display name: the gateway calls an expander output `e` and its number. */
export function outputName({ path, output }: Pick<LedgerEntry, 'path' | 'output'>): string {
  const [, n] = (path === 'gateway' && /^e (\d+)$/.exec(output)) || []
  return n === undefined ? output : t('windowOutputs.expanderOut', { n: Number(n) })
}

/** Outputs that may be on, of all devices. */
export const useOutputs = defineStore('outputs', () => {
  const ledger = shallowRef<LedgerEntry[]>([])
  /** Local outputs that have their own Off on the screen, as IMEI and name. */
  const onStage = shallowRef<readonly string[]>([])
  /** The screen switches outputs over the gateway: the row for the alarm is reserved before an output is on. */
  const keepsRow = ref(false)
  /** A job is on the screen: its own line shows the alarm, and nothing below moves. */
  const hasLine = ref(false)

  function take({ outputs }: { outputs: LedgerEntry[] }): void {
    ledger.value = outputs
  }
  async function load(): Promise<void> {
    take(await call('outputs.ledger', {}))
  }
  async function switchOff(id: number): Promise<void> {
    take(await call('outputs.switchOff', { id }))
  }
  async function allOff(): Promise<void> {
    take(await call('outputs.allOff', {}))
  }
  async function confirmOff(id: number, reason: string): Promise<void> {
    take(await call('outputs.confirmOff', { id, reason }))
  }
  return { ledger, onStage, keepsRow, hasLine, take, load, switchOff, allOff, confirmOff }
})
