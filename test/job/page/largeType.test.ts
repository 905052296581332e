import { mount } from '@vue/test-utils'
import { nextTick } from 'vue'
import { beforeAll, describe, expect, it } from 'vitest'
import type { InputProof } from '../../../preload/contract/job/jobSeen.ts'
import type { Evidence, Step } from '../../../preload/contract/job/jobs.ts'
import { message, plainMessage } from '../../../preload/contract/messages.ts'
import JobAnnouncer from '../../../renderer/job/run/JobAnnouncer.vue'
import type { HeardStep } from '../../../renderer/base/shell/jobs.store.ts'
import {
  dotsAround,
  inputToMove,
  readingOf,
  sizeFor,
  witnessesOf
} from '../../../renderer/job/run/largeType/largeView.ts'
import { loadLanguage } from '../../../renderer/base/say.ts'
import * as data from '../../world/data/fakeData.ts'

beforeAll(() => loadLanguage('en'))

const input = (line: string, more: Partial<InputProof> = {}): InputProof => ({
  line,
  cycles: 0,
  wantedCycles: 2,
  isOn: false,
  isChattering: false,
  isOrdered: true,
  gateway: null,
  ...more
})
const heard = (stepId: string, more: Partial<HeardStep> = {}): HeardStep => ({
  jobId: data.jobId,
  stepId,
  say: plainMessage('Turn the key.'),
  hint: null,
  meters: [],
  elapsedMs: 0,
  leftMs: null,
  prompt: null,
  heardAtMs: 0,
  ...more
})
const meter = (label: string, value: string) => ({
  label: plainMessage(label),
  value: plainMessage(value),
  target: null,
  progress: null,
  tone: 'live' as const
})
const saw = (witness: Evidence['witness'], what: string, attempt = 1): Evidence => ({
  seq: 1,
  at: '2026-11-27T09:00:00.000Z',
  attempt,
  witness,
  what: plainMessage(what),
  raw: null,
  thresholds: null,
  hash: ''
})

describe('large type', () => {
  it('shows the input that bounces, else the one that moves, else the next of the order; one that is not wired never', () => {
    expect(
      inputToMove([
        input('IN1', { cycles: 2 }),
        input('IN2', { notWired: 'no cable' }),
        input('IN3'),
        input('IN4', { cycles: 1 })
      ])?.line
    ).toBe('IN4')
    expect(
      inputToMove([input('IN3'), input('IN4', { cycles: 1 }), input('IN5', { cycles: 2, isChattering: true })])?.line
    ).toBe('IN5')
    expect(inputToMove([input('IN6', { isOrdered: false }), input('IN3')])?.line).toBe('IN3')
    expect(inputToMove([input('IN6', { isOrdered: false })])).toBeNull()
  })

  it('shows one value, and the turns as circles only as long as they can be counted at a glance', () => {
    const left = { ...meter('', ''), label: message('meters.timeLeft') }
    const turns = (total: number) => ({ ...meter('Times seen', ''), value: message('meters.of', { n: 1, total }) })
    expect(readingOf({ kind: 'ignition' }, { meters: [meter('Ignition now', 'off'), turns(2), left] })).toMatchObject({
      main: meter('Ignition now', 'off'),
      beside: null,
      turns: { done: 1, total: 2 }
    })
    expect(readingOf({ kind: 'engineBus' }, { meters: [meter('Address', 'x'), turns(14)] })).toMatchObject({
      main: { label: plainMessage('Address') },
      beside: { label: plainMessage('Times seen') },
      turns: null
    })
  })

  it('never makes a witness green that did not prove the step, and never lets a value of another attempt speak', () => {
    const view = (step: Parameters<typeof data.step>[2], live: HeardStep | null = null) =>
      witnessesOf(data.step('a', 'A', { attempts: 2, ...step }), live, null, false)
    const evidence = [saw('gateway', 'old', 1), saw('device', 'new', 2)]
    expect(
      view({ state: 'pass', witness: ['device'], evidence }).map(({ witness, shape, silence }) => [
        witness,
        shape,
        silence
      ])
    ).toEqual([
      ['device', 'pass', null],
      ['gateway', 'none', 'notAsked'],
      ['person', 'none', 'notAsked']
    ])
    expect(view({ state: 'fail', witness: ['device'], evidence })[0]).toMatchObject({ shape: 'none' })
    expect(view({ state: 'deferred', evidence: [] })[1]).toMatchObject({ shape: 'defer', silence: 'notYet' })
    expect(view({ state: 'running', evidence }, heard('a', { act: plainMessage('Turn the key') }))[2]).toMatchObject({
      shape: 'live',
      silence: 'asked'
    })
  })

  it('keeps as many dots as fit, with the current step among them, and makes long words smaller', () => {
    const steps = Array.from({ length: 30 }, (_, n) => data.step(`s${n}`, 'S'))
    for (const at of [0, 13, 29]) {
      const dots = dotsAround(steps, `s${at}`)
      expect(dots).toHaveLength(14)
      expect(dots.map(({ id }) => id)).toContain(`s${at}`)
    }
    expect(
      ['Off', 'unavailable', 'x'.repeat(500)].map((text) =>
        sizeFor(text, [
          [4, 176],
          [400, 48]
        ])
      )
    ).toEqual([176, 48, 48])
  })
})

describe('what a screen reader is told of a job', () => {
  const running = {
    ...data.job,
    steps: [
      data.step('ignition', 'Ignition', { state: 'running', kind: 'ignition' }),
      data.step('network', 'Network', { state: 'running' })
    ]
  }
  const first = running.steps[0] as Step

  function open() {
    const wrapper = mount(JobAnnouncer, {
      props: {
        job: running,
        live: new Map([['ignition', heard('ignition')]]),
        step: first,
        lostForMs: null as number | null
      }
    })
    const texts: string[] = []
    return {
      async now(
        props: Partial<{ job: typeof running; live: Map<string, HeardStep>; step: Step; lostForMs: number | null }>
      ) {
        await wrapper.setProps(props)
        await nextTick()
        const text = wrapper.text()
        if (text !== texts.at(-1)) texts.push(text)
        return texts
      }
    }
  }

  it('is each thing once: a step that passed elsewhere, their turn, the failure with its remedy, the lost device', async () => {
    const screen = open()
    await screen.now({ job: { ...running, steps: [first, data.step('network', 'Network', { state: 'pass' })] } })
    await screen.now({ live: new Map([['ignition', heard('ignition', { act: plainMessage('Turn the key to ON.') })]]) })
    await screen.now({ lostForMs: 2_000 })
    await screen.now({ lostForMs: 3_000 })
    await screen.now({ lostForMs: null })
    const failed = data.step('ignition', 'Ignition', {
      kind: 'ignition',
      state: 'fail',
      summary: 'Ignition never changed.',
      remedy: 'Find the IGN wire.'
    })
    const texts = await screen.now({
      live: new Map(),
      step: failed,
      job: { ...running, steps: [failed, data.step('network', 'Network', { state: 'pass' })] }
    })
    expect(texts).toEqual([
      'Network: passed.',
      'Ignition: your turn, turn the key.',
      'The device stopped answering. Values are old. The steps continue when the device is back.',
      'The device answers again.',
      'Ignition: failed. Ignition never changed. Find the IGN wire.'
    ])
  })

  it('is not a value that ticks', async () => {
    const screen = open()
    const at = (leftS: number) =>
      new Map([
        [
          'ignition',
          heard('ignition', {
            say: message('output.goesOnIn', { out: 'OUT1', leftS }),
            leftMs: leftS * 1000,
            elapsedMs: leftS,
            meters: [meter('Left', String(leftS))]
          })
        ]
      ])
    const before = (await screen.now({ live: at(5) })).length
    await screen.now({ live: at(4) })
    expect(await screen.now({ live: at(3) })).toHaveLength(before)
  })
})
