import type { Finding } from '../../../preload/contract/app.ts'

export type FindingGroup = NonNullable<Finding['group']>

const order: readonly FindingGroup[] = ['network', 'devices', 'computer', 'gateway']

/** Findings by what they are about; in each group what needs a look comes first. */
export function groupFindings(findings: Finding[]): { group: FindingGroup; findings: Finding[] }[] {
  return order.flatMap((group) => {
    const own = findings.filter((finding) => (finding.group ?? 'computer') === group)
    return own.length === 0 ? [] : [{ group, findings: own.toSorted((a, b) => Number(a.ok) - Number(b.ok)) }]
  })
}

/** The whole self-test as plain text, to be sent to somebody. */
export function findingsAsText(findings: Finding[], words: { title: string; ok: string; notOk: string; group: (group: FindingGroup) => string }): string {
  const parts = groupFindings(findings).map(({ group, findings: own }) => {
    const lines = own.map(({ name, ok, detail, remedy }) => `- ${name} [${ok ? words.ok : words.notOk}]: ${detail}${remedy ? `\n  -> ${remedy}` : ''}`)
    return `${words.group(group)}\n${lines.join('\n')}`
  })
  return `${[words.title, ...parts].join('\n\n')}\n`
}
