import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { LedgerEntry } from '../../../preload/contract/outputs.ts'
import { call } from '../../bridge.ts'

/** Outputs that may be on, of all devices. */
export const useOutputs = defineStore('outputs', () => {
  const ledger = shallowRef<LedgerEntry[]>([])

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
  return { ledger, take, load, switchOff, allOff, confirmOff }
})
