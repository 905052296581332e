import type { Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import type { LinesNews } from '../../preload/contract/device/lines.ts'
import { findBrokenRules } from './support/axe.ts'
import { callCore, expect, test, type Yard } from './support/fitter.ts'
import { settle } from '../looks/theatre.ts'
import { findFaintText, findUglyThings, resizeWindow } from './support/looks.ts'
import { prepareWorkplace } from './support/work.ts'

test.describe.configure({ timeout: 120_000 })

/** The lines of a simulated device on the screen, and its key. */
async function openLines(page: Page, yard: Yard): Promise<string> {
  await prepareWorkplace(page, yard)
  const { devices } = await callCore(page, 'discovery.watch', {})
  const key = devices.find(({ imei }) => imei === yard.device.imei)?.key ?? ''
  await page.evaluate((key) => (window.location.hash = `#/device/${encodeURIComponent(key)}/lines`), key)
  await expect(lanes(page)).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText(/readings? (per second|every)/)).toBeVisible({ timeout: 20_000 })
  return key
}

const lanes = (page: Page) => page.getByRole('region', { name: 'Lines and voltages' })
const chart = (page: Page) => page.getByRole('group', { name: /^19 lines over/ })
const output = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const story = (page: Page, key: string): Promise<LinesNews> => callCore(page, 'workspace.lines', { key })
const changesOf = ({ lines }: LinesNews, line: string) => lines.find(({ name }) => name === line)?.changes ?? []

/** Presses the switch of an input for a while; the story has both changes then. */
async function pulse(page: Page, yard: Yard, key: string, line: 'IN2' | 'IN3', atLeastMs: number): Promise<void> {
  const before = changesOf(await story(page, key), line).length
  yard.device.vehicle.setInput(line, true)
  await expect.poll(async () => changesOf(await story(page, key), line).length).toBe(before + 1)
  const onMs = changesOf(await story(page, key), line).at(-1)?.[0] ?? 0
  await expect.poll(async () => (await story(page, key)).nowMs - onMs).toBeGreaterThan(atLeastMs)
  yard.device.vehicle.setInput(line, false)
  await expect.poll(async () => changesOf(await story(page, key), line).length).toBe(before + 2)
}

/**
 * When IN2 came and went. Pressed again where this computer did not read the device all through it: that measures
 * nothing.
 */
async function wholePulse(page: Page, yard: Yard, key: string): Promise<[riseMs: number, fallMs: number]> {
  for (;;) {
    await pulse(page, yard, key, 'IN2', 1_200)
    const read = await story(page, key)
    const [riseMs = 0, fallMs = 0] = changesOf(read, 'IN2')
      .slice(-2)
      .map(([atMs]) => atMs)
    if (!read.gaps.some(([fromMs, untilMs]) => fromMs <= fallMs && untilMs >= riseMs)) return [riseMs, fallMs]
  }
}

test('lines are frozen, and two cursors moved by keys alone measure exactly the pulse that the vehicle made', async ({
  openFitter,
  simulate
}) => {
  const { page } = await openFitter()
  const yard = await simulate({ story: 'parked', seed: 4711 })
  const key = await openLines(page, yard)
  const [riseMs, fallMs] = await wholePulse(page, yard, key)
  await page.keyboard.press('f')
  await expect(page.getByRole('button', { name: 'Continue' })).toHaveAttribute('aria-pressed', 'true')

  // A to where the pulse begins, B to where it ends: from change to change.
  const time = (ms: number) => new Date(ms).toISOString().slice(17, 21)
  await page.keyboard.press('a')
  const goTo = async (name: string, atMs: number) => {
    const place = lanes(page)
      .locator('.place')
      .filter({ has: page.locator('i', { hasText: new RegExp(`^${name}$`) }) })
    // From a change on: the middle, where a cursor begins, is none.
    await page.keyboard.press(']')
    await page.keyboard.press('[')
    for (let tries = 0; tries < 60; tries++) {
      const text = (await place.innerText()).replace(',', '.')
      if (text.includes(`${time(atMs)}`) && text.includes('IN2')) return
      const [, minutes, seconds] = /\d\d:(\d\d):(\d\d\.\d)/.exec(text) ?? []
      // Within half an hour, in any time zone.
      const aheadS =
        ((((Number(minutes) * 60 + Number(seconds) - ((atMs / 1000) % 1_800) + 900) % 1_800) + 1_800) % 1_800) - 900
      await page.keyboard.press(aheadS > 0 ? '[' : ']')
    }
    throw new Error(`The cursor ${name} did not come to ${time(atMs)}.`)
  }
  await goTo('A', riseMs)
  await page.keyboard.press('b')
  await goTo('B', fallMs)
  await page.getByRole('combobox', { name: 'Line to measure pulses on' }).selectOption('IN2')
  const seconds = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 2 }).format(
    (fallMs - riseMs) / 1000
  )
  await expect(lanes(page).getByText(`${seconds} s apart`)).toBeVisible()
  await expect(
    lanes(page).getByText(new RegExp(`^1 pulse between A and B, shortest ${seconds.replace('.', '\\.')} s`))
  ).toBeVisible()

  // Arrows move the cursor that was chosen last, by less than a reading; Escape takes both away.
  await chart(page).press('ArrowRight')
  await expect(lanes(page).getByText(`${seconds} s apart`)).toBeHidden()
  await chart(page).press('Escape')
  await expect(lanes(page).locator('.place')).toHaveCount(0)
  await page.keyboard.press('f')
  await expect(page.getByRole('button', { name: 'Freeze' })).toHaveAttribute('aria-pressed', 'false')
})

test('what is exported is the story of the core, and a silence of the device is a gap in it', async ({
  openFitter,
  simulate
}) => {
  const { page } = await openFitter()
  const yard = await simulate({ story: 'parked', seed: 4711 })
  const key = await openLines(page, yard)
  await pulse(page, yard, key, 'IN2', 600)
  yard.device.setFault('hang', true, 'io.all')
  await expect(lanes(page).getByText(/^hatched: no reading for/)).toBeVisible({ timeout: 20_000 })
  yard.device.setFault('hang', false, 'io.all')
  await expect.poll(async () => (await story(page, key)).gaps.length, { timeout: 20_000 }).toBeGreaterThan(0)
  // The page hears of it later than the core: what was pressed behind the gap is on the screen before it stands still.
  await pulse(page, yard, key, 'IN3', 0)
  await expect(
    page.getByRole('table', { name: 'Lines and voltages now' }).getByRole('row', { name: 'IN3 off 2' })
  ).toBeAttached()
  await page.keyboard.press('f')
  const known = await story(page, key)
  const pressedMs = changesOf(known, 'IN3').at(-1)?.[0] ?? 0
  const knownGaps = known.gaps.filter(([, untilMs]) => untilMs < pressedMs)
  expect(knownGaps.length).toBeGreaterThan(0)

  const save = async (format: string) => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: format }).click()
    ])
    return readFileSync(await download.path())
  }
  const rows = (await save('Save readings (CSV)'))
    .toString('utf8')
    .trimEnd()
    .split('\r\n')
    .map((row) => row.split(','))
  const told = rows
    .filter(([, line, state]) => line === 'IN2' && state !== '')
    .map(([at = '', , state]) => [Date.parse(at), state === 'on'])
  expect(told).toEqual(changesOf(known, 'IN2'))
  const gaps = rows
    .filter(([, , state]) => state === 'no reading')
    .map(([at = '', , , , , until = '']) => [Date.parse(at), Date.parse(until)])
  expect(gaps.filter(([, untilMs = 0]) => untilMs < pressedMs)).toEqual(knownGaps)
  expect((await save('Save as picture (PNG)')).subarray(1, 4).toString('latin1')).toBe('PNG')

  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Show as a table' }).click()
  await expect(
    page.getByRole('table', { name: 'Changes in view, latest first' }).getByRole('row').filter({ hasText: 'IN2 on' })
  ).toHaveCount(1)
})

test(
  'an output goes on only after a hold with every condition met; with the keyboard alone it is refused in words, switched on, and off from another screen',
  { tag: '@daily' },
  async ({ openFitter, simulate }) => {
    const { page } = await openFitter()
    const yard = await simulate({ story: 'parked', seed: 4711 })
    await openLines(page, yard)
    const { vehicle } = yard.device
    vehicle.turnKey('on')
    vehicle.turnKey('crank')
    await expect(output(page, 'OUT1').getByText('Turn the engine off first.')).toBeVisible({ timeout: 20_000 })
    const hold = output(page, 'OUT1').getByRole('button', { name: /^Hold for .* to switch OUT1 on/ })
    await expect(hold).toHaveAttribute('aria-disabled', 'true')
    await hold.focus()
    await page.keyboard.down('Space')
    await expect(output(page, 'OUT1').getByRole('alert')).toHaveText('Turn the engine off first.')
    await page.keyboard.up('Space')
    expect(vehicle.state().outputs.OUT1).toBe(false)

    vehicle.turnKey('off')
    await expect(output(page, 'OUT1').getByText('All conditions')).toBeVisible({ timeout: 20_000 })
    // A condition that breaks meanwhile, such as a reading that is late, lets go of it.
    await expect(async () => {
      await expect(hold).toHaveAttribute('aria-disabled', 'false', { timeout: 20_000 })
      await hold.focus()
      await page.keyboard.down('Space')
      try {
        // On a busy computer the countdown may be over when it is looked for.
        const armed = output(page, 'OUT1')
          .getByText(/OUT1 switches on in/)
          .or(output(page, 'OUT1').getByRole('button', { name: 'Switch off OUT1' }))
        await expect(armed.first()).toBeVisible({ timeout: 10_000 })
      } finally {
        await page.keyboard.up('Space')
      }
    }).toPass({ timeout: 60_000 })
    await expect(output(page, 'OUT1').getByRole('button', { name: 'Switch off OUT1' })).toBeVisible({ timeout: 20_000 })
    await expect(output(page, 'OUT1').getByText(/If the connection drops, the output stays on/)).toBeVisible()
    expect(vehicle.state().outputs.OUT1).toBe(true)

    await page.evaluate(() => (window.location.hash = '#/settings'))
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await expect(page.getByRole('alert', { name: 'Outputs that may be on' })).toContainText('OUT1')
    // A row of its own between the strip and the screen: it covers neither.
    const [alarm, main, strip] = await Promise.all([
      page.getByRole('alert', { name: 'Outputs that may be on' }).boundingBox(),
      page.getByRole('main').boundingBox(),
      page.getByRole('banner').boundingBox()
    ])
    if (!alarm || !main || !strip) throw new Error('Something is not on the screen.')
    expect(alarm.y).toBeGreaterThanOrEqual(strip.y + strip.height)
    expect(main.y).toBeGreaterThanOrEqual(alarm.y + alarm.height)
    await page.keyboard.press('Control+.')
    await expect.poll(() => vehicle.state().outputs.OUT1).toBe(false)
    await expect(page.getByRole('alert', { name: 'Outputs that may be on' })).toBeHidden({ timeout: 20_000 })
  }
)

test('an output that somebody else switched on is named, and goes off with all others', async ({
  openFitter,
  simulate
}) => {
  const { page } = await openFitter()
  const yard = await simulate({ story: 'parked', seed: 4711 })
  await openLines(page, yard)
  yard.device.vehicle.setOutput('OUT3', true)
  await expect(output(page, 'OUT3').getByText(/^on for/)).toBeVisible({ timeout: 20_000 })
  await page.keyboard.press('Control+.')
  await expect.poll(() => yard.device.vehicle.state().outputs.OUT3).toBe(false)
  await expect(output(page, 'OUT3').getByText('off', { exact: true })).toBeVisible({ timeout: 20_000 })
})

test('every line is in sight at 1280 by 800, nothing is cut at any size, and no rule of accessibility is broken', async ({
  openFitter,
  simulate
}) => {
  const { page } = await openFitter()
  const yard = await simulate({ story: 'parked', seed: 4711 })
  await openLines(page, yard)
  yard.device.vehicle.setOutput('OUT2', true)
  await expect(output(page, 'OUT2').getByText(/^on for/)).toBeVisible({ timeout: 20_000 })
  const height = await page.evaluate(() =>
    [...document.querySelectorAll('.labels .lane')].map((row) => row.getBoundingClientRect().bottom)
  )
  expect(height).toHaveLength(19 + 4)
  expect(Math.max(...height)).toBeLessThan(800)
  const problems: string[] = []
  for (const language of ['en', 'es'] as const) {
    await callCore(page, 'settings.change', { language })
    await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' })
    for (const [width, size] of [
      [1280, 800],
      [1024, 640],
      [640, 400]
    ] as const) {
      await resizeWindow(page, { width, height: size })
      problems.push(...(await findUglyThings(page)).map((problem) => `${language} ${width}: ${problem}`))
    }
    await resizeWindow(page, { width: 1280, height: 800 })
  }
  for (const theme of ['light', 'dark', 'sunlight']) {
    await page.evaluate((theme) => (document.documentElement.dataset['theme'] = theme), theme)
    await settle(page)
    problems.push(...(await findFaintText(page)).map((problem) => `${theme}: ${problem}`))
  }
  problems.push(...(await findBrokenRules(page)))
  expect(problems).toEqual([])
})
