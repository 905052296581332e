import { z } from 'zod'
import { defineCalls, imeiDigits, isoTime, nothing, wholeFile } from '../define.ts'
import { messageSchema } from '../base/messageSchema.ts'

const area = z.enum(['supply', 'radio', 'records', 'lines', 'wire', 'accessories'])
export type ExerciseArea = z.infer<typeof area>

export const exerciseLevels = ['first', 'wiring', 'network', 'position', 'gateway', 'outputs', 'accessories'] as const
const level = z.enum(exerciseLevels)
export type ExerciseLevel = z.infer<typeof level>

/** An exercise of the list: its texts are `windowExercises.<id>.…`. The fault is not in it. */
export const listedExercise = z.object({
  id: z.string(),
  level,
  minutes: z.number(),
  imei: z.string(),
  vehicle: z.string(),
  tries: z.number(),
  /** The best result of this person; null: not tried. */
  best: z.object({ points: z.number(), at: isoTime, isFound: z.boolean() }).nullable()
})
export type ListedExercise = z.infer<typeof listedExercise>

/** A running exercise: the vehicle has a fault that is not revealed. */
export const exercise = z.object({
  /** Of the list; null: a fault by chance. */
  id: z.string().nullable(),
  imei: z.string(),
  /** Null: the fault may be anywhere. */
  area: area.nullable(),
  vehicle: z.string(),
  startedAt: z.string(),
  limitS: z.number(),
  wrongGuesses: z.number(),
  hints: z.array(messageSchema),
  hintsLeft: z.number(),
  /** Answers that a hint ruled out. */
  ruledOut: z.array(z.string()),
  /** The faults that the person had set in the vehicle: it starts clean. */
  removedFaults: z.number()
})
export type Exercise = z.infer<typeof exercise>

/** What a team leader talks about: Fitter prevented it or ended it, in a real vehicle nobody might have. */
export const dangerKinds = ['armedUnsafe', 'engineWhileOn', 'movedWhileOn', 'leftOn'] as const
export const danger = z.object({ kind: z.enum(dangerKinds), at: isoTime })
export type Danger = z.infer<typeof danger>

/** A moment of an exercise. `about`: the step that failed, or the wrong answer. */
export const deed = z.object({
  kind: z.enum(['started', 'stepFailed', 'wrong', 'hint', 'danger', 'found', 'shown']),
  at: isoTime,
  about: messageSchema.nullable(),
  danger: z.enum(dangerKinds).optional()
})
export type Deed = z.infer<typeof deed>

export const scoreParts = z.object({ cause: z.number(), time: z.number(), safety: z.number(), hints: z.number() })
export type ScoreParts = z.infer<typeof scoreParts>

export const exerciseResult = z.object({
  /** Also its id: an exercise ends before the next one begins. */
  at: z.string(),
  area,
  /** The fault: the message `stories.<cause>` describes it. */
  cause: z.string(),
  isFound: z.boolean(),
  tookS: z.number(),
  wrongGuesses: z.number(),
  needlessSteps: z.number(),
  /** Steps that came to a result during the exercise. Absent in results of earlier versions. */
  tests: z.number().optional(),
  /** Nothing was wrong with the vehicle. */
  isNoFault: z.boolean().optional(),
  /** 0 to 100. */
  points: z.number(),
  id: z.string().nullable(),
  by: z.string(),
  vehicle: z.string(),
  limitS: z.number(),
  /** Causes in the order in which they were named. */
  answers: z.array(z.string()),
  hintsUsed: z.number(),
  dangers: z.array(danger),
  deeds: z.array(deed),
  parts: scoreParts
})
export type ExerciseResult = z.infer<typeof exerciseResult>

export const exerciseCalls = defineCalls({
  'training.exercises': {
    input: nothing,
    output: z.object({
      running: exercise.nullable(),
      causes: z.array(z.object({ area, cause: z.string() })),
      /** Newest first. */
      results: z.array(exerciseResult),
      list: z.array(listedExercise),
      /** The five steps of the guided tour, and which of them the training log contains. */
      tour: z.array(z.boolean())
    })
  },
  /** Hides a fault in a vehicle: that of a listed exercise, one of this area, or any. */
  'training.startExercise': {
    input: z.union([
      z.strictObject({ imei: imeiDigits, area: area.nullable() }),
      z.strictObject({ id: z.string().max(10) })
    ]),
    output: exercise
  },
  /** Names the cause; null gives up. No result means that the guess was wrong and the exercise continues. */
  'training.nameCause': {
    input: z.strictObject({ cause: z.string().max(60).nullable() }),
    output: z.object({ result: exerciseResult.nullable() })
  },
  /** The next hint: where to look, then fewer answers. Each costs points. */
  'training.hint': { input: nothing, output: exercise },
  /** Hides faults by chance without score or clock, until the next exercise or yard. */
  'training.openYard': {
    input: z.strictObject({ imei: imeiDigits, faults: z.number().int().min(0).max(3) }),
    output: nothing
  },
  /** The print-out: of one result, or of everybody's for their team leader. */
  'training.print': { input: z.strictObject({ at: z.string().max(40).optional() }), output: wholeFile }
})
