import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { changeCode, countCode } from '../../../world/changeCode.ts'
import { endsOff, walkAll, type Machine } from '../../../world/device/outputWorld.ts'

const projectFolder = join(import.meta.dirname, '..', '..', '..', '..')

/** Each takes one rule away. */
const mutants: [rule: string, from: string, to: string][] = [
  [
    'the ledger is written before "on" leaves',
    "claimed: { effects: ['writeLedger'] }",
    "claimed: { to: 'goingOn', effects: ['sendOn'] }"
  ],
  [
    'an output that may be on is not claimed',
    "claimed: { ...inEveryPhase(refused), off: { to: 'claimed' } }",
    "claimed: inEveryPhase({ to: 'claimed' })"
  ],
  [
    'whatever means "off" takes back an "on" that waits for its turn',
    "effects: ['takeBackOn', 'proveOff']",
    "effects: ['proveOff']"
  ],
  ['an "on" is asked for right before it leaves', "=> phase === 'goingOn'", "=> phase !== 'off'"],
  [
    'nothing ends an entry before an "on" can no longer take effect',
    'when: ({ isOnSettled }) => isOnSettled, change: () => ({ isReadOn: false })',
    'change: () => ({ isReadOn: false })'
  ],
  [
    'a reading of "on" is not taken for the effect of ours',
    '({ isOnSettled: isOnAnswered })',
    '({ isOnSettled: true })'
  ],
  ['also not while it goes off', 'isOnSettled: isOnSettled || isOnAnswered', 'isOnSettled: true'],
  [
    'after a crash an "on" may be under way',
    "const found: Rule = { to: 'goingOff', change: () => ({ isInLedger: true, isOnSettled: false",
    "const found: Rule = { to: 'goingOff', change: () => ({ isInLedger: true, isOnSettled: true"
  ],
  [
    'what was found in the ledger goes off',
    "const found: Rule = { to: 'goingOff', change: () => ({ isInLedger: true",
    "const found: Rule = { to: 'off', change: () => ({ isInLedger: false"
  ],
  [
    'an "on" that was sent may take effect until that is known',
    "change: () => ({ isInLedger: true, isOnSettled: false, isOnAnswered: false, isReadOn: undefined }), effects: ['sendOn']",
    "change: () => ({ isInLedger: true, isOnSettled: true, isOnAnswered: false, isReadOn: undefined }), effects: ['sendOn']"
  ],
  [
    'an "on" that was refused is proved off all the same',
    "goingOn: { to: 'goingOff', change: nothingLate, effects: ['proveOff'] }",
    "goingOn: { to: 'off', change: () => ({ isInLedger: false }) }"
  ],
  [
    'an "on" that did not show in time stays in the ledger',
    "onExpired: { goingOn: { to: 'goingOff' } }",
    "onExpired: { goingOn: { to: 'off', change: () => ({ isInLedger: false }) } }"
  ],
  [
    'and may still take effect',
    "onExpired: { goingOn: { to: 'goingOff' } }",
    "onExpired: { goingOn: { to: 'goingOff', change: nothingLate } }"
  ],
  ['it goes off when it must, also before it was read back', 'goingOn: falls, on: falls }', 'on: falls }'],
  ['an output that is on goes off when it must', 'goingOn: falls, on: falls }', 'goingOn: falls }'],
  ['a late "on" is over at some time', 'lateOnOver: { goingOff:', 'lateOnOver: { off:'],
  [
    'only a cleared ledger ends an entry',
    "isOnSettled, change: () => ({ isReadOn: false }), effects: ['clearLedger']",
    "isOnSettled, to: 'off', change: () => ({ isInLedger: false })"
  ],
  [
    'also by the word of a person',
    "{ when: mayEndByWord, effects: ['clearLedger'] }",
    "{ when: mayEndByWord, to: 'off', change: () => ({ isInLedger: false }) }"
  ],
  [
    'a person ends nothing while an "on" may come late',
    'isInLedger && isOnSettled && isReadOn !== true',
    'isInLedger && isReadOn !== true'
  ],
  [
    'a person ends nothing that reads on',
    'isInLedger && isOnSettled && isReadOn !== true',
    'isInLedger && isOnSettled'
  ],
  ['a reading of "on" stands against a person', '({ isReadOn: true, isOnSettled:', '({ isOnSettled:'],
  [
    'a person ends nothing that is on',
    'personSawOff: { ...inEveryPhase(refused),',
    "personSawOff: { ...inEveryPhase(refused), on: { when: mayEndByWord, effects: ['clearLedger'] },"
  ],
  [
    'a person ends nothing that is going on',
    'personSawOff: { ...inEveryPhase(refused),',
    "personSawOff: { ...inEveryPhase(refused), goingOn: { effects: ['clearLedger'] },"
  ]
]

describe('A rule that is taken away', () => {
  it.each(mutants)('is missed: %s', async (_rule, from, to) => {
    const source = readFileSync(join(projectFolder, 'main/job/outputs/machine.ts'), 'utf8')
    expect(countCode(source, from)).toBeGreaterThan(0)
    const folder = join(projectFolder, 'node_modules/.cache/fitter/mutants')
    mkdirSync(folder, { recursive: true })
    const file = join(folder, `machine-${mutants.findIndex((mutant) => mutant[1] === from && mutant[2] === to)}.ts`)
    writeFileSync(file, changeCode(source, from, to))
    const machine = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Machine
    const walk = walkAll(machine)
    expect(walk.wrong ?? walk.all.find((world) => !endsOff(world, machine))).toBeDefined()
  })
})
