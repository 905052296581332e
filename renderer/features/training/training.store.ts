import { defineStore } from 'pinia'
import { ref } from 'vue'
import type { CallOutput } from '../../../preload/contract/index.ts'
import type { TrainingAct, TrainingVehicle } from '../../../preload/contract/training.ts'
import { call } from '../../bridge.ts'

/** The simulated vehicles of the training workplace. */
export const useTraining = defineStore('training', () => {
  const vehicles = ref<TrainingVehicle[]>([])
  const credentials = ref<Omit<CallOutput<'training.vehicles'>, 'vehicles'> | null>(null)

  async function load(): Promise<void> {
    const { vehicles: all, ...rest } = await call('training.vehicles', {})
    vehicles.value = all
    credentials.value = rest
  }

  async function act(imei: string, act: TrainingAct): Promise<void> {
    await call('training.act', { imei, act })
  }

  function clear(): void {
    vehicles.value = []
    credentials.value = null
  }

  return { vehicles, credentials, load, act, clear }
})
