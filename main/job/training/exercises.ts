import { AppError } from '../../../preload/contract/errors.ts'
import type {
  Danger,
  Deed,
  Exercise,
  ExerciseArea,
  ExerciseResult,
  ListedExercise
} from '../../../preload/contract/app/exercises.ts'
import { trainingFaults, type TrainingAct } from '../../../preload/contract/app/training.ts'
import { message } from '../../../preload/contract/messages.ts'
import { faultStories, type FaultStory } from '../../../simulator/faultStories.ts'
import { tellStory, type Scene } from '../../../simulator/tellStory.ts'
import { exerciseList } from './exerciseList.ts'
import { scoreOf, sumOf } from './points.ts'
import type { Trace } from './trace.ts'

/** The time from the start of an exercise to a fault that begins during a job. */
const beginsAfterMs = 60_000
const defaultLimitS = 900
const hintsAtMost = 3

/** Mistakes of the technician; they cannot be hidden in a vehicle. */
const hideable = faultStories.filter(({ person }) => person === undefined)

export interface ExercisesOptions {
  /** The vehicle, its device and the gateway; undefined for a device outside the training yard. */
  scene(imei: string): Scene | undefined
  /** The devices of the yard. */
  devices: readonly string[]
  kept: { list(): ExerciseResult[]; keep(result: ExerciseResult): void }
  /** What the job on this device shows since then. */
  trace(imei: string, since: string): Trace
  /** Outputs of this device that are on, or that may be. */
  outputsOn(imei: string): number
  technician(): string
  tour(): boolean[]
  now?(): Date
  /** 0 to 1. */
  random?(): number
}

/** Faults that are hidden in a training vehicle, and the answers of the trainee. */
export type Exercises = ReturnType<typeof createExercises>

interface Running {
  exercise: Exercise
  story: FaultStory
  answers: string[]
  dangers: Danger[]
  deeds: Deed[]
  end(): void
}

export function createExercises(options: ExercisesOptions) {
  const now = options.now ?? (() => new Date())
  const random = options.random ?? Math.random
  let present: Running | null = null
  let endYard = (): void => undefined

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

  function sceneOf(imei: string): Scene {
    const scene = options.scene(imei)
    if (!scene) throw new AppError('NOT_FOUND', message('app.notInTraining'))
    return scene
  }

  function vehicleOf(imei: string): string {
    return sceneOf(imei).gateway.state.vehicles.find((one) => String(one.device) === imei)?.name ?? ''
  }

  function stop(): void {
    present?.end()
    present = null
    endYard()
    endYard = () => undefined
  }

  /** A fault that the person set by hand would be a second cause. */
  function removeFaults({ device }: Scene): number {
    const own = trainingFaults.filter((name) => device.faults().includes(name))
    for (const name of own) device.setFault(name, false)
    return own.length
  }

  function begin(story: FaultStory, about: Pick<Exercise, 'id' | 'imei' | 'area' | 'limitS'>): Exercise {
    const scene = sceneOf(about.imei)
    const vehicle = vehicleOf(about.imei)
    stop()
    const removedFaults = removeFaults(scene)
    const startedAt = now().toISOString()
    const exercise: Exercise = {
      ...about,
      vehicle,
      startedAt,
      wrongGuesses: 0,
      hints: [],
      hintsLeft: hintsAtMost,
      ruledOut: [],
      removedFaults
    }
    present = {
      exercise,
      story,
      answers: [],
      dangers: [],
      deeds: [{ kind: 'started', at: startedAt, about: null }],
      end: hide(story, scene)
    }
    return show(exercise)
  }

  function start(imei: string, area: ExerciseArea | null): Exercise {
    const choice = hideable.filter((story) => area === null || story.area === area)
    return begin(choice[Math.floor(random() * choice.length)] as FaultStory, {
      id: null,
      imei,
      area,
      limitS: defaultLimitS
    })
  }

  function startListed(id: string): Exercise {
    const index = exerciseList.findIndex((one) => one.id === id)
    const listed = exerciseList[index]
    const story = hideable.find(({ name }) => name === listed?.cause)
    const imei = imeiOf(index)
    if (!listed || !story || imei === undefined) throw new AppError('NOT_FOUND', message('app.noExercise'))
    return begin(story, { id, imei, area: story.area, limitS: listed.minutes * 60 })
  }

  /** The exercises take turns with the devices of the yard. */
  function imeiOf(index: number): string | undefined {
    return options.devices[index % options.devices.length]
  }

  function demand(): Running {
    if (!present) throw new AppError('INVALID_REQUEST', message('app.noExercise'))
    return present
  }

  function show(exercise: Exercise): Exercise {
    return { ...exercise, hints: [...exercise.hints], ruledOut: [...exercise.ruledOut] }
  }

  /** First where to look, then half of the wrong answers less, then one left beside the right one. */
  function hint(): Exercise {
    const { exercise, story, deeds } = demand()
    if (exercise.hintsLeft === 0) return show(exercise)
    const number = hintsAtMost - exercise.hintsLeft + 1
    const wrong = hideable
      .filter(({ area, name }) => area === story.area && name !== story.name)
      .map(({ name }) => name)
    if (number > 1) exercise.ruledOut = wrong.slice(0, number === 2 ? Math.ceil(wrong.length / 2) : wrong.length - 1)
    exercise.hints.push(
      number === 1
        ? message(`training.hint.${story.area}`)
        : message('training.hint.fewer', { n: wrong.length - exercise.ruledOut.length + 1 })
    )
    exercise.hintsLeft -= 1
    deeds.push({ kind: 'hint', at: now().toISOString(), about: null })
    return show(exercise)
  }

  /** Notes what would be dangerous in a real vehicle: it starts or moves while an output is on. */
  function watchAct(imei: string, act: TrainingAct): void {
    if (present?.exercise.imei !== imei || options.outputsOn(imei) === 0) return
    const at = now().toISOString()
    if (act.act === 'key' && act.to === 'crank') present.dangers.push({ kind: 'engineWhileOn', at })
    if (act.act === 'speed' && act.kmh > 0) present.dangers.push({ kind: 'movedWhileOn', at })
  }

  function nameCause(cause: string | null): ExerciseResult | null {
    const { exercise, story, answers, deeds, dangers, end } = demand()
    const isFound = cause === story.name
    const at = now().toISOString()
    if (cause !== null) answers.push(cause)
    if (!isFound && cause !== null) {
      exercise.wrongGuesses += 1
      deeds.push({
        kind: 'wrong',
        at,
        about: hideable.some(({ name }) => name === cause) ? message(`stories.${cause}` as 'stories.noPower') : null
      })
      return null
    }
    const trace = options.trace(exercise.imei, exercise.startedAt)
    const all = [
      ...dangers,
      ...trace.dangers,
      ...(options.outputsOn(exercise.imei) > 0 ? [{ kind: 'leftOn' as const, at }] : [])
    ].sort(byTime)
    const facts = {
      isFound,
      tookS: Math.round((Date.parse(at) - Date.parse(exercise.startedAt)) / 1000),
      limitS: exercise.limitS,
      wrongGuesses: exercise.wrongGuesses,
      needlessSteps: trace.needlessSteps,
      tests: trace.tests
    }
    const parts = scoreOf({ ...facts, dangers: all.length, hints: exercise.hints.length })
    const result: ExerciseResult = {
      ...facts,
      at,
      id: exercise.id,
      by: options.technician(),
      vehicle: exercise.vehicle,
      area: story.area,
      cause: story.name,
      ...(story.isNoFault ? { isNoFault: true } : {}),
      answers,
      hintsUsed: exercise.hints.length,
      dangers: all,
      deeds: [
        ...deeds,
        ...trace.deeds,
        ...all.map(({ kind, at }): Deed => ({ kind: 'danger', at, about: null, danger: kind })),
        { kind: isFound ? ('found' as const) : ('shown' as const), at, about: null }
      ].sort(byTime),
      parts,
      points: sumOf(parts)
    }
    end()
    present = null
    options.kept.keep(result)
    return result
  }

  function list(): ListedExercise[] {
    const own = options.kept.list().filter(({ by }) => by === options.technician())
    return exerciseList.flatMap(({ id, level, minutes }, index) => {
      const imei = imeiOf(index)
      if (imei === undefined) return []
      const tries = own.filter((result) => result.id === id)
      const best = [...tries].sort((a, b) => b.points - a.points)[0]
      return [
        {
          id,
          level,
          minutes,
          imei,
          vehicle: vehicleOf(imei),
          tries: tries.length,
          best: best ? { points: best.points, at: best.at, isFound: best.isFound } : null
        }
      ]
    })
  }

  return {
    running: (): Exercise | null => present && show(present.exercise),
    causes: (): { area: ExerciseArea; cause: string }[] => hideable.map(({ area, name }) => ({ area, cause: name })),
    results: (): ExerciseResult[] => options.kept.list(),
    list,
    tour: options.tour,
    start,
    startListed,
    hint,
    watchAct,
    nameCause,
    /** Faults by chance, without score or clock. */
    openYard(imei: string, faults: number): void {
      const scene = sceneOf(imei)
      stop()
      // Two stories may use the same wire: each is told once, and untold in the opposite order.
      const choice = hideable.filter(({ at }) => at === undefined)
      const ends: (() => void)[] = []
      while (ends.length < faults && choice.length > 0) {
        const [story] = choice.splice(Math.floor(random() * choice.length), 1)
        if (story) ends.unshift(hide(story, scene))
      }
      endYard = () => ends.forEach((end) => end())
    },
    stop
  }
}

function byTime(a: { at: string }, b: { at: string }): number {
  return a.at.localeCompare(b.at)
}
