import { createPinia, setActivePinia } from 'pinia'
import { effectScope, nextTick, shallowRef, type EffectScope } from 'vue'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Job, StepState } from '../../../preload/contract/job/jobs.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import type { LiveOfSteps } from '../../../renderer/base/shell/jobStage.ts'
import { useSounds } from '../../../renderer/job/run/useSounds.ts'
import { useSettings } from '../../../renderer/base/shell/settings.store.ts'
import * as data from '../../world/data/fakeData.ts'

/** The pitches that were played, in order. */
let played: number[] = []
let scope: EffectScope
const job = shallowRef<Job | null>(null)
const live = shallowRef<LiveOfSteps>(new Map())

class Audio {
  currentTime = 0
  destination = {}
  resume = () => Promise.resolve()
  createGain = () => ({
    gain: { setValueAtTime: () => undefined, linearRampToValueAtTime: () => undefined },
    connect: (next: unknown) => next
  })
  createOscillator() {
    const tone = {
      frequency: { value: 0 },
      connect: (next: unknown) => next,
      start: () => played.push(tone.frequency.value),
      stop: () => undefined
    }
    return tone
  }
}
Object.assign(globalThis, { AudioContext: Audio })

const asks = { prompt: { kind: 'yesNo' as const, text: plainMessage('?') } }

async function now(states: Record<string, StepState>, asking: string[] = [], id = data.jobId): Promise<number[]> {
  played = []
  live.value = new Map(asking.map((stepId) => [stepId, asks]))
  job.value = {
    ...data.job,
    id,
    steps: Object.entries(states).map(([stepId, state]) => data.step(stepId, stepId, { state }))
  }
  await nextTick()
  return played
}

beforeEach(() => {
  setActivePinia(createPinia())
  useSettings().take({ ...data.settings, sounds: true })
  scope = effectScope()
  job.value = null
  scope.run(() =>
    useSounds(
      () => job.value,
      () => live.value
    )
  )
})
afterEach(() => scope.stop())

it('tells by ear what passed, what failed and what needs the person, the failure first', async () => {
  expect(await now({ a: 'running', b: 'running', c: 'running' })).toEqual([])
  expect(await now({ a: 'pass', b: 'running', c: 'running' })).toEqual([660, 990])
  expect(await now({ a: 'pass', b: 'running', c: 'running' }, ['c'])).toEqual([780, 780])
  // Nothing new: it still asks.
  expect(await now({ a: 'pass', b: 'running', c: 'running' }, ['c'])).toEqual([])
  expect(await now({ a: 'pass', b: 'fail', c: 'pass' })).toEqual([330, 220])
})

it('is silent for what happened before the job was on the screen, and for a skipped step', async () => {
  expect(await now({ a: 'pass', b: 'fail' }, ['b'])).toEqual([])
  expect(await now({ a: 'running' }, ['a'], 'another')).toEqual([])
  expect(await now({ a: 'waived' }, [], 'another')).toEqual([])
})

it('is silent until sounds are switched on', async () => {
  useSettings().take({ ...data.settings, sounds: false })
  await now({ a: 'running' })
  expect(await now({ a: 'fail' })).toEqual([])
})
