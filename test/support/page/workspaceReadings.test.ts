import type { EcuValue } from '../../../preload/contract/gateway/accessories.ts'
import type { DeviceWrite, LiveOperation, LiveReading } from '../../../preload/contract/device/workspace.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { flushPromises, mount } from '@vue/test-utils'
import { describe, expect, it, vi } from 'vitest'
import { judgeCommand } from '../../../main/device/client/console/consoleGuard.ts'
import { consolePresets } from '../../../renderer/support/deviceSession/system/ConsolePanel.vue'
import EcuTable from '../../../renderer/support/deviceSession/engineBus/EcuTable.vue'
import { withReadings } from '../../../renderer/support/deviceSession/engineBus/useEngineBus.ts'
import type { Series } from '../../../preload/base/signals/series.ts'
import { ecuTable } from '../../../renderer/support/deviceSession/engineBus/ecuTable.ts'
import { findProblems, missingApps } from '../../../renderer/support/deviceSession/overview/problems.ts'
import { compassPoint, formatBytes, formatLong, readReleaseDate } from '../../../renderer/device/readings/values.ts'
import { goTo } from '../../../renderer/base/shell/router.ts'
import { createFakeBridge } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'
import { comparison, liveReading, workspaceAnswers } from '../../world/window/fakes/fakeWorkspace.ts'
import { made, useFakeWindow } from '../../world/window/fakes/fakeWindow.ts'
import { buttonIn, key, openPanel } from '../../world/window/workspacePage.ts'

useFakeWindow()

describe('the overview of a device', () => {
  const read = (
    values: Partial<Record<LiveOperation, Partial<LiveReading>>>
  ): NonNullable<Parameters<typeof createFakeBridge>[0]> => ({
    'workspace.read': (input) => ({
      ...workspaceAnswers['workspace.read'](input),
      readings: Object.fromEntries(input.operations.map((one) => [one, liveReading(one, values[one] ?? {})]))
    })
  })
  const fine = {
    'io.all': { value: { PWR: true, IGN: true, TIG: true, AN1: 12_610, BAT: 4_100 } },
    'system.info': { value: { uptime: 93_600 } }
  }

  it('is one calm line while nothing is wrong', async () => {
    const shown = await openPanel('overview', {
      ...read(fine),
      'workspace.limits': () => ({ ...workspaceAnswers['workspace.limits']({}), signalPassDbm: -95 }),
      'workspace.signInState': () => ({ signedIn: true, defaultsKnown: true, usesDefaults: false })
    })
    expect(shown.findAll('.problems li').map((item) => item.text())).toEqual(['The device reports no problems.'])
  })

  it('marks the link that is broken with a shape and a word, and leads to where it is mended', async () => {
    const shown = await openPanel(
      'overview',
      read({ ...fine, 'io.all': { value: { PWR: true, IGN: false, TIG: true } } })
    )
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
    const shown = await openPanel(
      'overview',
      read({
        'modem.information': {
          value: null,
          raw: null,
          failure: { code: 'TIMEOUT', message: plainMessage('It did not answer.') }
        }
      })
    )
    const tile = shown.get('[data-vital=memory]')
    expect(tile.text()).toContain('600 MB')
    expect(tile.text()).toContain('of 1 GB')
    const unread = await openPanel('overview', {
      ...read({
        'system.info': {
          value: null,
          raw: null,
          failure: { code: 'TIMEOUT', message: plainMessage('It did not answer.') }
        }
      })
    })
    const missing = unread.get('[data-vital=memory]')
    expect(missing.find('[data-shape=unknown]').exists()).toBe(true)
    expect(missing.text()).toContain('It did not answer.')
    const stale = await openPanel(
      'overview',
      read({ 'system.info': { failure: { code: 'TIMEOUT', message: plainMessage('It did not answer.') } } })
    )
    expect(stale.get('[data-vital=memory]').classes()).toContain('stale')
  })

  it('holds device and gateway against each other, and not shown is not failed', async () => {
    const shown = await openPanel('overview')
    const mark = (id: string) => shown.get(`[data-row=${id}] [data-relation]`).attributes('data-relation')
    expect(['imei', 'satellites', 'ignition', 'engine', 'distance'].map(mark)).toEqual([
      'agree',
      'old',
      'differ',
      'deviceOnly',
      'gatewayOnly'
    ])
    expect(shown.get('[data-row=engine]').text()).toContain('not shown')
    expect(shown.get('[data-row=satellites] small').text()).toContain('2026')
    expect(shown.get('.witnesses').text()).toContain('1 differs')
  })

  it('says once why the gateway says nothing', async () => {
    const shown = await openPanel('overview', {
      'workspace.compare': () => ({
        ...comparison,
        gateway: { state: 'signedOut', why: plainMessage('You are signed out.') },
        vehicle: null,
        newest: null,
        delays: [],
        facts: []
      })
    })
    expect(shown.get('.witnesses').text()).toContain('You are signed out.')
    expect(shown.get('.witnesses a').text()).toBe('Sign in to the gateway')
    expect(shown.get('[data-vital=delay]').text()).toContain('You are signed out.')
  })
})

describe('the console', () => {
  it('offers questions in words whose commands only read, and runs nothing by itself', async () => {
    const shown = await openPanel('console')
    await buttonIn(shown, 'How full is the storage?').trigger('click')
    expect((shown.get('form.foot input').element as HTMLInputElement).value).toBe('df -h')
    expect(made('workspace.exec')).toEqual([])
    expect(consolePresets.map(({ command }) => judgeCommand(command).kind)).toEqual(consolePresets.map(() => 'free'))
  })
})

describe('the engine bus', () => {
  const write = (name: string, outcome: DeviceWrite['outcome'] = 'done'): DeviceWrite => ({
    id: 1,
    at: data.at(-60),
    operation: 'ecu.addParameter',
    input: { PARAM_NAME: name },
    by: 'Technician One',
    jobId: null,
    outcome,
    detail: plainMessage('Sent.'),
    answer: null
  })
  const value = (name: string, flag: string | null): EcuValue => ({
    name,
    description: '',
    value: flag === 'T' ? 812 : null,
    divisor: 1,
    unit: '',
    flag,
    meaning: plainMessage(flag === 'T' ? 'valid' : 'the engine is off'),
    remedy: null
  })

  it('shows parameters by their names: sent, seen, or only one of both', () => {
    const rows = ecuTable(
      [write('ENGINE_SPEED'), write('OWN_THING')],
      [value('engine_speed', 'T'), value('battery', 'F')]
    )
    expect(rows.map(({ name, sentAt, seen }) => [name, sentAt !== null, seen?.flag ?? null])).toEqual([
      ['Engine speed', true, 'T'],
      ['Own thing', true, null],
      ['Battery', false, 'F']
    ])
  })

  it('counts what was sent and found, shows what is missing first or alone, and says a remedy that all share once', async () => {
    const remedy = plainMessage('Check the two wires.')
    const rows = ecuTable(
      [write('ENGINE_SPEED'), write('OWN_THING'), write('FUEL_LEVEL')],
      [
        value('battery', 'T'),
        value('engine_speed', 'T'),
        { ...value('fuel_level', 'F'), remedy },
        { ...value('distance', 'F'), remedy }
      ]
    )
    const table = mount(EcuTable, { props: { rows, seenAt: data.at(0), isGatewayKnown: true, histories: new Map() } })
    const names = () =>
      table
        .findAll('tbody b')
        .map((one) => one.text())
        .filter((text) => /^[A-Z]/.test(text))
    expect(names()).toEqual(['Own thing', 'Fuel level', 'Engine speed', 'Battery', 'Distance'])
    expect(table.text().split('Check the two wires.')).toHaveLength(2)
    await table
      .findAll('input[type=radio]')
      .find((one) => one.element.parentElement?.textContent === 'Missing 2')
      ?.trigger('change')
    expect(names()).toEqual(['Own thing', 'Fuel level'])
    await table
      .findAll('input[type=radio]')
      .find((one) => one.element.parentElement?.textContent === 'Sent 3')
      ?.trigger('change')
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
    const at = (s: number, flag: string | null) => ({
      ecuAt: data.at(s),
      ecuValues: [{ ...value('RPM', flag), value: 812 }]
    })
    const histories = [at(0, 'T'), at(30, 'F'), at(60, 'T')].reduce(withReadings, new Map<string, Series>())
    const points = histories.get('rpm')?.points(Date.parse(data.at(0)), Date.parse(data.at(60)), 100)
    expect(points?.values.map((one) => one)).toEqual([812, null, 812])
    expect(withReadings(histories, { ecuAt: null, ecuValues: [value('OTHER', 'T')] }).has('other')).toBe(false)
  })

  it('says plainly what was sent and cannot be read back, and why the gateway says nothing', async () => {
    const shown = await openPanel('engineBus', {
      'workspace.history': () => ({ writes: [write('ENGINE_SPEED')] }),
      'workspace.compare': () => ({
        ...comparison,
        gateway: { state: 'signedOut', why: plainMessage('You are signed out.') },
        vehicle: null
      })
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

describe('a list of the engine bus', () => {
  const row = {
    PARAM_NAME: 'VD - TOTAL VEHICLE DISTANCE',
    PGN: 'FEE',
    TRANSMISSION_RATE: '100MS',
    PRIORITY: '6',
    DLC: '8',
    LENGTH: '4_BYTES',
    START_POSITION: '5-8',
    MULTIPLIER: '0.125',
    GROUP: 'NUMBER_VALUE',
    OFFSET: ''
  }
  const { OFFSET: _none, ...entry } = { ...row, PGN: 'FEE0' }
  const asked = plainMessage('FEE0 or 0FEE?')

  it('is imported from a file or pasted, asks what could mean two things, and shows what will be sent before it is', async () => {
    const given: unknown[] = []
    const shown = await openPanel('engineBus', {
      'workspace.checkEcuList': ({ rows = [], csv, base64 }) => {
        given.push({ csv, base64 })
        const read = base64 === undefined && csv === undefined ? rows : [row]
        return {
          problem: null,
          configuration: base64 === undefined ? null : { PRIMARY_CAN: 'J1939_250KHZ' },
          rows: read.map((one) =>
            one.PGN === 'FEE'
              ? {
                  row: one,
                  entry: null,
                  problems: [{ field: 'PGN', text: asked, choices: ['FEE0', '0FEE'] }],
                  notes: [],
                  sentAt: null
                }
              : { row: one, entry: { ...entry, PGN: one.PGN }, problems: [], notes: [], sentAt: null }
          )
        }
      }
    })
    const input = shown.get<HTMLInputElement>('input[type=file][accept*=".conf"]')
    Object.defineProperty(input.element, 'files', {
      configurable: true,
      value: [new File(['START_SECTION: J1939'], 'truck.conf')]
    })
    await input.trigger('change')
    await vi.waitFor(() => expect(shown.text()).toContain('FEE0 or 0FEE?'), 15_000)
    expect(given[0]).toEqual({ base64: btoa('START_SECTION: J1939') })
    expect(shown.text()).toContain('PRIMARY_CAN J1939_250KHZ')
    expect(shown.find('.will-send').exists()).toBe(false)
    await shown
      .findAll('button')
      .find((button) => button.text() === 'Fill in below')
      ?.trigger('click')
    expect(shown.findAll<HTMLInputElement>('form input').map(({ element }) => element.value)).toContain('J1939_250KHZ')
    await shown
      .findAll('button')
      .find((button) => button.text() === 'FEE0')
      ?.trigger('click')
    await vi.waitFor(() => expect(shown.find('.will-send').exists()).toBe(true), 15_000)
    expect(JSON.parse(shown.get('.will-send').text())).toEqual(entry)
    const pasted = new Event('paste', { bubbles: true, cancelable: true })
    Object.assign(pasted, { clipboardData: { getData: () => 'PARAM_NAME: A, PGN: FEE' } })
    document.body.dispatchEvent(pasted)
    await vi.waitFor(() => expect(given).toContainEqual({ csv: 'PARAM_NAME: A, PGN: FEE', base64: undefined }), 15_000)
    expect(pasted.defaultPrevented).toBe(true)
  })
})

describe('the board', () => {
  it('shows vital signs of the devices that are signed in, and repeats only what failed', async () => {
    const shown = await openPanel('overview')
    goTo('board')
    await flushPromises()
    const read = () => shown.findAll('tbody tr').filter((row) => row.text().includes('12.61'))
    expect(read().length).toBe(data.devices.filter(({ standing }) => standing === 'verified').length)
    // Each device has five minutes of its supply and its signal, and says who has its job.
    const [first] = read()
    expect(first?.findAll('[role=img].spark').map((one) => one.attributes('aria-label'))).toEqual([
      expect.stringMatching(/^Supply.* 12\.61/),
      expect.stringMatching(/^Signal .*dBm$/)
    ])
    const job = data.listedJob
    const mine = shown.findAll('tbody tr').find((row) => row.find(`a[href="#/job/${job.id}"]`).exists())
    expect(mine?.text()).toContain(`${job.stepsDone} of ${job.stepsTotal}`)
    expect(mine?.text()).toContain(job.technician)
    expect(shown.text()).toContain('1 of 2 done')
    await buttonIn(shown, 'Retry failed ones').trigger('click')
    expect(made('workspace.continueRun')).toEqual([{ id: 'run1', alsoUnknown: false }])
  })
})

describe('the row of a device on the board', () => {
  const failure = { code: 'TIMEOUT', message: plainMessage('Often no GPS fix yet.') } as const
  it.each([
    [['gps.position'], ['Answers in part', 'Often no GPS fix yet.']],
    [['gps.position', 'modem.information', 'io.all'], ['does not answer']]
  ] as const)('of which %j is not answered', async (silent, said) => {
    const shown = await openPanel('overview', {
      'workspace.read': (input) => ({
        ...workspaceAnswers['workspace.read'](input),
        readings: Object.fromEntries(
          input.operations.map((one) => [
            one,
            liveReading(one, (silent as readonly string[]).includes(one) ? { value: null, raw: null, failure } : {})
          ])
        )
      })
    })
    goTo('board')
    await flushPromises()
    for (const text of said) expect(shown.get('tbody').text()).toContain(text)
    expect(shown.get('tbody').text().includes('does not answer')).toBe(said.includes('does not answer' as never))
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
    const facts = (dBm: number) => ({
      modem: {
        signal: { dBm, assumed: 'dBm' as const },
        registration: 'registered' as const,
        hasIp: true,
        signalNotKnown: null,
        simInUse: 'external' as const
      }
    })
    const limits = { signalPassDbm: -90, signalWarnDbm: -100 }
    expect([-90, -91, -100, -101].map((dBm) => findProblems({}, facts(dBm), 0, limits)[0]?.tone)).toEqual([
      undefined,
      'warn',
      'warn',
      'fail'
    ])
  })

  it('of the links are those that the core decided, whatever words the device uses', () => {
    const readings = { 'modem.information': liveReading('modem.information', { value: { SIM_STATE: 'LOADED' } }) }
    const facts = {
      modem: {
        signal: null,
        registration: 'searching' as const,
        hasIp: true,
        signalNotKnown: null,
        simInUse: 'external' as const
      }
    }
    expect(
      findProblems(
        readings,
        { ...facts, links: { power: 'ok', sim: 'ok', registration: 'unknown', address: 'ok', fix: 'unknown' } },
        0,
        null
      )
    ).toEqual([])
    expect(findProblems(readings, { ...facts, links: { sim: 'broken' } }, 0, null).map(({ id }) => id)).toEqual(['sim'])
  })

  it('that were not read are no problem, and a broken answer breaks nothing', () => {
    expect(findProblems({}, {}, 0, null)).toEqual([])
    for (const value of [null, [], 'x', 7, { ram: 3, cpu: null, coords: [] }]) {
      const readings = {
        'system.info': liveReading('system.info', { value: value as never }),
        'io.all': liveReading('io.all', { value: value as never })
      }
      expect(findProblems(readings, {}, 0, null)).toEqual([])
      expect(missingApps(value, ['a'])).toEqual([{ name: 'a', isInactive: false }])
    }
  })
})
