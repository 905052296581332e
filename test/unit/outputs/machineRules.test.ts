import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { endsOff, walkAll, type Machine } from '../../support/outputWorld.ts'

const projectFolder = join(import.meta.dirname, '..', '..', '..')

/** Each takes one rule away. */
const mutants: [rule: string, from: string, to: string][] = [
  [
    'the ledger is written before "on" leaves',
    "stay('writeLedger')",
    "go({ phase: 'goingOn', isOnSettled: false }, 'sendOn')"
  ],
  [
    'an output that may be on is not claimed',
    "state.phase === 'off' ? go({ phase: 'claimed' }) : stay('refuse')",
    "go({ phase: 'claimed' })"
  ],
  [
    'nothing ends an entry before an "on" can no longer take effect',
    "state.isOnSettled ? stay('clearLedger') : stay()",
    "stay('clearLedger')"
  ],
  ['a reading of "on" is not taken for the effect of ours', 'isOnSettled: state.isOnAnswered', 'isOnSettled: true'],
  ['also not while it goes off', 'isOnSettled: state.isOnSettled || state.isOnAnswered', 'isOnSettled: true'],
  [
    'after a crash an "on" may be under way',
    'isInLedger: true, isOnSettled: false, isOnAnswered: false }, effects',
    'isInLedger: true, isOnSettled: true, isOnAnswered: false }, effects'
  ],
  ['what was found in the ledger goes off', "phase: 'goingOff', isInLedger: true", "phase: 'off', isInLedger: false"],
  [
    'an "on" that was refused is proved off all the same',
    "go({ phase: 'goingOff', isOnSettled: true }, 'proveOff')",
    "go({ phase: 'off', isInLedger: false })"
  ],
  [
    'it goes off when it must, also before it was read back',
    "state.phase === 'goingOn' || state.phase === 'on' ? go({ phase: 'goingOff' }, 'proveOff') : stay()",
    "state.phase === 'on' ? go({ phase: 'goingOff' }, 'proveOff') : stay()"
  ],
  [
    'an output that is on goes off when it must',
    "state.phase === 'goingOn' || state.phase === 'on' ?",
    "state.phase === 'goingOn' ?"
  ],
  [
    'a late "on" is over at some time',
    "!state.isOnSettled ? go({ isOnSettled: true }, 'proveOff') : stay()",
    'false ? stay() : stay()'
  ],
  [
    'only a cleared ledger ends an entry',
    "if (state.phase !== 'goingOff') return stay()",
    "if (state.phase !== 'goingOff') return stay()\n      if (state.isOnSettled) return go({ phase: 'off', isInLedger: false })"
  ]
]

describe('A rule that is taken away', () => {
  it.each(mutants)('is missed: %s', async (_rule, from, to) => {
    const source = readFileSync(join(projectFolder, 'main/outputs/machine.ts'), 'utf8')
    expect(source).toContain(from)
    const folder = join(projectFolder, 'node_modules/.cache/fitter/mutants')
    mkdirSync(folder, { recursive: true })
    const file = join(folder, `machine-${mutants.findIndex((mutant) => mutant[1] === from && mutant[2] === to)}.ts`)
    writeFileSync(
      file,
      source.replace(from, () => to)
    )
    const machine = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Machine
    const walk = walkAll(machine)
    expect(walk.wrong ?? walk.all.find((world) => !endsOff(world, machine))).toBeDefined()
  })
})
