import type { ExplainedTerm } from '../../../preload/contract/app/knowledge.ts'
import type { HandlersOf } from '../../../preload/contract/index.ts'
import { writtenIn, type Language } from '../../../preload/base/messages/settings.ts'
import { explainCode, findTerms, nearestTerms } from './explain.ts'
import { openKnowledge, type KnownTerm } from './terms.ts'

/** The number of similar spellings that are suggested for an unknown code. */
const nearestTold = 5

export function createKnowledgeHandlers(): HandlersOf<'knowledge'> {
  return {
    'knowledge.explain': ({ code, within, language }) => explained(code, { within, language }),
    'knowledge.find': ({ text, area, limit, language }) => {
      const knowledge = openKnowledge()
      const found = findTerms(knowledge, text)
      const here = area === '' ? found : found.filter((term) => term.area === area)
      return {
        areas: knowledge.areas.map((one) => ({
          id: one.id,
          side: one.side,
          name: one[writtenIn(language)],
          n: found.filter((term) => term.area === one.id).length
        })),
        n: here.length,
        terms: here.slice(0, limit).map((term) => told(term, language))
      }
    }
  }
}

/** The meaning of a code; for an unknown code, suggestions. */
export function explained(
  code: string,
  { within = '', language }: { within?: string; language: Language }
): { terms: ExplainedTerm[]; nearest: ExplainedTerm[] } {
  const knowledge = openKnowledge()
  const terms = explainCode(knowledge, code, within)
  const nearest = terms.length > 0 ? [] : nearestTerms(knowledge, code, nearestTold)
  return { terms: terms.map((term) => told(term, language)), nearest: nearest.map((term) => told(term, language)) }
}

function told(term: KnownTerm, language: Language): ExplainedTerm {
  const area = openKnowledge().areas.find(({ id }) => id === term.area)
  return {
    id: term.id,
    area: term.area,
    areaName: area?.[writtenIn(language)] ?? term.area,
    side: area?.side ?? 'fitter',
    codes: term.codes,
    ...term[writtenIn(language)]
  }
}
