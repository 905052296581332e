import { z } from 'zod'
import type { Json } from '../../../../preload/contract/define.ts'
import { orderItem, templateStep } from '../../../../preload/contract/job/steps/index.ts'
import { template } from '../../../../preload/contract/job/templates.ts'
import { plainJson } from '../record/journal.ts'

const forFiles = { io: 'input', unrepresentable: 'any' } as const

export function templateSchemaJson(): Json {
  return plainJson({ title: 'Fitter checklist', ...z.toJSONSchema(template, forFiles) })
}

export function formSchemas(): { step: Json; item: Json } {
  return {
    step: plainJson(z.toJSONSchema(templateStep, forFiles)),
    item: plainJson(z.toJSONSchema(orderItem, forFiles))
  }
}
