import { z } from 'zod'
import { defineCalls, nothing } from '../define.ts'

const area = z.enum(['supply', 'radio', 'records', 'lines', 'wire', 'accessories'])
export type ExerciseArea = z.infer<typeof area>

/** A running exercise: the vehicle has a fault that is not revealed. */
export const exercise = z.object({
  imei: z.string(),
  /** Null: the fault may be anywhere. */
  area: area.nullable(),
  vehicle: z.string(),
  startedAt: z.string(),
  wrongGuesses: z.number()
})
export type Exercise = z.infer<typeof exercise>

export const exerciseResult = z.object({
  at: z.string(),
  area,
  /** The fault: the message `stories.<cause>` describes it. */
  cause: z.string(),
  isFound: z.boolean(),
  tookS: z.number(),
  wrongGuesses: z.number(),
  needlessSteps: z.number(),
  /** 0 to 100. */
  points: z.number()
})
export type ExerciseResult = z.infer<typeof exerciseResult>

export const exerciseCalls = defineCalls({
  'training.exercises': {
    input: nothing,
    output: z.object({
      running: exercise.nullable(),
      causes: z.array(z.object({ area, cause: z.string() })),
      /** Newest first. */
      results: z.array(exerciseResult)
    })
  },
  /** Hides a fault in a vehicle; one of this area, or any. */
  'training.startExercise': { input: z.strictObject({ imei: z.string().regex(/^\d{15}$/), area: area.nullable() }), output: exercise },
  /** Names the cause; null gives up. No result means that the guess was wrong and the exercise continues. */
  'training.nameCause': { input: z.strictObject({ cause: z.string().max(60).nullable() }), output: z.object({ result: exerciseResult.nullable() }) }
})
