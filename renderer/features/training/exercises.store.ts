import { defineStore } from 'pinia'
import { ref } from 'vue'
import type { Exercise, ExerciseArea, ExerciseResult } from '../../../preload/contract/app/exercises.ts'
import { call } from '../../bridge.ts'

/** Hidden faults in a training vehicle, and the person's answers. */
export const useExercises = defineStore('exercises', () => {
  const running = ref<Exercise | null>(null)
  const causes = ref<{ area: ExerciseArea; cause: string }[]>([])
  const results = ref<ExerciseResult[]>([])

  async function load(): Promise<void> {
    const all = await call('training.exercises', {})
    running.value = all.running
    causes.value = all.causes
    results.value = all.results
  }

  async function start(imei: string, area: ExerciseArea | null): Promise<void> {
    running.value = await call('training.startExercise', { imei, area })
  }

  /** Null: revealed instead of found. */
  async function nameCause(cause: string | null): Promise<void> {
    const { result } = await call('training.nameCause', { cause })
    if (result) {
      running.value = null
      results.value = [result, ...results.value]
    } else if (running.value) running.value = { ...running.value, wrongGuesses: running.value.wrongGuesses + 1 }
  }

  return { running, causes, results, load, start, nameCause }
})
