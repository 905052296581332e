import type { CallOutput } from '../../preload/contract/index.ts'
import type { EcuValue } from '../../preload/contract/gateway/accessories.ts'
import type { DeviceWrite, LinkOver, LiveOperation, LiveReading } from '../../preload/contract/device/workspace.ts'
import { plainMessage } from '../../preload/contract/messages.ts'
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { judgeCommand } from '../../main/workspace/consoleGuard.ts'
import { consolePresets } from '../../renderer/features/device/system/ConsolePanel.vue'
import EcuTable from '../../renderer/features/device/engineBus/EcuTable.vue'
import { withReadings } from '../../renderer/features/device/engineBus/useEngineBus.ts'
import type { Series } from '../../preload/signals/series.ts'
import { ecuTable } from '../../renderer/features/device/engineBus/ecuTable.ts'
import type { PanelName } from '../../renderer/features/device/panels.ts'
import { networkRows } from '../../renderer/features/device/network/networkRows.ts'
import { findProblems, missingApps } from '../../renderer/features/device/overview/problems.ts'
import { compassPoint, formatBytes, formatLong, readReleaseDate } from '../../renderer/features/readings/values.ts'
import { goTo } from '../../renderer/shell/router.ts'
import { createFakeBridge, FakeFailure } from '../support/fakeBridge.ts'
import { acceptDrawing } from '../support/pageCanvas.ts'
import * as data from '../support/fakeData.ts'
import { comparison, liveReading, workspaceAnswers } from '../support/fakeWorkspace.ts'
import { made, openWindow, page, unmountPage, useFakeWindow } from '../support/fakeWindow.ts'

const key = '867698040023056'

async function open(panel: PanelName, own: Parameters<typeof createFakeBridge>[0] = {}): Promise<VueWrapper> {
  unmountPage()
  goTo('start')
  await openWindow({ ...workspaceAnswers, ...own })
  goTo('device', key, panel)
  await flushPromises()
  return page
}
function button(where: VueWrapper, text: string) {
  const found = where.findAll('button').find((one) => one.text().startsWith(text))
  if (!found) throw new Error(`No button "${text}" in: ${where.text()}`)
  return found
}

beforeAll(acceptDrawing)
useFakeWindow()

describe('the workspace of a device', () => {
  it('tells problems first, with what to do, and that the default password is still set', async () => {
    const shown = await open('overview')
    const problems = shown.findAll('.problems li').map((item) => item.text())
    expect(problems[0]).toContain('Output 2 is on.')
    expect(problems.join()).toContain('Only 5 % of the system storage is free.')
    expect(shown.text()).toContain('The default user and password are still set.')
  })

  it('takes back what a panel has asked for when another one is opened', async () => {
    await open('network')
    const reads = made('workspace.read') as { view: string; operations: string[] }[]
    const network = reads.find(({ operations }) => operations.includes('eth.state'))
    goTo('device', key, 'hotspot')
    await flushPromises()
    expect(made('workspace.closeView')).toContainEqual({ view: network?.view })
  })

  it('says what was assumed about the signal', async () => {
    expect((await open('network')).text()).toContain('Signal −94 dBm (unit assumed)')
  })

  it('asks once more before a change cuts our own link, and tells the way back', async () => {
    const shown = await open('hotspot')
    await button(shown, 'Stop').trigger('click')
    await flushPromises()
    expect(shown.get('dialog').text()).toContain('Use a cable.')
    await button(shown, 'Change it anyway').trigger('click')
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
    const shown = await open(panel, {
      'workspace.read': (input) => ({ ...workspaceAnswers['workspace.read'](input), readings: Object.fromEntries(input.operations.map((one) => [one, liveReading(one, one.endsWith('.state') ? { value: { state } } : {})])) })
    })
    expect(shown.findAll('button').filter((one) => one.attributes('disabled') === undefined).map((one) => one.text()).filter((text) => ['Start', 'Stop', 'Reset'].includes(text))).toEqual(offered)
  })

  it.each<[PanelName, LinkOver, string[]]>([
    ['wifi', 'wifi', ['cuts Stop: Cuts this connection. Use a cable.', 'none Reset:', 'mayCut Add a network: May cut this connection. Search again.', 'none Remove']],
    ['wifi', 'ethernet', ['none Stop:', 'none Reset:', 'none Add', 'none Remove']],
    ['wifi', 'unknown', ['mayCut Stop:', 'mayCut Reset:', 'mayCut Add', 'mayCut Remove']],
    ['hotspot', 'hotspot', ['cuts Stop: Cuts this connection. Use a cable.', 'none New name']]
  ])('says on the page of the %s, reached over %s, what each change does to this connection before anything is sent', async (panel, over, lines) => {
    const effects = over === 'wifi' ? { 'wifi.stop': plainMessage('Use a cable.'), 'wifi.add': plainMessage('Search again.') } : over === 'hotspot' ? { 'hotspot.stop': plainMessage('Use a cable.') } : {}
    const shown = await open(panel, { 'workspace.link': () => ({ address: 'x', over, detail: plainMessage('The way.'), effects }) })
    const said = shown.findAll('[data-effect]').map((one) => `${one.attributes('data-effect') ?? ''} ${one.text()}`)
    expect(said).toEqual(lines.map((line) => expect.stringContaining(line) as string))
    expect(made('workspace.change')).toEqual([])
  })

  it('lists the network in use, saved ones and those in range together, and adds the one that is chosen', async () => {
    const shown = await open('wifi')
    const rows = () => shown.findAll('.scan li').map((one) => `${one.attributes('data-state') ?? ''} ${one.get('b').text()}`)
    expect(rows()).toEqual(['inUse Yard', 'saved Workshop'])
    await button(shown, 'Scan').trigger('click')
    await flushPromises()
    expect(rows()).toEqual(['inUse Yard', 'notInRange Workshop', 'inRange 1 hidden network'])
  })

  describe('the alignment', () => {
    const parked = (more: object = {}): Parameters<typeof open>[1] => ({
      'jobs.list': () => ({ jobs: [], next: null, total: 0, isMore: false, counts: {}, isSimilar: false }),
      'workspace.read': (input) => {
        const { readings, ...rest } = workspaceAnswers['workspace.read'](input)
        return { ...rest, readings: { ...readings, ...(readings['io.all'] ? { 'io.all': liveReading('io.all', { value: { MOT: false, TIG: false, ...more } }) } : {}) } }
      }
    })
    const send = (shown: VueWrapper) => button(shown, 'Start auto-alignment')

    it('is sent only when a person has confirmed what only a person sees, and the device reports the rest', async () => {
      const shown = await open('accelerometer', parked())
      expect(send(shown).attributes('disabled')).toBeDefined()
      await shown.get('input[type=checkbox]').setValue(true)
      expect(shown.text()).toContain('All conditions met')
      await send(shown).trigger('click')
      await flushPromises()
      // Sent is not proved: no step of it is green.
      expect(shown.text()).toContain('Sent; cannot be confirmed')
      expect(shown.findAll('.align li')[2]?.get('[data-shape]').attributes('data-shape')).toBe('sent')
    })

    it.each([['TIG', true], ['TIG', null], ['MOT', true]])('is not sent while %s reads %j', async (line, value) => {
      const shown = await open('accelerometer', parked({ [line]: value }))
      await shown.get('input[type=checkbox]').setValue(true)
      expect(send(shown).attributes('disabled')).toBeDefined()
    })

    it('belongs to the job while one is open on the device, and leads there', async () => {
      const own = { ...data.listedJob, device: { ...data.listedJob.device, imei: key }, state: 'running' as const }
      const shown = await open('accelerometer', { ...parked(), 'jobs.list': () => ({ jobs: [own], next: null, total: 1, isMore: false, counts: {}, isSimilar: false }) })
      await shown.get('input[type=checkbox]').setValue(true)
      expect(send(shown).attributes('disabled')).toBeDefined()
      expect(shown.get('.align .hint a').attributes('href')).toContain(own.id)
    })

    it.each([
      ['done', 'Sent earlier. The device does not report a result.', 'sent'],
      ['unknown', 'Sent earlier, but the answer is unknown.', 'unknown'],
      [null, 'Not sent from this page so far.', 'none']
    ] as const)('that ended earlier (%s) is said in one sentence', async (outcome, sentence, shape) => {
      const write: DeviceWrite = { id: 1, at: data.at(-60), operation: 'accel.autoAlignment', input: { state: true }, by: 'Ana Torres', jobId: null, outcome: outcome ?? 'done', detail: plainMessage(''), answer: null }
      const last = (await open('accelerometer', { ...parked(), 'workspace.history': () => ({ writes: outcome === null ? [] : [write] }) })).findAll('.align li')[3]
      expect(last?.text()).toContain(sentence)
      expect(last?.get('[data-shape]').attributes('data-shape')).toBe(shape)
    })

    it('shows the directions with the limits that the device reports, and says what it does not report', async () => {
      const shown = await open('accelerometer', parked())
      expect(shown.findAll('svg text').map((one) => one.text())).toEqual(['Harsh acceleration –', 'Hard braking -900', 'Cornering to the right –', 'Cornering to the left –'])
      expect(shown.text()).toContain('The device reports neither tilt nor live acceleration')
    })
  })

  it('holds accelerometer settings against default and range, in words', async () => {
    const rows = (await open('accelerometer')).findAll('tbody tr').map((row) => row.text())
    expect(rows.find((row) => row.includes('Motion threshold'))).toContain('less sensitive than delivered')
    expect(rows.find((row) => row.includes('Hard braking'))).toContain('outside the documented range')
    expect(rows.find((row) => row.includes('Motion duration'))).toContain('as delivered')
  })

  it('keeps the hold of an output locked while a condition is missing, says which, and lets it go off all the same', async () => {
    const shown = await open('lines')
    const output = shown.get('section[aria-label=OUT1]')
    const conditions = output.findAll('li').map((item) => `${item.get('svg').attributes('data-shape')} ${item.text()}`)
    expect(conditions).toEqual(['pass Standstill, fresh position: met0 km/h', 'fail Engine off: not metTIG on'])
    const hold = output.get('button.hold')
    expect(hold.attributes('aria-disabled')).toBe('true')
    await hold.trigger('keydown', { key: ' ' })
    expect(output.get('[role=alert]').text()).toBe('Turn the engine off first.')
    await button(shown, 'Off').trigger('click')
    await flushPromises()
    expect([made('workspace.armOutput'), made('workspace.switchOff')]).toEqual([[], [{ key, out: 'OUT1' }]])
  })

  it('sends all off to what reads on and to what cannot be read', async () => {
    const told = workspaceAnswers['workspace.lines']({ key, since: null })
    const states: Record<string, boolean | null> = { OUT2: true, OUT3: null }
    const shown = await open('lines', {
      'outputs.allOff': () => ({ outputs: [] }),
      'workspace.lines': () => ({ ...told, lines: told.lines.map((line) => (line.name in states ? { ...line, changes: [[told.fromMs ?? 0, states[line.name] ?? null]] } : line)) })
    })
    await button(shown, 'All off').trigger('click')
    await flushPromises()
    expect(made('workspace.switchOff')).toEqual(['OUT2', 'OUT3'].map((out) => ({ key, out })))
  })

  it('names required applications that are missing or not active', async () => {
    const text = (await open('apps')).get('.told.fail').text()
    expect(text).toContain('“camera-link” is required and not active.')
    expect(text).toContain('“bus-reader” is required and not installed.')
  })

  it('marks what was last seen of a device that stopped answering', async () => {
    const failure = { code: 'TIMEOUT' as const, message: plainMessage('It did not answer.') }
    let rounds = 0
    const shown = await open('hotspot', {
      'workspace.read': ({ operations }) => ({
        readings: Object.fromEntries(operations.map((one) => [one, one !== 'hotspot.state' || rounds++ < 1 ? liveReading(one) : liveReading(one, { value: null, raw: null, failure })])),
        facts: {},
        nextInMs: 50,
        isSlow: false
      })
    })
    await vi.waitFor(() => expect(shown.text()).toContain('Last seen: It did not answer.'), 15_000)
    expect(shown.text()).toContain('Unit 4')
  })

  it('shows a call that failed next to where it was made', async () => {
    const shown = await open('wifi', {
      'workspace.scanWifi': () => {
        throw new FakeFailure({ code: 'UNREACHABLE', message: 'Nothing answers.', retryable: true })
      }
    })
    await button(shown, 'Scan').trigger('click')
    await flushPromises()
    expect(shown.get('.scan [role=alert]').text()).toContain('Nothing answers.')
  })
})

describe('The networks of a device', () => {
  const heard = (ssid: string, signalDbm: number | null) => ({ ssid, signalDbm, auth: 'WPA2-PSK', heard: 1, isSaved: false })
  const states = (...known: Parameters<typeof networkRows>) => networkRows(...known).map(({ ssid, state, signalDbm }) => [ssid, state, signalDbm])

  it('are not said to be out of range before anybody looked', () => {
    expect(states({ found: null, saved: ['Yard'], inUse: null })).toEqual([['Yard', 'saved', null]])
    expect(states({ found: [], saved: ['Yard'], inUse: null })).toEqual([['Yard', 'notInRange', null]])
  })

  it('begin with the one in use, with the signal of now, and end with hidden ones', () => {
    const found = [heard('Street', -40), heard('Yard', -70), heard('', -50), heard('Depot', -60)]
    expect(states({ found, saved: ['Yard', 'Depot', 'Gone'], inUse: { ssid: 'Yard', signalDbm: -52, auth: 'WPA2-PSK' } })).toEqual([
      ['Yard', 'inUse', -52], ['Street', 'inRange', -40], ['Depot', 'savedInRange', -60], ['Gone', 'notInRange', null], ['', 'inRange', -50]
    ])
    expect(states({ found, saved: [], inUse: { ssid: 'Yard', signalDbm: null, auth: '' } })[0]).toEqual(['Yard', 'inUse', -70])
  })
})

describe('the overview of a device', () => {
  const read = (values: Partial<Record<LiveOperation, Partial<LiveReading>>>): NonNullable<Parameters<typeof createFakeBridge>[0]> => ({
    'workspace.read': (input) => ({ ...workspaceAnswers['workspace.read'](input), readings: Object.fromEntries(input.operations.map((one) => [one, liveReading(one, values[one] ?? {})])) })
  })
  const fine = { 'io.all': { value: { PWR: true, IGN: true, TIG: true, AN1: 12_610, BAT: 4_100 } }, 'system.info': { value: { uptime: 93_600 } } }

  it('is one calm line while nothing is wrong', async () => {
    const shown = await open('overview', {
      ...read(fine),
      'workspace.limits': () => ({ ...workspaceAnswers['workspace.limits']({}), signalPassDbm: -95 }),
      'workspace.signInState': () => ({ signedIn: true, defaultsKnown: true, usesDefaults: false })
    })
    expect(shown.findAll('.problems li').map((item) => item.text())).toEqual(['The device reports no problems.'])
  })

  it('marks the link that is broken with a shape and a word, and leads to where it is mended', async () => {
    const shown = await open('overview', read({ ...fine, 'io.all': { value: { PWR: true, IGN: false, TIG: true } } }))
    const wire = shown.findAll('.wires li').find((one) => one.text().includes('IGN'))
    expect(wire?.classes()).toContain('fail')
    expect(wire?.find('[data-shape=fail]').exists()).toBe(true)
    expect(wire?.text()).toContain('off')
    const remedy = shown.get('.problems li.fail')
    expect(remedy.text()).toContain('The ignition wire is missing or on the wrong circuit.')
    expect(remedy.get('a').attributes('href')).toBe(`#/device/${key}/lines`)
    expect(remedy.get('a').classes()).toContain('primary')
    expect(shown.findAll('.screen .primary')).toHaveLength(1)
  })

  it('says of a vital sign that cannot be read why, and greys one that is old', async () => {
    const shown = await open('overview', read({ 'modem.information': { value: null, raw: null, failure: { code: 'TIMEOUT', message: plainMessage('It did not answer.') } } }))
    const tile = shown.get('[data-vital=memory]')
    expect(tile.text()).toContain('600 MB')
    expect(tile.text()).toContain('of 1 GB')
    const unread = await open('overview', { ...read({ 'system.info': { value: null, raw: null, failure: { code: 'TIMEOUT', message: plainMessage('It did not answer.') } } }) })
    const missing = unread.get('[data-vital=memory]')
    expect(missing.find('[data-shape=unknown]').exists()).toBe(true)
    expect(missing.text()).toContain('It did not answer.')
    const stale = await open('overview', read({ 'system.info': { failure: { code: 'TIMEOUT', message: plainMessage('It did not answer.') } } }))
    expect(stale.get('[data-vital=memory]').classes()).toContain('stale')
  })

  it('holds device and gateway against each other, and not shown is not failed', async () => {
    const shown = await open('overview')
    const mark = (id: string) => shown.get(`[data-row=${id}] [data-relation]`).attributes('data-relation')
    expect(['imei', 'satellites', 'ignition', 'engine', 'distance'].map(mark)).toEqual(['agree', 'old', 'differ', 'deviceOnly', 'gatewayOnly'])
    expect(shown.get('[data-row=engine]').text()).toContain('not shown')
    expect(shown.get('[data-row=satellites] small').text()).toContain('2026')
    expect(shown.get('.witnesses').text()).toContain('1 differs')
  })

  it('says once why the gateway says nothing', async () => {
    const shown = await open('overview', {
      'workspace.compare': () => ({ ...comparison, gateway: { state: 'signedOut', why: plainMessage('You are signed out.') }, vehicle: null, newest: null, delays: [], facts: [] })
    })
    expect(shown.get('.witnesses').text()).toContain('You are signed out.')
    expect(shown.get('.witnesses a').text()).toBe('Sign in to the gateway')
    expect(shown.get('[data-vital=delay]').text()).toContain('You are signed out.')
  })
})

describe('a device that nobody is signed in to', () => {
  it('is asked for nothing, and the way in is the next thing to do', async () => {
    const watched = createFakeBridge().call('discovery.watch', {})
    const answer = await watched
    if (!answer.ok) throw new Error('no table')
    const table = answer.value as CallOutput<'discovery.watch'>
    const shown = await open('overview', {
      'discovery.watch': () => ({ ...table, devices: table.devices.map((one) => (one.key === key ? { ...one, standing: 'needsSignIn' as const, signedIn: false } : one)) })
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
    const shown = await open('lines')
    expect(chosen(shown)).toContain('Lines')
    expect(shown.findAll('.sections nav a').map((link) => link.attributes('href'))).toContain(`#/device/${key}/console`)
    goTo('device', key, 'nowhere')
    await flushPromises()
    expect(chosen(shown)).toContain('Overview')
  })

  it('are walked through with J and K, and the ends stay', async () => {
    const shown = await open('overview')
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
    const shown = await open('overview')
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'c', bubbles: true }))
    await flushPromises()
    expect(shown.find('.screen dialog').exists()).toBe(true)
  })

  it('carry the mark of the worst that is wrong in them, in words too', async () => {
    const shown = await open('overview', { 'workspace.read': ({ operations }) => ({ ...workspaceAnswers['workspace.read']({ key, view: 'x', operations }), readings: Object.fromEntries(operations.map((one) => [one, one === 'io.all' ? liveReading(one, { value: { PWR: true, IGN: false, TIG: true } }) : liveReading(one)])) }) })
    const link = (name: string) => shown.findAll('.sections nav a').find((one) => one.text().startsWith(name))
    expect(link('Lines')?.text()).toContain('problem')
    expect(link('Lines')?.find('[data-shape=fail]').exists()).toBe(true)
    expect(link('Network')?.find('[data-shape=warn]').exists()).toBe(true)
    expect(link('Console')?.find('svg').exists()).toBe(false)
  })
})

describe('the console', () => {
  it('offers questions in words whose commands only read, and runs nothing by itself', async () => {
    const shown = await open('console')
    await button(shown, 'How full is the storage?').trigger('click')
    expect((shown.get('form.foot input').element as HTMLInputElement).value).toBe('df -h')
    expect(made('workspace.exec')).toEqual([])
    expect(consolePresets.map(({ command }) => judgeCommand(command).kind)).toEqual(consolePresets.map(() => 'free'))
  })
})

describe('the engine bus', () => {
  const write = (name: string, outcome: DeviceWrite['outcome'] = 'done'): DeviceWrite => ({ id: 1, at: data.at(-60), operation: 'ecu.addParameter', input: { PARAM_NAME: name }, by: 'Technician One', jobId: null, outcome, detail: plainMessage('Sent.'), answer: null })
  const value = (name: string, flag: string | null): EcuValue => ({ name, description: '', value: flag === 'T' ? 812 : null, divisor: 1, unit: '', flag, meaning: plainMessage(flag === 'T' ? 'valid' : 'the engine is off'), remedy: null })

  it('shows parameters by their names: sent, seen, or only one of both', () => {
    const rows = ecuTable([write('ENGINE_SPEED'), write('OWN_THING')], [value('engine_speed', 'T'), value('battery', 'F')])
    expect(rows.map(({ name, sentAt, seen }) => [name, sentAt !== null, seen?.flag ?? null])).toEqual([
      ['Engine speed', true, 'T'],
      ['Own thing', true, null],
      ['Battery', false, 'F']
    ])
  })

  it('counts what was sent and found, shows what is missing first or alone, and says a remedy that all share once', async () => {
    const remedy = plainMessage('Check the two wires.')
    const rows = ecuTable([write('ENGINE_SPEED'), write('OWN_THING'), write('FUEL_LEVEL')], [value('battery', 'T'), value('engine_speed', 'T'), { ...value('fuel_level', 'F'), remedy }, { ...value('distance', 'F'), remedy }])
    const table = mount(EcuTable, { props: { rows, seenAt: data.at(0), isGatewayKnown: true, histories: new Map() } })
    const names = () => table.findAll('tbody b').map((one) => one.text()).filter((text) => /^[A-Z]/.test(text))
    expect(names()).toEqual(['Own thing', 'Fuel level', 'Engine speed', 'Battery', 'Distance'])
    expect(table.text().split('Check the two wires.')).toHaveLength(2)
    await table.findAll('input[type=radio]').find((one) => one.element.parentElement?.textContent === 'Missing 2')?.trigger('change')
    expect(names()).toEqual(['Own thing', 'Fuel level'])
    await table.findAll('input[type=radio]').find((one) => one.element.parentElement?.textContent === 'Sent 3')?.trigger('change')
    expect(names()).toEqual(['Own thing', 'Fuel level', 'Engine speed'])
    await table.get('input[type=search]').setValue('fuel')
    expect(names()).toEqual(['Fuel level'])
    await table.get('input[type=search]').setValue('')
    // Values from before the history are grey with their age.
    await table.setProps({ seenAt: new Date(Date.now() - 3_600_000).toISOString() })
    expect(table.findAll('td.stale').length).toBeGreaterThan(0)
    await table.setProps({ seenAt: new Date().toISOString() })
    expect(table.findAll('td.stale')).toEqual([])
    // Nothing was sent: no count of nothing.
    await table.setProps({ rows: rows.filter(({ sentAt }) => sentAt === null) })
    expect(table.find('input[type=radio]').exists()).toBe(false)
  })

  it('keeps the numbers that were read, and a gap where one was not valid', () => {
    const at = (s: number, flag: string | null) => ({ ecuAt: data.at(s), ecuValues: [{ ...value('RPM', flag), value: 812 }] })
    const histories = [at(0, 'T'), at(30, 'F'), at(60, 'T')].reduce(withReadings, new Map<string, Series>())
    const points = histories.get('rpm')?.points(Date.parse(data.at(0)), Date.parse(data.at(60)), 100)
    expect(points?.values.map((one) => one)).toEqual([812, null, 812])
    expect(withReadings(histories, { ecuAt: null, ecuValues: [value('OTHER', 'T')] }).has('other')).toBe(false)
  })

  it('says plainly what was sent and cannot be read back, and why the gateway says nothing', async () => {
    const shown = await open('engineBus', {
      'workspace.history': () => ({ writes: [write('ENGINE_SPEED')] }),
      'workspace.compare': () => ({ ...comparison, gateway: { state: 'signedOut', why: plainMessage('You are signed out.') }, vehicle: null })
    })
    const text = shown.get('.screen-body').text()
    expect(text).toContain('Engine speed')
    expect(text).toContain('The device does not report its parameter list.')
    expect(shown.get('aside[aria-label="Missing, and why"]').text()).toMatch(/Engine speed.*gateway not checked/)
    expect(shown.get('.tiles').text()).toContain('0 of 1')
    expect(text).toContain('You are signed out.')
    expect(shown.get('.screen-body table').text()).not.toContain('ENGINE_SPEED')
  })
})

describe('the board', () => {
  it('shows vital signs of the devices that are signed in, and repeats only what failed', async () => {
    const shown = await open('overview')
    goTo('board')
    await flushPromises()
    const read = () => shown.findAll('tbody tr').filter((row) => row.text().includes('12.61'))
    expect(read().length).toBe(data.devices.filter(({ standing }) => standing === 'verified').length)
    // Each device has five minutes of its supply and its signal, and says who has its job.
    const [first] = read()
    expect(first?.findAll('[role=img].spark').map((one) => one.attributes('aria-label'))).toEqual([expect.stringMatching(/^Supply.* 12\.61/), expect.stringMatching(/^Signal .*dBm$/)])
    const job = data.listedJob
    const mine = shown.findAll('tbody tr').find((row) => row.find(`a[href="#/job/${job.id}"]`).exists())
    expect(mine?.text()).toContain(`${job.stepsDone} of ${job.stepsTotal}`)
    expect(mine?.text()).toContain(job.technician)
    expect(shown.text()).toContain('1 of 2 done')
    await button(shown, 'Retry failed ones').trigger('click')
    expect(made('workspace.continueRun')).toEqual([{ id: 'run1', alsoUnknown: false }])
  })
})

describe('values', () => {
  it('are told in units and words, and nothing is made up for what is missing', () => {
    expect(formatBytes(402_653_184)).toBe('402.7\u00A0MB')
    expect(formatBytes(undefined)).toBe('–')
    expect(formatLong(93_600)).toContain('1\u00A0d')
    expect(readReleaseDate('20260412083000')?.toISOString()).toBe('2026-04-12T08:30:00.000Z')
    expect(readReleaseDate('soon')).toBeUndefined()
    expect([0, 44, 91, -90, 359].map(compassPoint)).toEqual(['N', 'NE', 'E', 'W', 'N'])
  })

  it('of the mobile signal are held against the profile', () => {
    const facts = (dBm: number) => ({ modem: { signal: { dBm, assumed: 'dBm' as const }, registration: 'registered' as const, hasIp: true } })
    const limits = { signalPassDbm: -90, signalWarnDbm: -100 }
    expect([-90, -91, -100, -101].map((dBm) => findProblems({}, facts(dBm), 0, limits)[0]?.tone)).toEqual([undefined, 'warn', 'warn', 'fail'])
  })

  it('of the links are those that the core decided, whatever words the device uses', () => {
    const readings = { 'modem.information': liveReading('modem.information', { value: { SIM_STATE: 'LOADED' } }) }
    const facts = { modem: { signal: null, registration: 'searching' as const, hasIp: true } }
    expect(findProblems(readings, { ...facts, links: { power: 'ok', sim: 'ok', registration: 'unknown', address: 'ok', fix: 'unknown' } }, 0, null)).toEqual([])
    expect(findProblems(readings, { ...facts, links: { sim: 'broken' } }, 0, null).map(({ id }) => id)).toEqual(['sim'])
  })

  it('that were not read are no problem, and a broken answer breaks nothing', () => {
    expect(findProblems({}, {}, 0, null)).toEqual([])
    for (const value of [null, [], 'x', 7, { ram: 3, cpu: null, coords: [] }]) {
      const readings = { 'system.info': liveReading('system.info', { value: value as never }), 'io.all': liveReading('io.all', { value: value as never }) }
      expect(findProblems(readings, {}, 0, null)).toEqual([])
      expect(missingApps(value, ['a'])).toEqual([{ name: 'a', isInactive: false }])
    }
  })
})
