import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { outputEvents, outputRules, type OutputPhase } from '../../../../main/job/outputs/machine.ts'

const phases: OutputPhase[] = ['off', 'claimed', 'goingOn', 'on', 'goingOff']

/** As docs/outputs.md shows it: what each event leads to, by phase; a condition is marked with an asterisk. */
function rulesAsTable(): string {
  const cellOf = (event: (typeof outputEvents)[number], phase: OutputPhase): string =>
    [outputRules[event][phase] ?? []]
      .flat()
      .map(
        ({ when, to, effects = [] }) =>
          `${when ? '* ' : ''}${[...(to ? [`→ ${to}`] : []), ...effects].join(', ') || 'noted'}`
      )
      .join('; ')
  const rows = outputEvents.map((event) => `| ${event} | ${phases.map((phase) => cellOf(event, phase)).join(' | ')} |`)
  return [`| Event | ${phases.join(' | ')} |`, `|---|${phases.map(() => '---|').join('')}`, ...rows].join('\n')
}

/** The cells of a table, however wide its columns are drawn. */
const withoutPadding = (text: string): string => text.replace(/ *\| */g, '|').replace(/-{3,}/g, '---')

it('The table of states and events in the documents is the one that both controllers carry out', () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'outputs.md'), 'utf8')
  expect(withoutPadding(page)).toContain(withoutPadding(rulesAsTable()))
})
