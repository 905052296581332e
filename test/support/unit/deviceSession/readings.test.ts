import type { Json } from '../../../../preload/contract/define.ts'
import { message, plainMessage } from '../../../../preload/contract/messages.ts'
import { describe, expect, it } from 'vitest'
import { cutsLink, findLink, linkEffects, type Link } from '../../../../main/support/deviceSession/link.ts'
import { readFacts } from '../../../../main/support/deviceSession/readFacts.ts'
import { diagnosisLimits } from '../../../../main/support/diagnosis/limits.ts'
import { loadShipped } from '../../../../main/job/jobs/checklists/shipped.ts'
import { sourceResourcesFolder } from '../../../../main/app/core.ts'
import { planNextRound } from '../../../../main/support/deviceSession/liveReading.ts'
import { mergeNetworks } from '../../../../main/support/deviceSession/networks.ts'
import type { DeviceClient } from '../../../../main/device/client/client.ts'
import { readUpdateMessage } from '../../../../main/device/client/updateMessage.ts'

describe('The next round of live readings', () => {
  it.each([
    ['a quick device keeps the beat', { tookMs: 120, silentRounds: 0 }, { nextInMs: 880, isSlow: false }],
    ['a device that just keeps up is not slow', { tookMs: 700, silentRounds: 0 }, { nextInMs: 300, isSlow: false }],
    [
      'a slow one is asked every three times its response time',
      { tookMs: 1_100, silentRounds: 0 },
      { nextInMs: 3_300, isSlow: true }
    ],
    ['a silent one less and less', { tookMs: 5_000, silentRounds: 3 }, { nextInMs: 8_000, isSlow: true }],
    ['but every 15 s', { tookMs: 5_000, silentRounds: 400 }, { nextInMs: 15_000, isSlow: true }]
  ])('%s', (_what, round, next) => {
    expect(planNextRound({ everyMs: 1_000, ...round })).toEqual(next)
  })

  it('never comes without a pause', () => {
    expect(planNextRound({ tookMs: 690, everyMs: 500, silentRounds: 0 }).nextInMs).toBe(50)
  })
})

describe('Networks of a scan', () => {
  it('are merged by name with their strongest signal, strongest first, hidden ones last', () => {
    const heard = [
      { ssid: '', signal: -30, auth: 'WPA2-PSK' },
      { ssid: 'Yard', signal: -80, auth: 'WPA2-PSK' },
      { ssid: 'Guests', signal: -60, auth: 'None' },
      { ssid: 'Yard', signal: -50, auth: 'WPA2-PSK' },
      { ssid: '\0\0\0', signal: -90, auth: 'None' },
      { ssid: 'Odd' }
    ]
    expect(mergeNetworks(heard, ['Yard'])).toEqual([
      { ssid: 'Yard', signalDbm: -50, auth: 'WPA2-PSK', heard: 2, isSaved: true },
      { ssid: 'Guests', signalDbm: -60, auth: 'None', heard: 1, isSaved: false },
      { ssid: 'Odd', signalDbm: null, auth: '', heard: 1, isSaved: false },
      { ssid: '', signalDbm: -30, auth: 'WPA2-PSK', heard: 2, isSaved: false }
    ])
  })
})

describe('The answer of an update check', () => {
  it.each([
    [{ mess: 'Up To Date' }, 'upToDate'],
    [{ mess: 'Update available' }, 'available'],
    [{ mess: 'Update in progress. This will take a few minutes' }, 'inProgress'],
    [{ mess: 'Successfully updated. Device will be restarted in any moment' }, 'updated'],
    [{ error: 'Error getting file. Try again' }, 'failed'],
    [{ mess: 'Something new' }, 'other'],
    [{}, 'other'],
    [null, 'other'],
    ['x', 'other']
  ])('%j is %s', (value, state) => {
    expect(readUpdateMessage(value).state).toBe(state)
  })
})

describe('Our own link', () => {
  const reading = (value: unknown) => () => Promise.resolve({ value })
  const device = {
    eth: { state: reading({ state: 'Enabled', ip: '10.0.0.5' }) },
    wifi: { state: reading({ state: 'Completed', ip: '192.168.1.9', ssid: 'Yard' }) },
    hotspot: { state: reading({ state: 'Enabled' }) }
  } as unknown as DeviceClient
  const over = async (address: string) => (await findLink({ address, device }, {})).over

  it('is told by comparing the address that is used with those of the device', async () => {
    expect(await over('10.0.0.5:8080')).toBe('ethernet')
    expect(await over('192.168.1.9:8080')).toBe('wifi')
    expect(await over('192.168.4.1:8080')).toBe('hotspot')
    expect(await over('[fe80::1%eth0]:8080')).toBe('hotspot')
    expect(await over('unit.local:8080')).toBe('unknown')
  })

  it('is warned about only where the change can cut it', () => {
    const link = (way: Link['over']): Link => ({ address: 'x', over: way, detail: plainMessage('d') })
    expect(cutsLink({ operation: 'wifi.stop' }, link('ethernet'))).toBeUndefined()
    expect(cutsLink({ operation: 'wifi.stop' }, link('wifi'))?.wayBack).toEqual(message('workspace.backWifi'))
    expect(cutsLink({ operation: 'wifi.stop' }, link('unknown'))).toBeDefined()
    expect(cutsLink({ operation: 'hotspot.stop' }, link('hotspot'))?.wayBack).toEqual(message('workspace.backHotspot'))
    expect(cutsLink({ operation: 'hotspot.edit', name: 'a', password: 'b' }, link('wifi'))).toBeUndefined()
    for (const [over, cut] of [
      ['hotspot', undefined],
      ['ethernet', undefined],
      ['wifi', 'workspace.cuts'],
      ['unknown', 'workspace.mayCut']
    ] as const)
      expect(cutsLink({ operation: 'hotspot.start' }, link(over))?.detail.id).toBe(cut)
    expect(cutsLink({ operation: 'hotspot.start' }, link('wifi'))?.wayBack).toEqual(
      message('workspace.backJoinHotspot')
    )
  })
})

describe('The changes that affect our own link', () => {
  it('are known before one is made, each with the way to reconnect', () => {
    const of = (over: Link['over']) => linkEffects({ address: 'x', over, detail: plainMessage('d') })
    expect(of('ethernet')).toEqual({})
    expect(of('wifi')).toMatchObject({
      'wifi.stop': message('workspace.backWifi'),
      'wifi.reset': message('workspace.backByItself'),
      'wifi.remove': message('workspace.backNetwork'),
      'hotspot.start': message('workspace.backJoinHotspot')
    })
    expect(Object.keys(of('hotspot'))).toEqual(['hotspot.stop', 'hotspot.edit'])
    expect(Object.keys(of('unknown'))).toEqual([
      'wifi.stop',
      'wifi.reset',
      'hotspot.start',
      'hotspot.stop',
      'hotspot.edit'
    ])
  })
})

describe('The links of a device, as its screens draw them,', () => {
  const limits = diagnosisLimits(loadShipped(sourceResourcesFolder).standardProfile)
  const reading = (value: Json) => ({
    value,
    raw: value,
    problems: [],
    readAt: '2026-11-20T09:00:00.000Z',
    elapsedMs: 5,
    failure: null
  })
  const linksOf = (readings: Parameters<typeof readFacts>[0]) =>
    readFacts(readings, Date.parse('2026-11-20T09:00:00.000Z'), limits).links

  it('are judged by the rules of the chain: a card called LOADED works, one with a blocked PIN2 as well', () => {
    for (const state of ['READY', 'LOADED', 'READY, PIN2 BLOCKED']) {
      expect(
        linksOf({ 'modem.information': reading({ SIM_STATE: state, GSM_REG: 'home network', IP: '10.0.0.7' }) })
      ).toMatchObject({ sim: 'ok', address: 'ok' })
    }
    expect(linksOf({ 'modem.information': reading({ SIM_STATE: 'ABSENT', IP: '' }) })).toMatchObject({
      sim: 'broken',
      address: 'broken'
    })
  })

  it('are told for what was read alone, and a receiver that has just started accuses nobody', () => {
    expect(linksOf({ 'io.all': reading({ PWR: false }) })).toEqual({ power: 'broken' })
    const position = reading({ coords: {}, extras: { fix: 0 } })
    expect(linksOf({ 'gps.position': position })).toEqual({ fix: 'broken' })
    expect(linksOf({ 'gps.position': position, 'system.info': reading({ uptime: 5 }) })).toEqual({ fix: 'unknown' })
  })
})
