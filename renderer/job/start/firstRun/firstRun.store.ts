import { defineStore } from 'pinia'
import { ref } from 'vue'
import { useSettings } from '../../../base/shell/settings.store.ts'

/** Where the person is in the first run. It outlives a look at another screen. */
export const useFirstRun = defineStore('firstRun', () => {
  const settings = useSettings()
  const step = ref<1 | 2 | 3>(1)
  const isConfirmed = ref(false)
  /** Left in this window, even if the choice could not be stored. */
  const isLeft = ref(false)

  /** Language, units and time zone are as the person wants them. */
  async function confirm(): Promise<void> {
    await settings.change({ firstRun: 'open' })
    isConfirmed.value = true
    step.value = 2
  }

  /** Ends the first run; the start screen lists what is still missing. */
  async function leave(): Promise<void> {
    isLeft.value = true
    await settings.change({ firstRun: isConfirmed.value ? 'left' : 'skipped' })
  }

  return { step, isConfirmed, isLeft, confirm, leave }
})
