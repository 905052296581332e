import type { Finding, FindingPart } from '../../../preload/contract/app/app.ts'
import { stateOf, type FindingState } from '../../../preload/support/activity/findingState.ts'
import type { Message } from '../../../preload/contract/messages.ts'

export type FindingGroup = NonNullable<Finding['group']>

const order: readonly FindingGroup[] = ['network', 'devices', 'computer', 'gateway']
/** What needs a person first; what could not be checked comes after what works. */
const urgency: Readonly<Record<FindingState, number>> = { blocked: 0, check: 1, waiting: 2, works: 3, notTested: 4 }

/** Findings by what they are about; within a group the most urgent comes first. The groups keep their places. */
export function groupFindings(findings: Finding[]): { group: FindingGroup; findings: Finding[] }[] {
  return order.flatMap((group) => {
    const own = findings.filter((finding) => (finding.group ?? 'computer') === group)
    return own.length === 0
      ? []
      : [{ group, findings: own.toSorted((a, b) => urgency[stateOf(a)] - urgency[stateOf(b)]) }]
  })
}

/** The list after some parts were checked again: their findings are replaced, the others stay. */
export function replaceParts(findings: Finding[], parts: readonly FindingPart[], again: Finding[]): Finding[] {
  return [...findings.filter(({ part }) => part === undefined || !parts.includes(part)), ...again]
}

/** How many findings have each state, the urgent ones first. */
export function countStates(findings: Finding[]): [state: FindingState, n: number][] {
  return (['works', 'check', 'blocked', 'waiting', 'notTested'] as const)
    .map((state): [FindingState, number] => [state, findings.filter((finding) => stateOf(finding) === state).length])
    .filter(([, n]) => n > 0)
}

/** The whole check as plain text, for a message to a colleague. */
export function findingsAsText(
  findings: Finding[],
  words: {
    title: string
    word: (finding: Finding) => string
    say: (message: Message) => string
    group: (group: FindingGroup) => string
    settings: string[]
  }
): string {
  const parts = groupFindings(findings).map(({ group, findings: own }) => {
    const lines = own.map((finding) => {
      const { say, word } = words
      return `- ${say(finding.name)} [${word(finding)}]: ${say(finding.detail)}${finding.remedy ? `\n  -> ${say(finding.remedy)}` : ''}`
    })
    return `${words.group(group)}\n${lines.join('\n')}`
  })
  return `${[words.title, ...parts, ...(words.settings.length > 0 ? [words.settings.join('\n')] : [])].join('\n\n')}\n`
}
