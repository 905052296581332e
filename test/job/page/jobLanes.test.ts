import { describe, expect, it } from 'vitest'
import type { Evidence, Step } from '../../../preload/contract/job/jobs.ts'
import type { LineChange } from '../../../preload/contract/device/lines.ts'
import { message } from '../../../preload/contract/messages.ts'
import { followLines, type LinesStory } from '../../../preload/job/linesStory.ts'
import { lineKinds, marksOf, viewOf, watchedVoltages } from '../../../renderer/base/shell/jobLanes.ts'
import * as data from '../../world/data/fakeData.ts'

const story = followLines(null, data.lines) as LinesStory
const startMs = Date.parse(data.at(-60))
const step = (kind: Step['kind'], more: Partial<Step> = {}): Step => ({
  ...data.step('one', kind, { state: 'fail' }),
  kind,
  startedAt: data.at(-60),
  durationMs: 45_000,
  attempts: 2,
  evidence: [],
  ...more
})
const seen = (id: 'output.held' | 'output.offAgain', agoS: number, attempt = 2): Evidence => ({
  seq: agoS,
  at: data.at(-agoS),
  attempt,
  witness: 'device',
  what: message(id, { out: 'OUT1' }),
  raw: null,
  thresholds: null,
  hash: ''
})

describe('The lines that a step watches', () => {
  it('are those that it proves something about', () => {
    expect(lineKinds.externalPower?.watched([])).toEqual(['PWR'])
    expect(lineKinds.ignition?.watched([])).toEqual(['TIG', 'IGN'])
    expect(lineKinds.output?.watched(['OUT1', 'OUT1'])).toEqual(['OUT1', 'SO1', 'IGN', 'TIG', 'MOT'])
  })

  it('stand beside the voltage that is wired, where the step is about supply', () => {
    expect(watchedVoltages(step('ignition'), story)).toEqual(['AN1'])
    expect(watchedVoltages(step('inputs'), story)).toEqual([])
  })

  it('run with the step, and stay as it saw them when it has ended', () => {
    expect(viewOf(step('ignition', { state: 'running', durationMs: null }), story)).toEqual({
      rangeMs: 30_000,
      endMs: null
    })
    expect(viewOf(step('ignition'), story)).toEqual({ rangeMs: 40_000, endMs: startMs + 45_000 })
    // Of an attempt before the device was connected nothing is known.
    expect(viewOf(step('ignition', { startedAt: data.at(-3_600) }), story)).toBeNull()
  })
})

describe('What was expected', () => {
  const lines = (changes: Record<string, LineChange[]>) => ({ lines: new Map(Object.entries(changes)) })

  it('is supply all the time, and ignition while the engine runs', () => {
    expect(lineKinds.externalPower?.expected?.('PWR', step('externalPower'), story)).toEqual([[-Infinity, true]])
    expect(
      lineKinds.ignition?.expected?.(
        'IGN',
        step('ignition'),
        lines({
          TIG: [
            [0, false],
            [5_000, true],
            [9_000, false]
          ]
        })
      )
    ).toEqual([
      [0, null],
      [5_000, true],
      [9_000, null]
    ])
    expect(lineKinds.ignition?.expected?.('IGN', step('ignition'), lines({ TIG: [[0, false]] }))).toBeUndefined()
    expect(lineKinds.ignition?.expected?.('TIG', step('ignition'), story)).toBeUndefined()
  })

  it('is an output on from its command until it was off again, of this attempt only', () => {
    const output = step('output', {
      evidence: [seen('output.held', 300, 1), seen('output.held', 40), seen('output.offAgain', 20)]
    })
    expect(lineKinds.output?.expected?.('OUT1', output, story)).toEqual([
      [-Infinity, false],
      [Date.parse(data.at(-40)), true],
      [Date.parse(data.at(-20)), false]
    ])
    expect(lineKinds.output?.expected?.('OUT1', step('output'), story)).toBeUndefined()
    expect(lineKinds.output?.expected?.('SO1', output, story)).toBeUndefined()
  })

  it('is explained by what happened to key and engine', () => {
    expect(marksOf(step('ignition'), story, [story.nowMs - 30_000, story.nowMs])).toEqual([
      { line: 'IGN', on: true, atMs: story.nowMs - 22_500 },
      { line: 'TIG', on: true, atMs: story.nowMs - 21_000 }
    ])
    expect(marksOf(step('output'), story, [0, story.nowMs])).toEqual([])
  })
})
