import type { HandlersOf } from '../../../preload/contract/index.ts'
import type { Profile } from '../profile.ts'
import { limitsOfProfile } from './check.ts'
import { previewSteps } from './preview.ts'
import { formSchemas } from './schema.ts'
import type { Templates } from './templates.ts'

/** The calls about checklists as data. */
export function createTemplateHandlers(templates: Templates, profile: Profile): HandlersOf<'templates'> {
  return {
    'templates.list': () => ({ templates: templates.list() }),
    'templates.open': ({ id }) => templates.open(id),
    'templates.check': ({ template }) => ({ findings: templates.check(template).findings }),
    'templates.preview': ({ template, order }) => previewSteps(templates.check(template).template, order),
    'templates.save': ({ template, basedOn }) => templates.save(template, basedOn),
    'templates.import': ({ text }) => templates.importText(text),
    'templates.export': ({ id }) => ({ fileName: `${id}.json`, text: templateText(templates.open(id).template) }),
    'templates.remove': ({ id }) => {
      templates.remove(id)
      return {}
    },
    'templates.schema': () => ({ ...formSchemas(), thresholds: limitsOfProfile(profile) })
  }
}

/** A checklist as the text of a file. */
export function templateText(template: object): string {
  return `${JSON.stringify(template, null, 2)}\n`
}
