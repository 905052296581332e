import type { Json } from '../../../preload/contract/define.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { Snapshot, SnapshotDifference } from '../../../preload/contract/support/snapshots.ts'
import { compareSnapshots } from '../../support/diagnosis/snapshots/compare.ts'
import { showLine } from './outsideText.ts'
import type { Terminal } from './terminal.ts'

const widestField = 44
const longestValue = 60

/** The differences between two snapshots: in words first, then field by field; meaningless ones only on request. */
export function tellComparison(
  terminal: Terminal,
  { before, after, all }: { before: Snapshot; after: Snapshot; all: boolean }
): void {
  const { differences, sentences, unknown } = compareSnapshots({ before, after })
  const shown = differences.filter(({ noise }) => all || !noise)
  const hidden = differences.length - shown.length
  const text = (what: Message) => terminal.text(what)
  const lines = [
    text(message('terminalSnapshot.since', { beforeAt: before.takenAt, afterAt: after.takenAt })),
    ...(sentences.length === 0
      ? [text(message('terminalSnapshot.nothing'))]
      : sentences.map((sentence) => `- ${text(sentence)}`)),
    ...(shown.length === 0 ? [] : ['', ...table(shown)]),
    ...(unknown.length === 0
      ? []
      : [
          '',
          text(
            message('terminalSnapshot.unknown', {
              areas: unknown.map(({ area, part }) => (part === null ? area : `${area} ${part}`))
            })
          )
        ]),
    ...(hidden === 0 ? [] : ['', text(message('terminalSnapshot.hidden', { n: hidden }))])
  ]
  terminal.result(
    differences.map(({ area, field, before: was, after: is, noise }) => ({
      area,
      field,
      before: was,
      after: is,
      noise
    })),
    lines.join('\n')
  )
}

function table(differences: readonly SnapshotDifference[]): string[] {
  const names = differences.map(({ area, field }) => showLine(`${area} ${field}`))
  const width = Math.min(widestField, Math.max(...names.map(({ length }) => length)))
  return differences.map(
    ({ before, after, noise }, index) =>
      `${noise ? '~' : ' '} ${(names[index] ?? '').padEnd(width)}  ${valueText(before)} -> ${valueText(after)}`
  )
}

function valueText(value: Json): string {
  const text = value === null ? '-' : showLine(typeof value === 'string' ? value || '""' : JSON.stringify(value))
  return text.length > longestValue ? `${text.slice(0, longestValue - 1)}…` : text
}
