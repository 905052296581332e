import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import type {
  Exercise,
  ExerciseArea,
  ExerciseLevel,
  ExerciseResult,
  ListedExercise
} from '../../../preload/contract/app/exercises.ts'
import { call } from '../../base/bridge.ts'

/** From this score on, an exercise counts as learned. */
export const goodScore = 70

/** Exercises of the training workplace: the list, what is hidden in a vehicle now, and the person's answers. */
export const useExercises = defineStore('exercises', () => {
  const running = ref<Exercise | null>(null)
  const causes = ref<{ area: ExerciseArea; cause: string }[]>([])
  const results = ref<ExerciseResult[]>([])
  const list = ref<ListedExercise[]>([])
  const tour = ref<boolean[]>([])
  /** Chosen in the list. */
  const chosenId = ref('')
  const level = ref<ExerciseLevel | 'all'>('all')
  const found = computed(() => list.value.filter(({ best }) => best?.isFound))

  async function load(): Promise<void> {
    const all = await call('training.exercises', {})
    running.value = all.running
    causes.value = all.causes
    results.value = all.results
    list.value = all.list
    tour.value = all.tour
  }

  async function start(imei: string, area: ExerciseArea | null): Promise<Exercise> {
    return (running.value = await call('training.startExercise', { imei, area }))
  }

  async function startListed(id: string): Promise<Exercise> {
    return (running.value = await call('training.startExercise', { id }))
  }

  async function showHint(): Promise<void> {
    running.value = await call('training.hint', {})
  }

  async function openYard(imei: string, faults: number): Promise<void> {
    await call('training.openYard', { imei, faults })
    running.value = null
  }

  /** The result, or null after a wrong answer. A null cause: revealed instead of found. */
  async function nameCause(cause: string | null): Promise<ExerciseResult | null> {
    const { result } = await call('training.nameCause', { cause })
    if (result) {
      running.value = null
      results.value = [result, ...results.value]
    } else if (running.value) running.value = { ...running.value, wrongGuesses: running.value.wrongGuesses + 1 }
    return result
  }

  return {
    running,
    causes,
    results,
    list,
    tour,
    chosenId,
    level,
    found,
    load,
    start,
    startListed,
    showHint,
    openYard,
    nameCause
  }
})
