import { z } from 'zod'
import { defineCalls, nothing } from '../define.ts'

/** Where the fault of an exercise is looked for. */
const area = z.enum(['supply', 'radio', 'records', 'lines', 'wire', 'accessories'])
export type ExerciseArea = z.infer<typeof area>

/** An exercise that is under way: its fault is in the vehicle, and nobody says which. */
export const exercise = z.object({
  imei: z.string(),
  /** Null: the fault may be anywhere. */
  area: area.nullable(),
  /** The vehicle that the device is to be fitted in, as the gateway calls it. */
  vehicle: z.string(),
  startedAt: z.string(),
  wrongGuesses: z.number()
})
export type Exercise = z.infer<typeof exercise>

export const exerciseResult = z.object({
  at: z.string(),
  area,
  /** What was wrong: the message `stories.<cause>` says it. */
  cause: z.string(),
  isFound: z.boolean(),
  tookS: z.number(),
  wrongGuesses: z.number(),
  /** Steps that were run again although they had passed. */
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
      /** What may be named as the cause, by area. */
      causes: z.array(z.object({ area, cause: z.string() })),
      /** Newest first. */
      results: z.array(exerciseResult)
    })
  },
  /** Hides a fault in a vehicle; one of this area, or any. */
  'training.startExercise': { input: z.strictObject({ imei: z.string().regex(/^\d{15}$/), area: area.nullable() }), output: exercise },
  /** Names the cause; null gives up. Without a result the guess was wrong, and the exercise goes on. */
  'training.nameCause': { input: z.strictObject({ cause: z.string().max(60).nullable() }), output: z.object({ result: exerciseResult.nullable() }) }
})
