import { flushPromises } from '@vue/test-utils'
import { describe, expect, it, vi } from 'vitest'
import { goTo } from '../../../renderer/base/shell/router.ts'
import { createFakeBridge } from '../../world/window/fakes/fakeBridge.ts'
import { message, plainMessage } from '../../../preload/contract/messages.ts'
import * as data from '../../world/data/fakeData.ts'
import { core, made, openWindow, page, useFakeWindow } from '../../world/window/fakes/fakeWindow.ts'

async function open(own: Parameters<typeof createFakeBridge>[0] = {}): Promise<void> {
  await openWindow(own)
  goTo('devices')
  await flushPromises()
  await flushPromises()
}

const networks = () => page.get('section[aria-label="Networks of this computer"]')

function button(text: string) {
  // What only a screen reader reads follows without a space here.
  const bare = (words: string) => words.replace(/\s+/g, '')
  const found = page
    .findAll('button')
    .find((one) => bare(one.text() + (one.attributes('aria-label') ?? '')).includes(bare(text)))
  if (!found) throw new Error(`No button "${text}" in: ${page.text()}`)
  return found
}

useFakeWindow()

describe('the networks of this computer', () => {
  it('name the device whose hotspot this computer is on, and say of a router that it is none', async () => {
    await open()
    expect(networks().text()).toContain('This computer is on the hotspot of syrus4')
    expect(networks().text()).toContain('Bench')
    expect(networks().text()).toContain('Its router 10.0.0.1 is not a device.')
  })

  it('are swept only when asked, with progress, time left and a way to stop', async () => {
    await open()
    expect(made('discovery.sweep')).toEqual([])
    await button('Search this network eth0').trigger('click')
    await flushPromises()
    expect(made('discovery.sweep')).toEqual([{ card: '10.0.0.5' }])
    expect(networks().text()).toContain('0 of 253 addresses checked, 1:03 min left')
    expect(button('Search this network wlan0').attributes('disabled')).toBeDefined()
    core.emit('discovery.sweep', { ...data.sweep, asked: 127, found: 1, leftMs: 30_000 })
    await flushPromises()
    expect(networks().get('[role=progressbar]').attributes('aria-valuenow')).toBe('50')
    expect(networks().text()).toContain('127 of 253 addresses checked, 0:30 min left · 1 device found')
    await button('Stop the search').trigger('click')
    expect(made('discovery.stopSweep')).toHaveLength(1)
    core.emit('discovery.sweep', { ...data.sweep, asked: 130, found: 1, leftMs: 0, running: false, ended: 'stopped' })
    await flushPromises()
    expect(networks().text()).toContain('Stopped after 130 of 253 addresses · 1 device found')
    expect(button('Search this network eth0').attributes('disabled')).toBeUndefined()
  })

  it('show a sweep that was under way before the window opened', async () => {
    await open({ 'discovery.sweepState': () => ({ sweep: { ...data.sweep, asked: 25 } }) })
    expect(networks().text()).toContain('25 of 253 addresses checked')
  })
})

describe('a device', () => {
  const [first] = data.devices
  const tableWith = (more: object, changeNumber = 1) => ({
    devices: [{ ...first, ...more }] as typeof data.devices,
    gone: [],
    cards: [],
    lastHeardAt: null,
    changeNumber
  })

  it('that changed its address says from where to where, and that nothing has to be done', async () => {
    await open({ 'discovery.watch': () => tableWith({ addresses: ['192.168.4.1'] }) })
    expect(page.get('section[aria-label="Selected device"]').text()).not.toContain('changed')
    // A second address is no change.
    core.emit('discovery.changed', tableWith({ addresses: ['10.0.0.9', '192.168.4.1'] }, 2))
    await flushPromises()
    expect(page.get('section[aria-label="Selected device"]').text()).not.toContain('changed')
    core.emit('discovery.changed', tableWith({ addresses: ['10.0.0.10'] }, 3))
    await flushPromises()
    expect(page.get('section[aria-label="Selected device"]').text()).toContain(
      'The device’s address changed from 10.0.0.9 to 10.0.0.10'
    )
    expect(page.get('section[aria-label="Selected device"]').text()).toContain('nothing for you to do')
  })

  it.each(['impostor', 'wrongService', 'conflict', 'lost'] as const)('that is %s says what to do', async (standing) => {
    await open({
      'discovery.watch': () => tableWith({ standing, verified: false, detail: plainMessage('Why it is so.') })
    })
    expect(page.get('section[aria-label="Selected device"]').text()).toContain('Why it is so.')
    expect(page.get('section[aria-label="Selected device"]').text()).toContain('What to do:')
  })

  it('that is known from before and not here is shown apart, and looked for by its IMEI', async () => {
    await open({
      'discovery.findImei': () => ({
        kind: 'notHeard',
        detail: message('discovery.imeiNotHeard', { imei: '356938035643809' })
      })
    })
    const known = page.get('section[aria-label="Known, not found now"]')
    expect(known.findAll('li').map((item) => item.text())).toEqual([expect.stringContaining('Spare 3')])
    await known.get('button').trigger('click')
    await flushPromises()
    expect(made('discovery.findImei')).toEqual([{ imei: '356938035643809' }])
    expect(known.text()).toContain('No device with IMEI 356938035643809 answered')
  })

  it('is named and forgotten', async () => {
    await open()
    await button('Rename 356938035643809').trigger('click')
    await page.get('dialog input').setValue('Spare 4')
    await page.get('dialog form').trigger('submit')
    await flushPromises()
    expect(made('discovery.label')).toEqual([{ imei: '356938035643809', label: 'Spare 4' }])
    await button('Rename 356938035643809').trigger('click')
    await button('Forget this device').trigger('click')
    expect(made('discovery.forget')).toEqual([])
    await button('Forget device').trigger('click')
    expect(made('discovery.forget')).toEqual([{ imei: '356938035643809' }])
  })
})

describe('the self-test', () => {
  it('puts what needs a look first in its group, each with its remedy', async () => {
    await open()
    goTo('self-test')
    await flushPromises()
    const groups = page
      .findAll('section[aria-label]')
      .map((section) => [section.attributes('aria-label'), section.findAll('li > div > b').map((name) => name.text())])
    expect(groups).toEqual([
      ['Network', ['Network card eth0', 'Network card wlan0']],
      ['This computer', ['Data folder', 'Keychain']]
    ])
    expect(page.findAll('.remedy').map((remedy) => remedy.text())).toEqual([
      'What to do: Allow UDP port 5353 in both directions in this computer’s firewall.'
    ])
    expect(page.text()).toContain('2 working, 1 to check, 1 not checked')
  })

  it('checks one part again and leaves the others as they are', async () => {
    const disk = (freeBytes: number) =>
      ({
        name: plainMessage('Disk'),
        ok: true,
        detail: message('selfTest.diskFree', { freeBytes, usedBytes: 0 }),
        remedy: null,
        part: 'disk',
        group: 'computer'
      }) as const
    await open({
      'app.selfTest': ({ parts }) => ({
        findings: parts
          ? [disk(9e9)]
          : [
              disk(8e9),
              { name: plainMessage('Other'), ok: true, detail: plainMessage('Fine.'), remedy: null, part: 'data' }
            ]
      })
    })
    goTo('self-test')
    await flushPromises()
    expect(page.text()).toContain('8 GB free')
    await button('Check again: Disk').trigger('click')
    await flushPromises()
    expect(made('app.selfTest').at(-1)).toEqual({ parts: ['disk'] })
    expect(page.text()).toContain('9 GB free')
    expect(page.text()).not.toContain('8 GB free')
    expect(page.text()).toContain('Fine.')
  })

  it('says where each setting comes from, a company value with its line', async () => {
    await open()
    goTo('self-test')
    await flushPromises()
    const lines = page.findAll('aside[aria-label="Where settings come from"] li').map((line) => line.text())
    expect(lines).toEqual(['Gatewayhttps://gateway.example/apicompany, line 7', 'LanguageEnglishdefault value'])
  })

  it('claims nothing about what it did not test', async () => {
    await open()
    goTo('self-test')
    await flushPromises()
    expect(page.findAll('section .word').map((word) => word.text())).toEqual([
      'check this',
      'works',
      'works',
      'not checked'
    ])
  })
})

describe('a device that was typed by its address', () => {
  const typed = {
    ...data.devices[0]!,
    key: '10.9.1.7:8080',
    standing: 'answering',
    verified: false,
    via: 'address',
    signedIn: true
  } as const

  it('can be worked on once it said who it is to a person who signed in', async () => {
    // Its job is open: that one goes on.
    await open({ 'discovery.watch': () => ({ devices: [typed], cards: [], lastHeardAt: null, changeNumber: 1 }) })
    expect(() => button('Continue job')).not.toThrow()
    goTo('device', typed.key)
    await flushPromises()
    expect(button('Start a job').attributes('disabled')).toBeUndefined()
  })

  it('asks for the sign-in first', async () => {
    await open({
      'discovery.watch': () => ({
        devices: [{ ...typed, signedIn: false }],
        cards: [],
        lastHeardAt: null,
        changeNumber: 1
      })
    })
    expect(() => button('Sign in')).not.toThrow()
    expect(() => button('Start a job')).toThrow('No button')
  })
})

it('a device whose name was heard offers the sign-in on the start screen as in the list', async () => {
  const heard = { ...data.devices[2]!, standing: 'found' } as const
  await open({ 'discovery.watch': () => ({ devices: [heard], cards: [], lastHeardAt: null, changeNumber: 1 }) })
  expect(() => button(`Sign in ${heard.imei}`)).not.toThrow()
  goTo('start')
  await flushPromises()
  expect(() => button(`Sign in ${heard.imei}`)).not.toThrow()
})

describe('the strip', () => {
  it('names the device that the page shows, although the open job is about another one', async () => {
    await open()
    goTo('job', data.job.id)
    await flushPromises()
    await flushPromises()
    const strip = () => page.get('header .device').text()
    expect(strip()).toContain(data.job.device.imei.slice(-6))
    const other = data.devices.find(({ imei }) => imei !== null && imei !== data.job.device.imei)
    goTo('device', other?.key)
    await flushPromises()
    expect(strip()).toContain(other?.imei?.slice(-6))
    expect(strip()).not.toContain(data.job.device.imei.slice(-6))
  })
})

it('the device of a job that was just closed is not the one that is chosen next', async () => {
  const [first, second] = data.devices
  await open({
    'jobs.show': () => ({ ...data.job, state: 'done', device: { ...data.job.device, imei: first?.imei ?? '' } })
  })
  goTo('job', data.jobId)
  await flushPromises()
  await flushPromises()
  goTo('devices')
  await flushPromises()
  expect(page.find(`[data-key="${second?.key}"]`).classes()).toContain('chosen')
  expect(page.find(`[data-key="${first?.key}"]`).classes()).not.toContain('chosen')
})

describe('a label that was scanned', () => {
  async function scan(device: (typeof data.devices)[number] | undefined): Promise<string[]> {
    await open({ 'discovery.findImei': () => ({ kind: 'found', device: device as never }) })
    await button('Scan label').trigger('click')
    await flushPromises()
    await import('../../../renderer/device/devices/ScanDialog.vue')
    await flushPromises()
    await page.get('dialog input').setValue(device?.imei ?? '')
    await page.get('dialog form').trigger('submit')
    await flushPromises()
    await flushPromises()
    return page
      .findAll('dialog .actions > button')
      .map((one) => `${one.text()}${one.classes('primary') ? ' (first)' : ''}`)
  }

  it('leads to the sign-in first where nobody is signed in', async () => {
    expect(await scan(data.devices[2])).toEqual(['Close', 'Start a job', 'Sign in (first)'])
    await page
      .findAll('dialog button')
      .find((one) => one.text() === 'Sign in')
      ?.trigger('click')
    expect(page.findAll('dialog').map((one) => one.attributes('aria-label'))).toContain('Sign in to the device')
  })

  it('of a vehicle leads to a job for the vehicle with that VIN, and is not called a wrong IMEI', async () => {
    const vin = '1M8GDM9AXKP042788'
    const none = { kind: 'none' as const, detail: plainMessage('No IMEI in it.') }
    await open({
      'discovery.readLabel': () => none,
      'vehicles.search': ({ text }) =>
        data.vehicleList(text === vin ? [{ ...data.vehicleLines[0]!, id: 9, name: 'Unit 0009', vin }] : [])
    })
    await button('Scan label').trigger('click')
    await import('../../../renderer/device/devices/ScanDialog.vue')
    await flushPromises()
    const enter = async (text: string) => {
      await page.get('dialog input').setValue(text)
      await page.get('dialog form').trigger('submit')
      await flushPromises()
    }
    await enter(`VIN ${vin}`)
    expect(page.get('dialog').text()).toContain('Its check digit agrees.')
    expect(page.get('dialog').text()).not.toContain('No IMEI in it.')
    // Another code takes its place.
    await enter('8944100030123456789')
    expect(page.get('dialog').text()).toContain('No IMEI in it.')
    expect(page.get('dialog').text()).not.toContain('check digit')
    await enter(vin)
    await page
      .findAll('dialog .actions button')
      .find((one) => one.text() === 'Start a job')
      ?.trigger('click')
    await import('../../../renderer/job/run/NewJobDialog.vue')
    await vi.waitFor(() => expect(page.get('dialog').text()).toContain('Unit 0009'), 15_000)
  })

  it('leads to a job where the device is signed in, with its last six digits set apart', async () => {
    expect(await scan(data.devices[0])).toEqual(['Close', 'Start a job (first)'])
    expect(page.get('dialog .imei [aria-hidden]').text()).toBe('867698040023056')
    expect(
      page
        .findAll('dialog .imei b')
        .map((one) => one.text())
        .join('')
    ).toBe('023056')
  })
})
