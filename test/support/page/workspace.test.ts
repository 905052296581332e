import type { CallOutput } from '../../../preload/contract/index.ts'
import type { DeviceWrite, LinkOver } from '../../../preload/contract/device/workspace.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { flushPromises, type VueWrapper } from '@vue/test-utils'
import { describe, expect, it, vi } from 'vitest'
import type { PanelName } from '../../../renderer/support/deviceSession/panels.ts'
import { networkRows } from '../../../renderer/support/deviceSession/network/networkRows.ts'
import { goTo } from '../../../renderer/base/shell/router.ts'
import { createFakeBridge, FakeFailure } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'
import { liveReading, workspaceAnswers } from '../../world/window/fakes/fakeWorkspace.ts'
import { made, useFakeWindow } from '../../world/window/fakes/fakeWindow.ts'
import { buttonIn, key, openPanel } from '../../world/window/workspacePage.ts'

useFakeWindow()

describe('the workspace of a device', () => {
  it('tells problems first, with what to do, and that the default password is still set', async () => {
    const shown = await openPanel('overview')
    const problems = shown.findAll('.problems li').map((item) => item.text())
    expect(problems[0]).toContain('Output 2 is on.')
    expect(problems.join()).toContain('Only 5 % of the system storage is free.')
    expect(shown.text()).toContain('The default user and password are still set.')
  })

  it('takes back what a panel has asked for when another one is opened', async () => {
    await openPanel('network')
    const reads = made('workspace.read') as { view: string; operations: string[] }[]
    const network = reads.find(({ operations }) => operations.includes('eth.state'))
    goTo('device', key, 'hotspot')
    await flushPromises()
    expect(made('workspace.closeView')).toContainEqual({ view: network?.view })
  })

  it('says what was assumed about the signal', async () => {
    expect((await openPanel('network')).text()).toContain('Signal −94 dBm (unit assumed)')
  })

  it('asks once more before a change cuts our own link, and tells the way back', async () => {
    const shown = await openPanel('hotspot')
    await buttonIn(shown, 'Stop').trigger('click')
    await flushPromises()
    expect(shown.get('dialog').text()).toContain('Use a cable.')
    await buttonIn(shown, 'Change it anyway').trigger('click')
    await flushPromises()
    expect(made('workspace.change')).toEqual([
      { key, change: { operation: 'hotspot.stop' }, confirmCut: false },
      { key, change: { operation: 'hotspot.stop' }, confirmCut: true }
    ])
    expect(shown.text()).toContain('Confirmed by reading back')
  })

  it.each<[PanelName, string, string[]]>([
    ['wifi', 'Completed', ['Stop', 'Reset']],
    ['wifi', 'Scanning', ['Stop', 'Reset']],
    ['wifi', 'Interface_disabled', ['Start']],
    ['wifi', 'Something else', ['Start', 'Stop', 'Reset']],
    ['hotspot', 'Enabled', ['Stop']],
    ['hotspot', 'Disabled', ['Start']]
  ])('offers for the %s, while it is %s, only what changes something: %j', async (panel, state, offered) => {
    const shown = await openPanel(panel, {
      'workspace.read': (input) => ({
        ...workspaceAnswers['workspace.read'](input),
        readings: Object.fromEntries(
          input.operations.map((one) => [one, liveReading(one, one.endsWith('.state') ? { value: { state } } : {})])
        )
      })
    })
    expect(
      shown
        .findAll('button')
        .filter((one) => one.attributes('disabled') === undefined)
        .map((one) => one.text())
        .filter((text) => ['Start', 'Stop', 'Reset'].includes(text))
    ).toEqual(offered)
  })

  it.each<[PanelName, LinkOver, string[]]>([
    [
      'wifi',
      'wifi',
      [
        'cuts Stop: Cuts this connection. Use a cable.',
        'none Reset:',
        'mayCut Add a network: May cut this connection. Search again.',
        'none Remove'
      ]
    ],
    ['wifi', 'ethernet', ['none Stop:', 'none Reset:', 'none Add', 'none Remove']],
    ['wifi', 'unknown', ['mayCut Stop:', 'mayCut Reset:', 'mayCut Add', 'mayCut Remove']],
    ['hotspot', 'hotspot', ['none Start:', 'cuts Stop: Cuts this connection. Use a cable.', 'none New name']],
    ['hotspot', 'wifi', ['cuts Start: Cuts this connection. Use its hotspot.', 'none Stop:', 'none New name']]
  ])(
    'says on the page of the %s, reached over %s, what each change does to this connection before anything is sent',
    async (panel, over, lines) => {
      const effects =
        over === 'wifi'
          ? {
              'wifi.stop': plainMessage('Use a cable.'),
              'wifi.add': plainMessage('Search again.'),
              'hotspot.start': plainMessage('Use its hotspot.')
            }
          : over === 'hotspot'
            ? { 'hotspot.stop': plainMessage('Use a cable.') }
            : {}
      const shown = await openPanel(panel, {
        'workspace.link': () => ({ address: 'x', over, detail: plainMessage('The way.'), effects })
      })
      const said = shown.findAll('[data-effect]').map((one) => `${one.attributes('data-effect') ?? ''} ${one.text()}`)
      expect(said).toEqual(lines.map((line) => expect.stringContaining(line) as string))
      expect(made('workspace.change')).toEqual([])
    }
  )

  it('lists the network in use, saved ones and those in range together, and adds the one that is chosen', async () => {
    const shown = await openPanel('wifi')
    const rows = () =>
      shown.findAll('.scan li').map((one) => `${one.attributes('data-state') ?? ''} ${one.get('b').text()}`)
    expect(rows()).toEqual(['inUse Yard', 'saved Workshop'])
    await buttonIn(shown, 'Scan').trigger('click')
    await flushPromises()
    expect(rows()).toEqual(['inUse Yard', 'notInRange Workshop', 'inRange 1 hidden network'])
  })

  it.each([
    [{ ssid: 'Yard', signalDbm: -61, auth: '' }, ['inUse Yard', 'saved Workshop']],
    [null, ['saved Yard', 'saved Workshop']]
  ])(
    'takes the core’s word for the network in use, whatever the answer of the device looks like: %j',
    async (inUse, rows) => {
      const shown = await openPanel('wifi', {
        'workspace.read': (input) => ({
          ...workspaceAnswers['workspace.read'](input),
          facts: { wifi: { inUse } },
          readings: Object.fromEntries(
            input.operations.map((one) => [
              one,
              liveReading(
                one,
                one === 'wifi.state' ? { value: { state: 'Enabled', ip: '192.168.1.20', ssid: 'Yard' } } : {}
              )
            ])
          )
        })
      })
      expect(
        shown.findAll('.scan li').map((one) => `${one.attributes('data-state') ?? ''} ${one.get('b').text()}`)
      ).toEqual(rows)
    }
  )

  describe('the alignment', () => {
    const parked = (more: object = {}): Parameters<typeof openPanel>[1] => ({
      'jobs.list': () => ({ jobs: [], next: null, total: 0, isMore: false, counts: {}, isSimilar: false }),
      'workspace.read': (input) => {
        const { readings, ...rest } = workspaceAnswers['workspace.read'](input)
        return {
          ...rest,
          readings: {
            ...readings,
            ...(readings['io.all']
              ? { 'io.all': liveReading('io.all', { value: { MOT: false, TIG: false, ...more } }) }
              : {})
          }
        }
      }
    })
    const send = (shown: VueWrapper) => buttonIn(shown, 'Start auto-alignment')

    it('is sent only when a person has confirmed what only a person sees, and the device reports the rest', async () => {
      const shown = await openPanel('accelerometer', parked())
      expect(send(shown).attributes('disabled')).toBeDefined()
      await shown.get('input[type=checkbox]').setValue(true)
      expect(shown.text()).toContain('All conditions met')
      await send(shown).trigger('click')
      await flushPromises()
      // Sent is not proved: no step of it is green.
      expect(shown.text()).toContain('Sent; cannot be confirmed')
      expect(shown.findAll('.align li')[2]?.get('[data-shape]').attributes('data-shape')).toBe('sent')
    })

    it.each([
      ['TIG', true],
      ['TIG', null],
      ['MOT', true]
    ])('is not sent while %s reads %j', async (line, value) => {
      const shown = await openPanel('accelerometer', parked({ [line]: value }))
      await shown.get('input[type=checkbox]').setValue(true)
      expect(send(shown).attributes('disabled')).toBeDefined()
    })

    it('belongs to the job while one is open on the device, and leads there', async () => {
      const own = { ...data.listedJob, device: { ...data.listedJob.device, imei: key }, state: 'running' as const }
      const shown = await openPanel('accelerometer', {
        ...parked(),
        'jobs.list': () => ({ jobs: [own], next: null, total: 1, isMore: false, counts: {}, isSimilar: false })
      })
      await shown.get('input[type=checkbox]').setValue(true)
      expect(send(shown).attributes('disabled')).toBeDefined()
      expect(shown.get('.align .hint a').attributes('href')).toContain(own.id)
    })

    it.each([
      ['done', 'Sent earlier. The device does not report a result.', 'sent'],
      ['unknown', 'Sent earlier, but the answer is unknown.', 'unknown'],
      [null, 'Not sent from this page so far.', 'none']
    ] as const)('that ended earlier (%s) is said in one sentence', async (outcome, sentence, shape) => {
      const write: DeviceWrite = {
        id: 1,
        at: data.at(-60),
        operation: 'accel.autoAlignment',
        input: { state: true },
        by: 'Ana Torres',
        jobId: null,
        outcome: outcome ?? 'done',
        detail: plainMessage(''),
        answer: null
      }
      const last = (
        await openPanel('accelerometer', {
          ...parked(),
          'workspace.history': () => ({ writes: outcome === null ? [] : [write] })
        })
      ).findAll('.align li')[3]
      expect(last?.text()).toContain(sentence)
      expect(last?.get('[data-shape]').attributes('data-shape')).toBe(shape)
    })

    it('shows the directions with the limits that the device reports, and says what it does not report', async () => {
      const shown = await openPanel('accelerometer', parked())
      expect(shown.findAll('svg text').map((one) => one.text())).toEqual([
        'Harsh acceleration –',
        'Hard braking -900',
        'Cornering to the right –',
        'Cornering to the left –'
      ])
      expect(shown.text()).toContain('The device reports neither tilt nor live acceleration')
    })
  })

  it('holds accelerometer settings against default and range, in words', async () => {
    const rows = (await openPanel('accelerometer')).findAll('tbody tr').map((row) => row.text())
    expect(rows.find((row) => row.includes('Motion threshold'))).toContain('less sensitive than delivered')
    expect(rows.find((row) => row.includes('Hard braking'))).toContain('outside the documented range')
    expect(rows.find((row) => row.includes('Motion duration'))).toContain('as delivered')
  })

  it('keeps the hold of an output locked while a condition is missing, says which, and lets it go off all the same', async () => {
    const shown = await openPanel('lines')
    const output = shown.get('section[aria-label=OUT1]')
    const conditions = output.findAll('li').map((item) => `${item.get('svg').attributes('data-shape')} ${item.text()}`)
    expect(conditions).toEqual(['pass Standstill, fresh position: met0 km/h', 'fail Engine off: not metTIG on'])
    const hold = output.get('button.hold')
    expect(hold.attributes('aria-disabled')).toBe('true')
    await hold.trigger('keydown', { key: ' ' })
    expect(output.get('[role=alert]').text()).toBe('Turn the engine off first.')
    await buttonIn(shown, 'Off').trigger('click')
    await flushPromises()
    expect([made('workspace.armOutput'), made('workspace.switchOff')]).toEqual([[], [{ key, out: 'OUT1' }]])
  })

  it('sends all off to what reads on and to what cannot be read', async () => {
    const told = workspaceAnswers['workspace.lines']({ key, since: null })
    const states: Record<string, boolean | null> = { OUT2: true, OUT3: null }
    const shown = await openPanel('lines', {
      'outputs.allOff': () => ({ outputs: [] }),
      'workspace.lines': () => ({
        ...told,
        lines: told.lines.map((line) =>
          line.name in states ? { ...line, changes: [[told.fromMs ?? 0, states[line.name] ?? null]] } : line
        )
      })
    })
    await buttonIn(shown, 'All off').trigger('click')
    await flushPromises()
    expect(made('workspace.switchOff')).toEqual(['OUT2', 'OUT3'].map((out) => ({ key, out })))
  })

  it('names required applications that are missing or not active', async () => {
    const text = (await openPanel('apps')).get('.told.fail').text()
    expect(text).toContain('“camera-link” is required and not active.')
    expect(text).toContain('“bus-reader” is required and not installed.')
  })

  it('marks what was last seen of a device that stopped answering', async () => {
    const failure = { code: 'TIMEOUT' as const, message: plainMessage('It did not answer.') }
    let rounds = 0
    const shown = await openPanel('hotspot', {
      'workspace.read': ({ operations }) => ({
        readings: Object.fromEntries(
          operations.map((one) => [
            one,
            one !== 'hotspot.state' || rounds++ < 1
              ? liveReading(one)
              : liveReading(one, { value: null, raw: null, failure })
          ])
        ),
        facts: {},
        nextInMs: 50,
        isSlow: false
      })
    })
    await vi.waitFor(() => expect(shown.text()).toContain('Last seen: It did not answer.'), 15_000)
    expect(shown.text()).toContain('Unit 4')
  })

  it('shows a call that failed next to where it was made', async () => {
    const shown = await openPanel('wifi', {
      'workspace.scanWifi': () => {
        throw new FakeFailure({ code: 'UNREACHABLE', message: 'Nothing answers.', retryable: true })
      }
    })
    await buttonIn(shown, 'Scan').trigger('click')
    await flushPromises()
    expect(shown.get('.scan [role=alert]').text()).toContain('Nothing answers.')
  })
})

describe('The networks of a device', () => {
  const heard = (ssid: string, signalDbm: number | null) => ({
    ssid,
    signalDbm,
    auth: 'WPA2-PSK',
    heard: 1,
    isSaved: false
  })
  const states = (...known: Parameters<typeof networkRows>) =>
    networkRows(...known).map(({ ssid, state, signalDbm }) => [ssid, state, signalDbm])

  it('are not said to be out of range before anybody looked', () => {
    expect(states({ found: null, saved: ['Yard'], inUse: null })).toEqual([['Yard', 'saved', null]])
    expect(states({ found: [], saved: ['Yard'], inUse: null })).toEqual([['Yard', 'notInRange', null]])
  })

  it('begin with the one in use, with the signal of now, and end with hidden ones', () => {
    const found = [heard('Street', -40), heard('Yard', -70), heard('', -50), heard('Depot', -60)]
    expect(
      states({ found, saved: ['Yard', 'Depot', 'Gone'], inUse: { ssid: 'Yard', signalDbm: -52, auth: 'WPA2-PSK' } })
    ).toEqual([
      ['Yard', 'inUse', -52],
      ['Street', 'inRange', -40],
      ['Depot', 'savedInRange', -60],
      ['Gone', 'notInRange', null],
      ['', 'inRange', -50]
    ])
    expect(states({ found, saved: [], inUse: { ssid: 'Yard', signalDbm: null, auth: '' } })[0]).toEqual([
      'Yard',
      'inUse',
      -70
    ])
  })
})

describe('a device that nobody is signed in to', () => {
  it('is asked for nothing, and the way in is the next thing to do', async () => {
    const watched = createFakeBridge().call('discovery.watch', {})
    const answer = await watched
    if (!answer.ok) throw new Error('no table')
    const table = answer.value as CallOutput<'discovery.watch'>
    const shown = await openPanel('overview', {
      'discovery.watch': () => ({
        ...table,
        devices: table.devices.map((one) =>
          one.key === key ? { ...one, standing: 'needsSignIn' as const, signedIn: false } : one
        )
      })
    })
    expect(made('workspace.read')).toEqual([])
    expect(made('workspace.compare')).toEqual([])
    expect(shown.get('.device .part').text()).toContain('Sign in to this device first')
    expect(shown.get('.device .part .primary').text()).toBe('Sign in')
  })
})

describe('the sections of a device', () => {
  const chosen = (where: VueWrapper) => where.get('.sections nav [aria-current=page]').text()

  it('are named by the address, and one that there is not is the first', async () => {
    const shown = await openPanel('lines')
    expect(chosen(shown)).toContain('Lines')
    expect(shown.findAll('.sections nav a').map((link) => link.attributes('href'))).toContain(`#/device/${key}/console`)
    goTo('device', key, 'nowhere')
    await flushPromises()
    expect(chosen(shown)).toContain('Overview')
  })

  it('are walked through with J and K, and the ends stay', async () => {
    const shown = await openPanel('overview')
    const press = async (letter: string) => {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: letter, bubbles: true }))
      await flushPromises()
    }
    await press('k')
    expect(chosen(shown)).toContain('Overview')
    await press('j')
    expect(chosen(shown)).toContain('Position')
    await press('k')
    expect(chosen(shown)).toContain('Overview')
  })

  it('leave C to begin a job on this very device', async () => {
    const shown = await openPanel('overview')
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'c', bubbles: true }))
    await flushPromises()
    expect(shown.find('.screen dialog').exists()).toBe(true)
  })

  it('carry the mark of the worst that is wrong in them, in words too', async () => {
    const shown = await openPanel('overview', {
      'workspace.read': ({ operations }) => ({
        ...workspaceAnswers['workspace.read']({ key, view: 'x', operations }),
        readings: Object.fromEntries(
          operations.map((one) => [
            one,
            one === 'io.all' ? liveReading(one, { value: { PWR: true, IGN: false, TIG: true } }) : liveReading(one)
          ])
        )
      })
    })
    const link = (name: string) => shown.findAll('.sections nav a').find((one) => one.text().startsWith(name))
    expect(link('Lines')?.text()).toContain('problem')
    expect(link('Lines')?.find('[data-shape=fail]').exists()).toBe(true)
    expect(link('Network')?.find('[data-shape=warn]').exists()).toBe(true)
    expect(link('Console')?.find('svg').exists()).toBe(false)
  })
})
