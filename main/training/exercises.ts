import { AppError } from '../../preload/contract/errors.ts'
import type { Exercise, ExerciseArea, ExerciseResult } from '../../preload/contract/app/exercises.ts'
import { message } from '../../preload/contract/messages.ts'
import { faultStories, type FaultStory } from '../../simulator/faultStories.ts'
import { tellStory, type Scene } from '../../simulator/tellStory.ts'
import { pointsOf } from './points.ts'

/** The time from the start of an exercise to a fault that begins during a job. */
const beginsAfterMs = 60_000
const shownResults = 20

/** Mistakes of the technician; they cannot be hidden in a vehicle. */
const hideable = faultStories.filter(({ person }) => person === undefined)

export interface ExercisesOptions {
  /** The vehicle, its device and the gateway; undefined for a device outside the training yard. */
  scene(imei: string): Scene | undefined
  kept: { list(): ExerciseResult[]; keep(result: ExerciseResult): void }
  /** Steps of jobs on this device that were repeated although they had passed. */
  needlessSteps(imei: string, since: string): number
  now?(): Date
  /** 0 to 1. */
  random?(): number
}

/** Faults that are hidden in a training vehicle, and the answers of the trainee. */
export type Exercises = ReturnType<typeof createExercises>

interface Running {
  exercise: Exercise
  story: FaultStory
  end(): void
}

export function createExercises(options: ExercisesOptions) {
  const now = options.now ?? (() => new Date())
  const random = options.random ?? Math.random
  let present: Running | null = null

  function hide(story: FaultStory, scene: Scene): () => void {
    let undo: (() => void) | undefined
    const begin = () => (undo = tellStory(story, scene))
    const timer = story.at === undefined ? undefined : setTimeout(begin, beginsAfterMs)
    if (timer === undefined) begin()
    return () => {
      clearTimeout(timer)
      undo?.()
    }
  }

  function start(imei: string, area: ExerciseArea | null): Exercise {
    const scene = options.scene(imei)
    if (!scene) throw new AppError('NOT_FOUND', message('app.notInTraining'))
    present?.end()
    const choice = hideable.filter((story) => area === null || story.area === area)
    const story = choice[Math.floor(random() * choice.length)] as FaultStory
    const vehicle = scene.gateway.state.vehicles.find((one) => String(one.device) === imei)?.name ?? ''
    const exercise: Exercise = { imei, area, vehicle, startedAt: now().toISOString(), wrongGuesses: 0 }
    present = { exercise, story, end: hide(story, scene) }
    return exercise
  }

  function nameCause(cause: string | null): ExerciseResult | null {
    if (!present) throw new AppError('INVALID_REQUEST', message('app.noExercise'))
    const { exercise, story, end } = present
    const isFound = cause === story.name
    if (!isFound && cause !== null) {
      exercise.wrongGuesses += 1
      return null
    }
    const at = now()
    const facts = {
      isFound,
      tookS: Math.round((at.getTime() - Date.parse(exercise.startedAt)) / 1000),
      wrongGuesses: exercise.wrongGuesses,
      needlessSteps: options.needlessSteps(exercise.imei, exercise.startedAt)
    }
    const result: ExerciseResult = { at: at.toISOString(), area: story.area, cause: story.name, ...facts, points: pointsOf(facts) }
    end()
    present = null
    options.kept.keep(result)
    return result
  }

  return {
    running: (): Exercise | null => present && { ...present.exercise },
    causes: (): { area: ExerciseArea; cause: string }[] => hideable.map(({ area, name }) => ({ area, cause: name })),
    results: (): ExerciseResult[] => options.kept.list().slice(0, shownResults),
    start,
    nameCause,
    stop(): void {
      present?.end()
      present = null
    }
  }
}
