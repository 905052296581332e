import { defineStore } from 'pinia'
import { ref } from 'vue'
import type { Run, RunChange } from '../../../preload/contract/device/workspace.ts'
import { call, subscribe } from '../../base/bridge.ts'

/** Settings that are applied to devices one after the other; the core continues when the screen is closed. */
export const useRuns = defineStore('runs', () => {
  const runs = ref<Run[]>([])
  let isListening = false

  function put(run: Run): void {
    runs.value = runs.value.some(({ id }) => id === run.id)
      ? runs.value.map((one) => (one.id === run.id ? run : one))
      : [run, ...runs.value]
  }

  async function load(): Promise<void> {
    if (!isListening) subscribe('workspace.run', put)
    isListening = true
    runs.value = (await call('workspace.runs', {})).runs
  }

  async function start(keys: string[], change: RunChange): Promise<Run> {
    const run = await call('workspace.startRun', { keys, change })
    // Events of a quick run may have arrived before this answer.
    if (!runs.value.some(({ id }) => id === run.id)) put(run)
    return run
  }

  async function stop(id: string): Promise<void> {
    put(await call('workspace.stopRun', { id }))
  }

  async function goOn(id: string, alsoUnknown: boolean): Promise<void> {
    await call('workspace.continueRun', { id, alsoUnknown })
  }

  return { runs, load, start, stop, goOn }
})
