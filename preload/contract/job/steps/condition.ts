import { z } from 'zod'

/** When a step is part of the job: by the order, or by the answer to an earlier step. */
export type Condition =
  | { ordered: string }
  | { noOrder: true }
  | { answered: { step: string; is: boolean | number | string } }
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }

export const condition: z.ZodType<Condition> = z
  .lazy(() =>
    z.union([
      /** A kind, or the name (`as`) of an item in the order. */
      z.strictObject({ ordered: z.string().min(1).max(60) }),
      z.strictObject({ noOrder: z.literal(true) }),
      z.strictObject({
        answered: z.strictObject({
          step: z.string().min(1).max(60),
          is: z.union([z.boolean(), z.number(), z.string().max(200)])
        })
      }),
      z.strictObject({ all: z.array(condition).min(1).max(20) }),
      z.strictObject({ any: z.array(condition).min(1).max(20) }),
      z.strictObject({ not: condition })
    ])
  )
  .meta({ id: 'Condition' })
