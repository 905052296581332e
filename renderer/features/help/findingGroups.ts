import type { Finding } from '../../../preload/contract/app/app.ts'
import type { Message } from '../../../preload/contract/messages.ts'

export type FindingGroup = NonNullable<Finding['group']>

const order: readonly FindingGroup[] = ['network', 'devices', 'computer', 'gateway']

/** Findings by what they are about; what needs a look comes first, the group that has it and within the group. */
export function groupFindings(findings: Finding[]): { group: FindingGroup; findings: Finding[] }[] {
  const groups = order.flatMap((group) => {
    const own = findings.filter((finding) => (finding.group ?? 'computer') === group)
    return own.length === 0 ? [] : [{ group, findings: own.toSorted((a, b) => Number(a.ok) - Number(b.ok)) }]
  })
  const needsLook = ({ findings: own }: { findings: Finding[] }) => own.some(({ ok }) => !ok)
  return groups.toSorted((a, b) => Number(needsLook(b)) - Number(needsLook(a)))
}

/** The whole self-check as plain text, for a message to a colleague. */
export function findingsAsText(findings: Finding[], words: { title: string; word: (finding: Finding) => string; say: (message: Message) => string; group: (group: FindingGroup) => string }): string {
  const parts = groupFindings(findings).map(({ group, findings: own }) => {
    const lines = own.map((finding) => {
      const { say, word } = words
      return `- ${say(finding.name)} [${word(finding)}]: ${say(finding.detail)}${finding.remedy ? `\n  -> ${say(finding.remedy)}` : ''}`
    })
    return `${words.group(group)}\n${lines.join('\n')}`
  })
  return `${[words.title, ...parts].join('\n\n')}\n`
}
