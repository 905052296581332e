import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { DataProgress, DataStatus } from '../../../preload/contract/app/dataFolder.ts'
import { call, subscribe } from '../../base/bridge.ts'

/** The data of this computer: size, health, the current task, and backups. */
export const useData = defineStore('data', () => {
  const status = shallowRef<DataStatus | null>(null)
  const progress = ref<DataProgress>({ work: null, ended: null })
  let isListening = false

  async function load(): Promise<void> {
    if (!isListening) {
      isListening = true
      subscribe('data.changed', (next) => {
        const hasEnded = progress.value.work !== null && next.work === null
        progress.value = next
        if (hasEnded) void load().catch(() => undefined)
      })
    }
    show(await call('data.status', {}))
  }

  function show(next: DataStatus): void {
    status.value = next
    progress.value = { work: next.work, ended: next.ended }
  }

  return {
    status,
    progress,
    load,
    async removeOrphans() {
      const removed = await call('data.removeOrphans', {})
      await load()
      return removed
    },
    choosePlace: async (path: string | null) => show(await call('data.choosePlace', { path }, dialogLimitMs)),
    forgetPlace: async () => show(await call('data.forgetPlace', {}))
  }
})

/** The person may spend any time in the system's folder dialog. */
export const dialogLimitMs = 3_600_000
