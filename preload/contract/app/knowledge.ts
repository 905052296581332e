import { z } from 'zod'
import { languageForm } from '../messages.ts'
import { defineCalls } from '../define.ts'

const knowledgeSide = z.enum(['device', 'gateway', 'fitter'])
export type KnowledgeSide = z.infer<typeof knowledgeSide>

const language = z.string().regex(languageForm)

const explainedTerm = z.object({
  id: z.string(),
  /** The section of the term, such as `device.gps`. */
  area: z.string(),
  areaName: z.string(),
  side: knowledgeSide,
  /** The code; a `*` stands for any word. */
  codes: z.array(z.string()),
  name: z.string(),
  text: z.string()
})
export type ExplainedTerm = z.infer<typeof explainedTerm>

export const knowledgeCalls = defineCalls({
  /** The meaning of a code: all terms with this code, or, if there are none, similar ones. Makes no requests. */
  'knowledge.explain': {
    input: z.strictObject({
      code: z.string().trim().min(1).max(200),
      within: z.string().max(60).default(''),
      language
    }),
    output: z.object({ terms: z.array(explainedTerm), nearest: z.array(explainedTerm) })
  },
  /** All explanations, by words and by area; an empty text finds everything. */
  'knowledge.find': {
    input: z.strictObject({
      text: z.string().trim().max(200).default(''),
      area: z.string().max(60).default(''),
      limit: z.number().int().min(1).max(200).default(100),
      language
    }),
    output: z.object({
      /** `n`: number of matches. */
      areas: z.array(z.object({ id: z.string(), side: knowledgeSide, name: z.string(), n: z.number() })),
      n: z.number(),
      terms: z.array(explainedTerm)
    })
  }
})
