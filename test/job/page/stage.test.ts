import { message, plainMessage } from '../../../preload/contract/messages.ts'
import { mount } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { computed, effectScope, nextTick, shallowRef } from 'vue'
import { describe, expect, it, vi } from 'vitest'
import {
  chooseNext,
  chooseStage,
  linesOf,
  mainAction,
  progressOf,
  stepShape,
  stepWord
} from '../../../renderer/base/shell/jobStage.ts'
import { thresholdText } from '../../../renderer/job/checklists/thresholdText.ts'
import { createFakeBridge } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'
import { job, step } from '../../world/data/fakeData.ts'
import SideFacts from '../../../renderer/job/run/SideFacts.vue'
import { useGateway } from '../../../renderer/base/shell/gateway.store.ts'
import DonePanel from '../../../renderer/job/run/done/DonePanel.vue'
import JobLine from '../../../renderer/job/run/JobLine.vue'
import { useOutputs } from '../../../renderer/job/outputs/outputs.store.ts'
import type { LedgerEntry } from '../../../preload/contract/device/outputs.ts'
import AlsoYou from '../../../renderer/job/run/AlsoYou.vue'
import StepList from '../../../renderer/job/run/StepList.vue'
import { actOf, nextWords } from '../../../renderer/job/run/stageTexts.ts'
import { useStage } from '../../../renderer/job/run/useStage.ts'
import StepStage from '../../../renderer/job/run/StepStage.vue'
import type { Standing } from '../../../preload/job/goingOn.ts'
import type { Job, LiveStep, Step } from '../../../preload/contract/job/jobs.ts'

type Asking = Pick<LiveStep, 'prompt' | 'act' | 'isWaiting' | 'output'>
const asks: Asking = { prompt: { kind: 'effect', text: plainMessage('Did it?') } }
const quiet: Asking = { prompt: null }
const needsHands: Asking = { prompt: null, act: plainMessage('Turn the key to ON.') }

describe('the step on the stage', () => {
  const steps = [
    step('a', 'A', { state: 'pass' }),
    step('b', 'B', { state: 'running' }),
    step('c', 'C', { state: 'running' }),
    step('d', 'D')
  ]

  it('is the one that asks the person something, before one that only runs', () => {
    const live = new Map([
      ['b', quiet],
      ['c', asks]
    ])
    expect(chooseStage({ steps, live, onStage: 'b', isPinned: false })).toBe('c')
  })

  it('stays what the person chose, even when another one asks', () => {
    const live = new Map([['c', asks]])
    expect(chooseStage({ steps, live, onStage: 'a', isPinned: true })).toBe('a')
  })

  it.each(['countdown', 'on', 'effect', 'off'] as const)(
    'stays the output that the person armed (%s), until it is off again',
    (phase) => {
      const output: NonNullable<Asking['output']> = { out: 'OUT1', phase, countdownMs: 3_000 }
      expect(
        chooseStage({
          steps,
          live: new Map([
            ['b', { ...quiet, output }],
            ['c', asks]
          ]),
          onStage: 'b',
          isPinned: false
        })
      ).toBe('b')
      expect(
        chooseStage({
          steps,
          live: new Map([
            ['b', { ...quiet, output: { ...output, phase: 'hold' } }],
            ['c', asks]
          ]),
          onStage: 'b',
          isPinned: false
        })
      ).toBe('c')
    }
  )

  it('goes on from an output that ended, although its last phase is still known', () => {
    const output: NonNullable<Asking['output']> = { out: 'OUT1', phase: 'off', countdownMs: 0 }
    const ended = [step('a', 'A', { state: 'pass' }), step('c', 'C', { state: 'running' })]
    expect(
      chooseStage({
        steps: ended,
        live: new Map([
          ['a', { ...quiet, output }],
          ['c', asks]
        ]),
        onStage: 'a',
        isPinned: false
      })
    ).toBe('c')
  })

  it('keeps a good result on the stage until it was read, and a warning until the person leaves it', () => {
    const scene = { live: new Map([['b', quiet]]), onStage: 'a', isPinned: false }
    expect(chooseStage({ ...scene, steps })).toBe('a')
    expect(chooseStage({ ...scene, steps, isRead: true })).toBe('b')
    const warned = [step('a', 'A', { state: 'warn' }), ...steps.slice(1)]
    expect(chooseStage({ ...scene, steps: warned, isRead: true })).toBe('a')
    expect(chooseStage({ ...scene, steps: warned, live: new Map([['b', asks]]) })).toBe('a')
  })

  it('goes on from a good result to what runs after 2 s, although nothing asks', async () => {
    vi.useFakeTimers()
    const running = [step('a', 'A', { state: 'running' }), step('b', 'B', { state: 'running' })]
    const now = shallowRef({ ...job, state: 'running' as const, steps: running })
    const scope = effectScope()
    const stage = scope.run(() =>
      useStage(
        computed(() => now.value),
        () => new Map([['b', quiet]]),
        () => undefined
      )
    )
    await nextTick()
    now.value = { ...now.value, steps: [step('a', 'A', { state: 'pass' }), step('b', 'B', { state: 'running' })] }
    await nextTick()
    await vi.advanceTimersByTimeAsync(1_900)
    expect(stage?.stageId.value).toBe('a')
    await vi.advanceTimersByTimeAsync(200)
    expect(stage?.stageId.value).toBe('b')
    scope.stop()
    vi.useRealTimers()
  })

  it('goes on to the step that asks when the one that the person answered ends, although nothing happens afterwards', async () => {
    const now = shallowRef({
      ...job,
      state: 'running' as const,
      steps: [step('b', 'B', { state: 'running' }), step('c', 'C')]
    })
    const live = shallowRef<ReadonlyMap<string, Asking>>(new Map([['b', asks]]))
    const scope = effectScope()
    const stage = scope.run(() =>
      useStage(
        computed(() => now.value),
        () => live.value,
        () => undefined
      )
    )
    stage?.choose('b')
    await nextTick()
    now.value = { ...now.value, steps: [step('b', 'B', { state: 'pass' }), step('c', 'C', { state: 'running' })] }
    live.value = new Map([['c', asks]])
    await nextTick()
    expect(stage?.stageId.value).toBe('c')
    scope.stop()
  })

  it('begins with the first step that is not settled when nothing runs', () => {
    const idle = [step('a', 'A', { state: 'pass' }), step('b', 'B', { state: 'fail' }), step('c', 'C')]
    expect(chooseStage({ steps: idle, live: new Map(), onStage: null, isPinned: false })).toBe('b')
  })
})

describe('A step that waits', () => {
  const steps = [
    step('power', 'External power', { kind: 'externalPower', state: 'running' }),
    step('out', 'Output 1', { kind: 'output' }),
    step('align', 'Auto-alignment', { kind: 'alignment' }),
    step('sign', 'Sign-off', { kind: 'signOff' })
  ]
  const waits = (stepId: string, mayStart: boolean, untilMs: number | null = null) =>
    ({ is: 'waits', for: { what: 'step', stepId, mayStart }, untilMs }) as const
  const standings = new Map<string, Standing>([
    ['power', { is: 'runs' }],
    ['out', waits('power', true, 26_000)],
    ['align', waits('out', false)],
    ['sign', waits('align', false)]
  ])

  it('says in the list for what it waits, and for how long', () => {
    const list = mount(StepList, {
      props: {
        job: { ...job, state: 'running', steps },
        live: new Map(),
        standings,
        onStage: 'out',
        now: 1_000,
        isStrip: false
      },
      global: { plugins: [createPinia()] }
    })
    expect(list.findAll('small').map((one) => one.text())).toEqual(['', 'in 25 s', 'after Output 1', 'after the rest'])
    list.unmount()
  })

  it('says on the stage what starts when, and is started now by a button that says what that means', async () => {
    const stage = mount(StepStage, {
      props: {
        job: { ...job, state: 'running', steps },
        step: steps[1]!,
        live: null,
        lines: null,
        now: 1_000,
        standing: standings.get('out'),
        standings,
        send: () => Promise.resolve()
      },
      global: { plugins: [createPinia()] }
    })
    expect(stage.get('h2').text()).toBe('Output 1 starts when the supply is confirmed.')
    // The same number as in the list and in the line of the job.
    expect(stage.get('[role=timer]').text()).toBe('25 seconds')
    expect(stage.get('.wait button').classes()).not.toContain('primary')
    expect(stage.get('.follows').text()).toMatch(/What follows.*Auto-alignment.*after Output 1.*after the rest/)
    expect(stage.get('.wait').text()).toContain('fails if the supply drops')
    await stage.get('.wait button').trigger('click')
    expect(stage.emitted('start')).toHaveLength(1)
    await stage.setProps({ step: steps[2]!, standing: standings.get('align') })
    expect(stage.get('h2').text()).toBe('Auto-alignment starts after Output 1.')
    expect(stage.find('.wait button').exists()).toBe(false)
    stage.unmount()
  })

  it('leaves the filled button to what needs the person, and is no target of "Next"', () => {
    const live = new Map([['power', quiet]])
    expect(mainAction(steps[1]!, null, live, standings.get('out'))).toBeNull()
    expect(chooseNext({ steps, live, onStage: 'power', standings })).toBeNull()
    expect(chooseNext({ steps, live: new Map([['power', asks]]), onStage: 'out', standings })?.id).toBe('power')
  })
})

describe('The line of a job', () => {
  const steps = [
    step('power', 'External power', { kind: 'externalPower', state: 'running' }),
    step('out', 'Output 1', { kind: 'output' })
  ]
  const standings = new Map<string, Standing>([
    ['power', { is: 'runs' }],
    ['out', { is: 'waits', for: { what: 'step', stepId: 'power', mayStart: true }, untilMs: 26_000 }]
  ])
  const entry: LedgerEntry = {
    id: 1,
    imei: job.device.imei,
    output: 'OUT1',
    path: 'local',
    vehicle: null,
    since: '2026-11-20T10:00:00.000Z',
    by: 'Technician One',
    jobId: job.id,
    state: 'on',
    trouble: null,
    isReachable: true,
    mayConfirmOff: false
  }
  const open = (more: object = {}) =>
    mount(JobLine, {
      props: {
        job: { ...job, state: 'running' as const, steps },
        standings,
        isActive: true,
        lostForMs: null,
        now: 1_000,
        ...more
      },
      global: { plugins: [createPinia()] }
    })

  it('says what runs without a person and what starts next, and is not empty when nothing does', async () => {
    const line = open()
    expect(line.text()).toContain('External power')
    expect(line.text()).toContain('Output 1 starts when the supply is confirmed. in 25 s')
    await line.setProps({ standings: new Map<string, Standing>([['out', { is: 'asks' }]]) })
    expect(line.text()).toBe('Nothing runs without you now.')
    await line.setProps({ isActive: false, standings: new Map() })
    expect(line.text()).toBe('The job is paused.')
    line.unmount()
  })

  it('takes the place of the row of the window for outputs, and says at once that one was on when the device was lost', async () => {
    const line = open({ lostForMs: 8_200 })
    const outputs = useOutputs()
    expect(outputs.hasLine).toBe(true)
    expect(line.text()).toContain('The device has not answered for 8 s.')
    outputs.onStage = [`${entry.imei}/OUT1`]
    outputs.take({ outputs: [entry] })
    await nextTick()
    expect(line.text()).toContain('The device stopped answering 8 s ago, and OUT1 was on.')
    outputs.take({ outputs: [{ ...entry, state: 'mayBeOn' }] })
    await nextTick()
    expect(line.get('[role=alert]').text()).toContain('may still be on')
    expect(line.get('[role=alert]').text()).toContain('The device has not answered for 8 s.')
    expect(line.find('.job-line').exists()).toBe(false)
    line.unmount()
    expect(outputs.hasLine).toBe(false)
  })
})

describe('A step of a job whose device fell silent', () => {
  it('shows that it waits', () => {
    expect([
      stepShape({ state: 'running' }, { isWaiting: true }),
      stepWord({ state: 'running' }, { isWaiting: true })
    ]).toEqual(['wait', 'waiting'])
    expect([stepShape({ state: 'running' }, {}), stepShape({ state: 'pass' }, { isWaiting: true })]).toEqual([
      'live',
      'pass'
    ])
  })
})

describe('an act', () => {
  const steps = [
    step('a', 'A', { state: 'running' }),
    step('b', 'B', { state: 'running' }),
    step('c', 'C', { state: 'running' })
  ]

  it('comes to the stage before what runs alone, and after a question', () => {
    expect(
      chooseStage({
        steps,
        live: new Map([
          ['a', quiet],
          ['b', needsHands]
        ]),
        onStage: 'a',
        isPinned: false
      })
    ).toBe('b')
    expect(
      chooseStage({
        steps,
        live: new Map([
          ['b', needsHands],
          ['c', asks]
        ]),
        onStage: 'a',
        isPinned: false
      })
    ).toBe('c')
    expect(
      progressOf(
        steps,
        new Map([
          ['b', needsHands],
          ['c', asks]
        ])
      ).asking
    ).toBe(2)
  })

  it('is not asked for while the device is lost', () => {
    expect(
      progressOf(
        steps,
        new Map([
          ['b', { ...needsHands, isWaiting: true as const }],
          ['c', { ...asks, isWaiting: true as const }]
        ])
      ).asking
    ).toBe(0)
  })

  it('is where the filled button leads', () => {
    const live = new Map([
      ['a', quiet],
      ['b', needsHands]
    ])
    const next = chooseNext({ steps, live, onStage: 'a' })
    expect(next?.id).toBe('b')
    expect(mainAction(steps[0]!, next, live)).toBe('next')
    expect(mainAction(steps[1]!, null, live)).toBeNull()
  })

  it('waits for what is measured at rest', () => {
    const truck = [
      step('photo', 'Photo', { state: 'pass' }),
      step('supply', 'Supply at rest'),
      step('ignition', 'Ignition', { state: 'running' })
    ]
    expect(chooseNext({ steps: truck, live: new Map([['ignition', needsHands]]), onStage: 'photo' })?.id).toBe('supply')
  })
})

describe('a failure', () => {
  const failing = (state: 'fail' | 'unreadable') => [
    step('a', 'A', { state, remedy: 'Check the fuse.' }),
    step('b', 'B', { state: 'running' })
  ]

  it.each(['fail', 'unreadable'] as const)(
    'stays on the stage until the person leaves it, whoever asks meanwhile (%s)',
    (state) => {
      expect(chooseStage({ steps: failing(state), live: new Map([['b', asks]]), onStage: 'a', isPinned: false })).toBe(
        'a'
      )
    }
  )

  it.each(['fail', 'unreadable'] as const)(
    'is run again by the filled button: "Next" is never filled on it (%s)',
    (state) => {
      const steps = failing(state)
      expect(mainAction(steps[0]!, steps[1]!)).toBe('runAgain')
    }
  )

  it('is scanned again where another device answers, and leads to the APN where that is missing', () => {
    const other = { wanted: '867698040023056', seen: '867698040023064', said: [] }
    const lastResult = {
      state: 'fail' as const,
      summary: plainMessage('another'),
      remedy: null,
      witness: [],
      at: '2026-11-20T10:00:00.000Z',
      other
    }
    expect(mainAction(step('a', 'A', { kind: 'identity', state: 'fail', lastResult }), null)).toBe('scanAgain')
    expect(
      mainAction({ ...step('b', 'B', { kind: 'network', state: 'fail' }), remedy: message('network.checkApn') }, null)
    ).toBe('setApn')
  })

  it('leaves the filled button to the question while a step runs, and to "Next" when all is well', () => {
    const [running, passed] = [step('a', 'A', { state: 'running' }), step('b', 'B', { state: 'pass' })]
    expect(mainAction(running, passed)).toBeNull()
    expect(mainAction(passed, running)).toBe('next')
    expect(mainAction(passed, null)).toBeNull()
    expect(mainAction(step('c', 'C'), passed)).toBe('run')
  })
})

describe('"Next"', () => {
  it('leads to a failed step before the sign-off', () => {
    const steps = [
      step('a', 'A', { state: 'fail' }),
      step('b', 'B', { state: 'pass' }),
      step('c', 'C', { kind: 'signOff' })
    ]
    expect(chooseNext({ steps, live: new Map(), onStage: 'b' })?.id).toBe('a')
  })

  it('passes over skipped steps and is gone when everything is settled', () => {
    const steps = [step('a', 'A', { state: 'pass' }), step('b', 'B', { state: 'waived' })]
    expect(chooseNext({ steps, live: new Map(), onStage: 'a' })).toBeNull()
  })
})

describe('the head of a job', () => {
  it('counts what is settled, failed, skipped, left for the gateway, and what waits for the person', () => {
    const steps = [
      step('a', 'A', { state: 'pass' }),
      step('b', 'B', { state: 'fail' }),
      step('c', 'C', { state: 'waived' }),
      step('d', 'D', { state: 'deferred' }),
      step('e', 'E', { state: 'running' }),
      step('f', 'F', { state: 'running' })
    ]
    expect(
      progressOf(
        steps,
        new Map([
          ['e', asks],
          ['f', quiet],
          ['a', asks]
        ])
      )
    ).toEqual({ total: 6, settled: 2, failed: 1, unread: 0, warned: 0, later: 1, skipped: 1, asking: 1 })
    expect(
      progressOf(
        [step('a', 'A', { state: 'fail' }), step('b', 'B', { state: 'unreadable' }), step('c', 'C', { state: 'warn' })],
        new Map()
      )
    ).toMatchObject({ failed: 1, unread: 1, warned: 1 })
  })
})

describe('the lines that a step is about', () => {
  it('are those that it asks for, else those of its kind or name', () => {
    expect(
      linesOf(
        { id: 'inputs', kind: 'inputs', title: plainMessage('Inputs') },
        { kind: 'lines', text: plainMessage(''), lines: ['IN2'] }
      )
    ).toEqual(['IN2'])
    expect(linesOf({ id: 'ignition', kind: 'ignition', title: plainMessage('Ignition') }, null)).toEqual(['IGN'])
    expect(linesOf({ id: 'output-1', kind: 'output', title: plainMessage('Relay') }, null)).toEqual(['OUT1'])
    expect(
      linesOf(
        { id: 'inputs', kind: 'inputs', title: plainMessage('Inputs') },
        { kind: 'lines', text: plainMessage(''), lines: ['IN1', 'IN2', 'IN3', 'IN4', 'IN5', 'IN6', 'IN7'] }
      )
    ).toEqual([])
  })
})

describe('a threshold', () => {
  it('gives the unit at the end of its name to its number', () => {
    expect(thresholdText('signalPassDbm', -90)).toEqual({ name: 'signal pass', value: '−90 dBm' })
    expect(thresholdText('giveUpS', 90)).toEqual({ name: 'give up', value: '90 s' })
    expect(thresholdText('holdToArmMs', 3000)).toEqual({ name: 'hold to arm', value: '3000 ms' })
    expect(thresholdText('changes', 4)).toEqual({ name: 'changes', value: '4' })
  })
})

describe('a job on the screen', () => {
  const heard = (more: Partial<LiveStep>) => ({
    jobId: job.id,
    stepId: 'b',
    say: plainMessage('Is it Unit 0007?'),
    hint: null,
    meters: [],
    prompt: null,
    elapsedMs: 0,
    leftMs: null,
    heardAtMs: 0,
    ...more
  })
  const global = () => {
    window.fitter = createFakeBridge({})
    return { plugins: [createPinia()] }
  }

  it('names in its list the act that a step needs', () => {
    const steps = [step('a', 'A', { state: 'pass' }), step('b', 'B', { state: 'running' })]
    const list = mount(StepList, {
      props: {
        job: { ...job, steps },
        live: new Map([['b', heard({ act: plainMessage('Turn the key to ON.') })]]),
        onStage: 'a',
        now: 0,
        isStrip: false
      },
      global: global()
    })
    expect(list.get('.you em').text()).toContain('Turn the key to ON.')
  })

  it('names in a strip of many steps only the one on the stage, so that no name runs into another', () => {
    const open = (n: number) =>
      mount(StepList, {
        props: {
          job: {
            ...job,
            steps: Array.from({ length: n }, (_, index) => step(`s${String(index)}`, 'A step with a long name'))
          },
          live: new Map(),
          onStage: 's3',
          now: 0,
          isStrip: true
        },
        global: global()
      })
    expect(open(14).get('section').classes('many')).toBe(false)
    expect(open(27).get('section').classes('many')).toBe(true)
  })

  it('says in the list what each kind of step needs, and on the button where the next act leads', () => {
    const ask = (prompt: LiveStep['prompt'], act: LiveStep['act'] = null) => ({ prompt, act })
    const text = plainMessage('?')
    expect(actOf({ kind: 'ignition' }, ask(null, message('ignition.keyOn')))).toBe('turn the key')
    expect(actOf({ kind: 'ignition' }, ask(null, message('ignition.startEngine')))).toBe('start the engine')
    expect(actOf({ kind: 'photo' }, ask({ kind: 'photo', text, purpose: 'plate', minPhotos: 1, attached: [] }))).toBe(
      'take photos'
    )
    expect(actOf({ kind: 'ignition' }, { ...ask(null, message('ignition.keyOn')), isWaiting: true })).toBe('')
    expect(actOf({ kind: 'network' }, ask(null))).toBe('')
    const photos = step('p', 'Photos', { kind: 'photo', state: 'running' })
    expect(nextWords(photos, ask({ kind: 'photo', text, purpose: 'plate', minPhotos: 1, attached: [] }))).toBe(
      'take photos'
    )
    expect(nextWords(photos, null)).toBe('Photos')
    expect(nextWords(step('q', 'Vehicle', { kind: 'vehicle' }), ask({ kind: 'yesNo', text }))).toBe('Vehicle')
  })

  it('lists the other steps that need the person, and leads to one', async () => {
    const steps = [
      step('a', 'Ignition', { kind: 'ignition', state: 'running' }),
      step('b', 'Photos', { kind: 'photo', state: 'running' }),
      step('c', 'Network', { kind: 'network', state: 'running' })
    ]
    const live = new Map([
      ['a', heard({ act: message('ignition.keyOn') })],
      [
        'b',
        heard({ prompt: { kind: 'photo', text: plainMessage('?'), purpose: 'plate', minPhotos: 1, attached: [] } })
      ],
      ['c', heard({})]
    ])
    const also = mount(AlsoYou, { props: { steps, live, onStage: 'a' } })
    expect(also.findAll('li').map((row) => row.get('p').text())).toEqual(['take photos Photos'])
    await also.get('button').trigger('click')
    expect(also.emitted('choose')).toEqual([['b']])
    // The device is lost: nothing helps now.
    await also.setProps({ live: new Map([...live].map(([id, one]) => [id, { ...one, isWaiting: true as const }])) })
    expect(also.find('li').exists()).toBe(false)
  })

  it('leads from ordered inputs and from an act to the next act with the filled button, and not from a question', () => {
    const [here, there] = [
      step('a', 'Inputs', { kind: 'inputs', state: 'running' }),
      step('b', 'B', { state: 'running' })
    ]
    const lines = (n: number): Asking => ({
      prompt: { kind: 'lines', text: plainMessage('?'), lines: Array.from({ length: n }, (_, at) => `IN${at + 1}`) }
    })
    const main = (own: Asking) =>
      mainAction(
        here,
        there,
        new Map([
          ['a', own],
          ['b', asks]
        ])
      )
    expect([main(lines(3)), main(lines(7)), main(needsHands), main(asks)]).toEqual(['next', null, 'next', null])
  })

  it('shows where a step is connected, with the pin of the plug, until the step is settled', async () => {
    const guide = {
      wires: [
        { line: 'IGN', wire: plainMessage('black and blue, at the key') },
        { line: 'IN1', pin: '5', wire: plainMessage('white') }
      ],
      picture: 'data:image/png;base64,AAAA'
    }
    const plug = {
      columns: 2,
      pins: [
        { pin: '3', line: 'IGN' },
        { pin: '4', line: 'OUT1' }
      ]
    }
    const one = step('ignition-2', 'Ignition', { kind: 'ignition', state: 'running' })
    const stage = mount(StepStage, {
      props: {
        job: { ...job, steps: [one], plug, guides: { ignition: guide } },
        step: one,
        live: heard({}),
        lines: null,
        now: 0,
        send: () => Promise.resolve()
      },
      global: global()
    })
    const shown = stage.get('[aria-label="Where to connect"]')
    expect(shown.findAll('dt').map((cell) => cell.text())).toEqual(['IGN, pin 3', 'IN1, pin 5'])
    expect(shown.findAll('dd').map((cell) => cell.text())).toEqual(['black and blue, at the key', 'white'])
    expect(shown.get('svg').attributes('aria-label')).toContain('IGN is pin 3')
    expect(shown.get('button img').attributes('src')).toBe('data:image/png;base64,AAAA')
    const passed = { ...one, state: 'pass' as const }
    await stage.setProps({
      step: passed,
      live: null,
      job: { ...job, steps: [passed], plug, guides: { ignition: guide } }
    })
    expect(stage.find('[aria-label="Where to connect"]').exists()).toBe(false)
  })

  it('heads an answered question with the question, its answer below, and says what a warning means', async () => {
    const asked = step('q', 'Mounted', { state: 'pass', instruction: 'Is the device screwed down?', summary: 'Yes' })
    const open = (one: typeof asked) =>
      mount(StepStage, {
        props: {
          job: { ...job, steps: [one] },
          step: one,
          live: null,
          lines: null,
          now: 0,
          send: () => Promise.resolve()
        },
        global: global()
      })
    const answered = open(asked)
    expect([answered.get('h2').text(), answered.get('.words .sub').text()]).toEqual([
      'Is the device screwed down?',
      'Yes'
    ])
    expect(answered.text()).not.toContain('The job continues.')
    const warned = open(step('n', 'Network', { kind: 'network', state: 'warn', summary: 'LTE −94 dBm, weak' }))
    expect(warned.get('h2').text()).toBe('LTE −94 dBm, weak')
    expect(warned.text()).toContain('This step stays amber here and in the report.')
  })

  it('asks to accept a warning until somebody did, and then says who', () => {
    const evidence = (attempt: number) => ({
      seq: 9,
      at: data.at(3),
      attempt,
      witness: 'person' as const,
      what: message('jobs.accepted', { by: 'Ana Torres' }),
      raw: null,
      thresholds: null,
      hash: ''
    })
    const warned = step('n', 'Network', {
      kind: 'network',
      state: 'warn',
      attempts: 2,
      summary: 'LTE -94 dBm, weak',
      evidence: [evidence(1)]
    })
    const accepted = { ...warned, evidence: [evidence(1), evidence(2)] }
    const passed = step('a', 'A', { state: 'pass' })
    const signOff = step('s', 'Sign-off', { kind: 'signOff' })
    expect([mainAction(warned, signOff), mainAction(accepted, signOff)]).toEqual(['accept', 'next'])
    expect(chooseNext({ steps: [warned, passed, signOff], live: new Map(), onStage: 'a' })?.id).toBe('n')
    expect(chooseNext({ steps: [accepted, passed, signOff], live: new Map(), onStage: 'a' })?.id).toBe('s')
    const open = (one: Step) =>
      mount(StepStage, {
        props: {
          job: { ...job, steps: [one] },
          step: one,
          live: null,
          lines: null,
          now: 0,
          send: () => Promise.resolve()
        },
        global: global()
      })
        .findAll('p.note')
        .map((line) => line.text())
        .join()
    expect(open(warned)).toContain('This step stays amber')
    expect(open(accepted)).toContain('Warning accepted by Ana Torres')
    const list = (one: Step, state: Job['state']) =>
      mount(StepList, {
        props: { job: { ...job, state, steps: [one] }, live: new Map(), onStage: null, now: 0, isStrip: false },
        global: global()
      })
        .find('em')
        .exists()
    expect([list(warned, 'running'), list(accepted, 'running'), list(warned, 'done')]).toEqual([true, false, false])
  })

  it('marks how an input is operated with a hand, and what is wrong with one as a warning', () => {
    const one = step('i', 'Inputs', { kind: 'inputs', state: 'running' })
    const open = (hint: LiveStep['hint']) =>
      mount(StepStage, {
        props: {
          job: { ...job, steps: [one] },
          step: one,
          live: heard({ hint }),
          lines: null,
          now: 0,
          send: () => Promise.resolve()
        },
        global: global()
      }).get('.advice')
    expect(open(plainMessage('Press the red button')).find('[data-shape]').exists()).toBe(false)
    expect(
      open(message('inputs.chattersNow', { inputs: ['IN1'] }))
        .get('[data-shape]')
        .attributes('data-shape')
    ).toBe('warn')
  })

  it('no longer asks about a vehicle that is not meant', async () => {
    const [one] = [step('b', 'B', { state: 'running' })]
    const suggested = {
      kind: 'vehicle' as const,
      id: 7,
      name: 'Unit 0007',
      plate: null,
      imei: null,
      ownImei: null,
      assetType: null,
      copiedAt: null
    }
    const stage = mount(StepStage, {
      props: {
        job: { ...job, steps: [one] },
        step: one,
        live: heard({
          prompt: { kind: 'choose', text: plainMessage('Name'), entity: 'vehicle', optional: false, suggested }
        }),
        lines: null,
        now: 0,
        send: () => Promise.resolve()
      },
      global: global()
    })
    expect(stage.get('h2').text()).toBe('Is it Unit 0007?')
    await stage
      .findAll('button')
      .find((button) => button.text() === 'Choose another')
      ?.trigger('click')
    expect(stage.text()).not.toContain('Is it Unit 0007?')
    expect(stage.get('h2').text()).toBe('Which vehicle is it?')
  })

  it('does not promise that steps finish by themselves where nobody is signed in', async () => {
    const pinia = createPinia()
    const steps = [step('a', 'A', { state: 'deferred' })]
    const side = mount(SideFacts, {
      props: { job: { ...job, steps }, step: null, lines: null, isRead: false },
      global: { plugins: [pinia] }
    })
    const gateway = useGateway(pinia)
    expect(side.text()).toContain('finishes automatically when the gateway answers')
    gateway.status = { ...data.gateway, state: 'notSet' }
    await nextTick()
    expect(side.text()).toContain('1 step finishes when a gateway is set and you are signed in.')
    gateway.status = { ...data.gateway, state: 'signedOut' }
    await nextTick()
    expect(side.text()).not.toContain('when the gateway answers')
  })

  it('says why it was cancelled', () => {
    const panel = mount(DonePanel, {
      props: {
        job: {
          ...job,
          state: 'cancelled',
          cancelled: { reason: plainMessage('Wrong vehicle'), at: '2026-11-20T10:00:00.000Z' }
        }
      },
      global: global()
    })
    expect(panel.text()).toContain('Reason: “Wrong vehicle”')
  })
})
