import { t } from '../../texts.ts'
import { goDiagnose } from '../diagnosis/subject.ts'
import { subjectOf } from '../diagnosis/subjectLines.ts'
import type { FoundLine } from './foundLines.ts'
import { wantedWords } from './matching.ts'

const shortestVerb = 4

/** What follows the word "Diagnose" ("diag" is enough) where it was typed first and somebody is named; else null. */
export function wordsToDiagnose(text: string): string | null {
  const [typed = '', ...rest] = wantedWords(text)
  const [verb = ''] = wantedWords(t('windowDiagnosis.open'))
  return typed.length >= shortestVerb && verb.startsWith(typed) && rest.length > 0 ? text.trim().replace(/^\S+\s+/, '') : null
}

/** The line of somebody as one that diagnoses them. */
export function diagnoseLine(line: FoundLine): FoundLine[] {
  const subject = subjectOf(line)
  const title = t('windowPalette.diagnose', { name: line.title })
  return subject === null ? [] : [{ ...line, id: `diagnose ${line.id}`, icon: 'pulse', title, act: () => goDiagnose(subject) }]
}
