import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { LedgerEntry } from '../../../preload/contract/outputs.ts'
import { call } from '../../bridge.ts'

/** Outputs that may be on, of all devices. */
export const useOutputs = defineStore('outputs', () => {
  const ledger = shallowRef<LedgerEntry[]>([])
  /** The local output that has its own Off on the screen, as IMEI and name; null while none has. */
  const onStage = ref<string | null>(null)

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
  return { ledger, onStage, take, load, switchOff, allOff, confirmOff }
})
