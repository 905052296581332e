import type { OutputCondition } from '../../../preload/contract/device/conditions.ts'
import { message, plainMessage } from '../../../preload/contract/messages.ts'
import { flushPromises } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import { goTo } from '../../../renderer/base/shell/router.ts'
import { createFakeBridge } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'
import { button, core, made, openWindow, page, useFakeWindow } from '../../world/window/fakes/fakeWindow.ts'

useFakeWindow()

describe('the job screen', () => {
  async function openJob(own: Parameters<typeof createFakeBridge>[0] = {}): Promise<void> {
    await openWindow(own)
    goTo('job', data.jobId)
    await flushPromises()
  }

  it('says what to do in one sentence, with live values and the time left', async () => {
    await openJob()
    expect(page.get('.stage h2').text()).toBe('Open and close the driver’s door twice.')
    expect(page.get('.stage .top').text()).toMatch(/Time left 1:1\d/)
    core.emit('jobs.live', { ...data.live, say: plainMessage('Once more.') })
    await flushPromises()
    expect(page.get('.stage h2').text()).toBe('Once more.')
  })

  it('shows each input by what hangs on it, how it moved, and who saw it', async () => {
    await openJob()
    const rows = page.findAll('.stage tbody tr').map((row) =>
      row
        .findAll('th, td')
        .map((cell) => cell.text().replace(/\s+/g, ' '))
        .filter((text) => text !== '')
    )
    expect(rows).toEqual([
      ['Driver’s doorIN2 · blue and black', 'on', '1 / 2', 'changing', 'not yet', 'Not wired'],
      [
        'Refrigerator alarmIN5',
        'bouncing',
        'Loose contact: check crimp and plug.',
        '14 in 4 s',
        'not yet',
        'Not wired'
      ],
      ['Power take-offIN6', 'Not wired: The kit comes in May', 'Undo'],
      ['Panic buttonIN1', 'off', '2 / 2', 'seen', '4 s later']
    ])
    await button('Undo').trigger('click')
    expect(made('jobs.answer')).toEqual([
      { id: data.jobId, stepId: 'input2', answer: { notWired: { lines: ['IN6'], reason: null } } }
    ])
  })

  it('leaves out the rest of the inputs with one reason', async () => {
    await openJob()
    await button('Rest not wired').trigger('click')
    await page.get('dialog textarea').setValue('The kit comes in May')
    await page.get('dialog form').trigger('submit')
    await flushPromises()
    expect(made('jobs.answer')).toEqual([
      {
        id: data.jobId,
        stepId: 'input2',
        answer: { notWired: { lines: ['IN2', 'IN5'], reason: 'The kit comes in May' } }
      }
    ])
  })

  it('marks a skipped step by shape, word and reason', async () => {
    await openJob()
    const waived = page.findAll('.steps li').find((item) => item.text().includes('Cover and seals'))
    expect(waived?.get('svg').attributes('data-shape')).toBe('waived')
    expect(waived?.text()).toContain('skipped')
    expect(waived?.get('button').attributes('title')).toContain('cover plate not delivered')
  })

  it('brings the step that asks the person to the stage and sends the answer to it', async () => {
    await openJob({
      'jobs.live': () => ({ active: true, steps: [{ ...data.live, prompt: null }], lines: data.lines, after: {} }),
      'jobs.stopStep': () => ({}),
      'outputs.switchOff': () => ({ outputs: [] })
    })
    const [output] = data.job.steps.filter((step) => step.id === 'output1')
    if (!output) throw new Error('No step output1')
    core.emit('jobs.step', { jobId: data.jobId, step: { ...output, state: 'running' } })
    core.emit('jobs.live', {
      ...data.live,
      stepId: 'output1',
      say: plainMessage('Listen to the relay.'),
      output: { out: 'OUT1', phase: 'effect', countdownMs: 3_000 },
      prompt: { kind: 'effect', text: plainMessage('Did it click?') }
    })
    await flushPromises()
    expect(page.get('.stage h2').text()).toBe('Listen to the relay.')
    await button('Switch OUT1 off').trigger('click')
    await flushPromises()
    expect(made('jobs.stopStep')).toEqual([{ id: data.jobId, stepId: 'output1' }])
    core.emit('outputs.changed', {
      outputs: [
        {
          id: 7,
          imei: data.job.device.imei,
          output: 'OUT1',
          path: 'local',
          vehicle: null,
          since: data.job.updatedAt,
          by: '',
          jobId: data.jobId,
          state: 'on',
          trouble: null,
          isReachable: true,
          mayConfirmOff: false
        }
      ]
    })
    await flushPromises()
    await button('Switch OUT1 off').trigger('click')
    await flushPromises()
    expect(made('outputs.switchOff')).toEqual([{ id: 7 }])
    await button('No').trigger('click')
    expect(made('jobs.answer')).toEqual([{ id: data.jobId, stepId: 'output1', answer: { effect: false } }])
  })

  it('gives each value its age while the device is lost', async () => {
    await openJob({
      'jobs.live': () => ({ active: true, steps: [{ ...data.live, prompt: null }], lines: data.lines, after: {} })
    })
    const [output] = data.job.steps.filter((step) => step.id === 'output1')
    core.emit('jobs.step', { jobId: data.jobId, step: { ...output!, state: 'running' } })
    core.emit('jobs.live', {
      ...data.live,
      inputs: undefined,
      stepId: 'output1',
      prompt: { kind: 'yesNo', text: plainMessage('Did it click?') }
    })
    core.emit('jobs.lines', { ...data.lines, lostForMs: 4_000 })
    await flushPromises()
    expect(page.get('.stage .meters').classes()).toContain('stale')
    for (const meter of page.findAll('.stage .meters > *')) expect(meter.text()).toMatch(/read [345] s ago/)
  })

  describe('with the test of an output on the stage', () => {
    const condition = (id: OutputCondition['id'], what: string, value: string): OutputCondition => ({
      id,
      holds: true,
      what: plainMessage(what),
      value: plainMessage(value),
      todo: null
    })
    const ledger = {
      id: 7,
      imei: data.job.device.imei,
      output: 'OUT1',
      path: 'local',
      vehicle: null,
      since: data.job.updatedAt,
      by: '',
      jobId: data.jobId,
      state: 'on',
      trouble: null,
      isReachable: true,
      mayConfirmOff: false
    } as const

    async function openOutput(phase: 'countdown' | 'effect'): Promise<void> {
      await openJob({
        'jobs.live': () => ({
          active: true,
          steps: [{ ...data.live, prompt: { kind: 'effect', text: plainMessage('Another question?') } }],
          lines: data.lines,
          after: {}
        }),
        'outputs.ledger': () => ({ outputs: [ledger] })
      })
      const [output] = data.job.steps.filter((step) => step.id === 'output1')
      if (!output) throw new Error('No step output1')
      core.emit('jobs.step', { jobId: data.jobId, step: { ...output, state: 'running' } })
      core.emit('jobs.live', {
        ...data.live,
        inputs: undefined,
        stepId: 'output1',
        say: plainMessage('Did it click?'),
        hint: plainMessage('OUT1 is on. It goes off when you answer, or in 0:58.'),
        conditions: [
          condition('device', 'The device answers', 'read 0.2 s ago'),
          condition('standstill', 'Standing still', '0 km/h'),
          condition('noShort', 'No short', 'SO1 off')
        ],
        output: { out: 'OUT1', phase, countdownMs: 3_000 },
        prompt: phase === 'effect' ? { kind: 'effect', text: plainMessage('Did it click?') } : null
      })
      await flushPromises()
      const list = page.findAll('.steps button').find((one) => one.text().includes('Output 1'))
      await list?.trigger('click')
      await flushPromises()
    }

    it('has no filled button beside Off while it is on, and one key for each answer', async () => {
      await openOutput('effect')
      expect(page.findAll('.stage .primary').map((one) => one.text())).toEqual([])
      expect(page.get('.stage .off').text()).toContain('Switch OUT1 off')
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 'y', bubbles: true }))
      await flushPromises()
      expect(made('jobs.answer')).toEqual([{ id: data.jobId, stepId: 'output1', answer: { effect: true } }])
    })

    it('is named in the line of the job while it is on, before what runs', async () => {
      await openOutput('effect')
      expect(page.get('.job-line').text()).toMatch(/^OUT1 is on/)
    })

    it('leaves no way from the step while it is on but its answer and Off', async () => {
      await openOutput('effect')
      const foot = page.findAll('.stage .foot button')
      expect(foot.length).toBeGreaterThan(0)
      expect(foot.filter((one) => one.attributes('disabled') === undefined).map((one) => one.text())).toEqual([])
      const title = page.get('.stage .top').text()
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true }))
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 's', bubbles: true }))
      await flushPromises()
      expect([page.get('.stage .top').text(), page.find('dialog').exists()]).toEqual([title, false])
      expect(page.get('.stage .off').attributes('disabled')).toBeUndefined()
    })

    it('is cancelled during the countdown, and nothing leads away from it', async () => {
      await openOutput('countdown')
      expect(page.findAll('.stage .primary').map((one) => one.text())).toEqual([])
      expect(page.get('.stage .off').text()).toContain('Cancel')
      expect(page.get('.stage .top').text()).not.toContain('gives up')
    })

    it('is told over the screen only once it is left', async () => {
      await openOutput('effect')
      expect(page.find('.ledger').exists()).toBe(false)
      goTo('devices')
      await flushPromises()
      expect(page.get('.ledger').text()).toContain('OUT1')
    })

    it('knows nothing of its conditions while the device is lost: grey, unknown, with their age', async () => {
      await openOutput('effect')
      const shapes = () => page.findAll('.conditions [data-shape]').map((one) => one.attributes('data-shape'))
      expect(new Set(shapes())).toEqual(new Set(['pass']))
      core.emit('jobs.lines', { ...data.lines, lostForMs: 4_000 })
      await flushPromises()
      expect(new Set(shapes())).toEqual(new Set(['unknown']))
      expect(page.findAll('.conditions li').map((row) => row.text().replace(/[345] s ago/, 'old'))).toEqual([
        'The device answersold',
        'Standing still0 km/h, old',
        'No shortold'
      ])
      expect(page.get('.stage .words h2').text()).toBe('OUT1 may still be on. Stay at the vehicle.')
      expect(page.get('.stage .foot').text()).toContain('If the device stays silent, Fitter sends Off automatically.')
      // Nobody's turn: not in the list, not on the stage, not in the head.
      expect(page.get('.stage .top').text()).not.toContain('your turn')
      expect(page.get('.steps [aria-current] [data-shape]').attributes('data-shape')).toBe('unknown')
      expect(page.find('.steps [aria-current] em').exists()).toBe(false)
    })
  })

  it('says that the customer did not sign where only the name was entered', async () => {
    const signOff = {
      ...data.job.steps.at(-1)!,
      state: 'pass' as const,
      attempts: 1,
      lastResult: {
        state: 'pass' as const,
        summary: plainMessage('signed'),
        remedy: null,
        witness: [],
        at: data.job.updatedAt
      }
    }
    await openJob({
      'jobs.show': () => ({
        ...data.job,
        state: 'done',
        technician: 'Technician One',
        customer: 'Customer One',
        steps: [...data.job.steps.slice(0, -1), signOff]
      })
    })
    expect(page.get('.verdict').text()).toMatch(/Signed by Technician One at .*\. Customer One did not sign\./)
  })

  it('does not skip a step without a reason of three characters', async () => {
    await openJob()
    await button('Skip with reason').trigger('click')
    const confirm = () => page.get('dialog button[type=submit]')
    await page.get('dialog textarea').setValue(' no ')
    expect(confirm().attributes('disabled')).toBeDefined()
    await page.get('dialog textarea').setValue('lamp missing')
    await page.get('dialog form').trigger('submit')
    await flushPromises()
    expect(made('jobs.waive')).toEqual([{ id: data.jobId, stepId: 'input2', reason: 'lamp missing' }])
    expect(page.find('dialog').exists()).toBe(false)
  })

  it('accepts a warning with its filled button, beside the one that runs the step again', async () => {
    const steps = data.job.steps.map((step) =>
      step.id === 'input2' ? { ...step, state: 'warn' as const, summary: plainMessage('Weak') } : step
    )
    await openJob({ 'jobs.show': () => ({ ...data.job, steps }) })
    await page.findAll('.steps button')[5]?.trigger('click')
    expect(page.findAll('.foot .primary').map((one) => one.text())).toEqual([expect.stringContaining('Accept')])
    expect(button('Run again').exists()).toBe(true)
    await button('Accept').trigger('click')
    await flushPromises()
    expect(made('jobs.accept')).toEqual([{ id: data.jobId, stepId: 'input2' }])
  })

  it('says what works and what is not available after a warning, and takes a note about it', async () => {
    const consequences = {
      works: [message('ignition.ignition'), message('ignition.trips')],
      notAvailable: [message('ignition.engineHours')]
    }
    const noted = {
      ...data.job.steps[5]!.evidence[0]!,
      seq: 900,
      witness: 'person' as const,
      what: message('jobs.noted', { by: 'A. Ruiz', note: 'Electric van' })
    }
    const steps = data.job.steps.map((step) =>
      step.id === 'input2'
        ? {
            ...step,
            state: 'warn' as const,
            summary: plainMessage('Weak'),
            remedy: plainMessage('Normal here.'),
            consequences,
            evidence: [...step.evidence, noted]
          }
        : step
    )
    await openJob({ 'jobs.show': () => ({ ...data.job, steps }) })
    await page.findAll('.steps button')[5]?.trigger('click')
    expect(page.get('.stage .remedy').text()).toContain('Works: ignition, start and end of trips')
    expect(page.get('.stage .remedy').text()).toContain('Not available: running time of the engine')
    expect(page.get('.stage').text()).toMatch(/Note by A\. Ruiz, .*: Electric van/)
    await button('Add a note').trigger('click')
    await page.get('dialog textarea').setValue('The customer knows')
    await page.get('dialog form').trigger('submit')
    await flushPromises()
    expect(made('jobs.note')).toEqual([{ id: data.jobId, stepId: 'input2', note: 'The customer knows' }])
    expect(page.find('dialog').exists()).toBe(false)
  })

  it('shows the remedy of a failed step and offers to run it again', async () => {
    const steps = data.job.steps.map((step) =>
      step.id === 'input2'
        ? {
            ...step,
            state: 'fail' as const,
            summary: plainMessage('Input 2 never moved'),
            remedy: plainMessage('Check pin 5.')
          }
        : step
    )
    await openJob({ 'jobs.show': () => ({ ...data.job, steps }) })
    await page.findAll('.steps button')[5]?.trigger('click')
    expect(page.get('.stage h2').text()).toBe('Input 2 never moved')
    expect(page.get('.remedy.fail').text()).toContain('Check pin 5.')
    await button('Run again').trigger('click')
    await flushPromises()
    expect(made('jobs.runStep')).toEqual([{ id: data.jobId, stepId: 'input2' }])
  })
})
