import { defineStore } from 'pinia'
import { ref } from 'vue'
import type { CallOutput } from '../../../preload/contract/index.ts'
import type { TrainingVehicle } from '../../../preload/contract/app/training.ts'
import { call } from '../bridge.ts'

const kept = 'training.drawer'
/** In a narrower window, the drawer would cover the work. */
const roomy = '(min-width: 1101px)'

function wasOpen(): boolean {
  const last = localStorage.getItem(kept)
  return last === null ? window.matchMedia(roomy).matches : last === 'open'
}

/** The simulated vehicles of the training workplace, and whether their drawer is open. */
export const useTraining = defineStore('training', () => {
  const vehicles = ref<TrainingVehicle[]>([])
  const credentials = ref<Omit<CallOutput<'training.vehicles'>, 'vehicles'> | null>(null)
  const isOpen = ref(wasOpen())

  async function load(): Promise<void> {
    const { vehicles: all, ...rest } = await call('training.vehicles', {})
    vehicles.value = all
    credentials.value = rest
  }

  /** Opens or closes the drawer; the choice is remembered for the next start. */
  function toggle(): void {
    isOpen.value = !isOpen.value
    localStorage.setItem(kept, isOpen.value ? 'open' : 'closed')
  }

  function clear(): void {
    vehicles.value = []
    credentials.value = null
  }

  return { vehicles, credentials, isOpen, load, toggle, clear }
})
