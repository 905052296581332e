import type { Page } from '@playwright/test'
import { expect, test, type Fixtures } from './support/fitter.ts'
import { resizeWindow } from './support/looks.ts'
import {
  callCore,
  expectStep,
  holdButton,
  holdWithKeyboard,
  prepareWorkplace,
  runStep,
  sentence,
  showStep,
  stage,
  startJob
} from './support/work.ts'

test.describe.configure({ timeout: 300_000 })

const wide = { width: 1280, height: 800 }
const narrow = { width: 1024, height: 640 }

/** A job with an order whose starter relay is asked for by name, before its output is switched. */
async function beginOutput({ openFitter, simulate }: Pick<Fixtures, 'openFitter' | 'simulate'>, seed: number) {
  const yard = await simulate({ seed })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  const id = await startJob(page, yard, {
    items: [
      {
        kind: 'output',
        output: 'OUT1',
        name: { en: 'starter', es: 'arranque' },
        effectQuestion: { en: 'Did the starter relay click?', es: '¿Hizo clic el relé de arranque?' }
      } as never
    ]
  })
  await expectStep(page, 'Identity', 'passed')
  return { yard, page, id }
}

async function switchOn(page: Page): Promise<void> {
  await runStep(page, 'Output: starter')
  await expect(holdButton(page)).toBeEnabled({ timeout: 40_000 })
  await holdWithKeyboard(page)
  await expect(stage(page).getByRole('button', { name: 'Yes' })).toBeVisible({ timeout: 40_000 })
}

/** Whether each of these is whole between the top of the stage and its foot, without scrolling. */
async function outOfSight(page: Page, selectors: readonly string[]): Promise<string[]> {
  return page.evaluate((selectors) => {
    const foot = document.querySelector('.stage .foot')?.getBoundingClientRect().top ?? 0
    const top = document.querySelector('.stage .scroll')?.getBoundingClientRect().top ?? 0
    return selectors.filter((selector) => {
      const all = [...document.querySelectorAll(`.stage ${selector}`)].map((one) => one.getBoundingClientRect())
      return all.length === 0 || all.some((box) => box.height === 0 || box.top < top || box.bottom > foot)
    })
  }, selectors)
}

/** What is written with an end that is hidden. */
async function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.stage .scroll *, .stage .foot *, .job-line *')]
      .filter(
        (one) =>
          one.children.length === 0 && one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1 && one.textContent
      )
      .map((one) => one.textContent.trim())
  )
}

/** On each frame: the time left in each place, and the clock time of the automatic Off. */
async function watchTimes(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = {
      lefts: new Set<string>(),
      clocks: new Set<string>(),
      apart: new Set<string>(),
      off: new Set<string>()
    }
    Object.assign(window, { seen })
    const look = (): void => {
      const left = document.querySelector('.remain b')?.textContent.trim() ?? ''
      const clock = /\d\d:\d\d:\d\d/.exec(document.querySelector('.remain')?.textContent ?? '')?.[0] ?? ''
      const line = /\d:\d\d/.exec(document.querySelector('.job-line')?.textContent ?? '')?.[0] ?? ''
      if (/^\d:\d\d$/.test(left)) {
        seen.lefts.add(left)
        seen.clocks.add(clock)
        if (line !== left) seen.apart.add(`${left} and ${line}`)
        const [m = 0, s = 0] = left.split(':').map(Number)
        const [hour = 0, minute = 0, second = 0] = clock.split(':').map(Number)
        const now = new Date()
        const nowS = now.getHours() * 3600 + now.getMinutes() * 60 + now.getSeconds() + now.getMilliseconds() / 1000
        const off = hour * 3600 + minute * 60 + second - nowS - (m * 60 + s)
        // The screen is renewed four times a second.
        if (off < -1.6 || off > 0.1) seen.off.add(`${left} to ${clock} at ${now.toISOString()}`)
      }
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
}

async function timesSeen(page: Page) {
  return page.evaluate(() => {
    const { lefts, clocks, apart, off } = (window as unknown as { seen: Record<string, Set<string>> }).seen
    return { lefts: [...(lefts ?? [])], clocks: [...(clocks ?? [])], apart: [...(apart ?? [])], off: [...(off ?? [])] }
  })
}

test('an output that is on: the question of the order, one time left everywhere, the time of its Off, and ages', async ({
  openFitter,
  simulate
}) => {
  const { page, yard } = await beginOutput({ openFitter, simulate }, 94)
  await switchOn(page)
  await watchTimes(page)
  await resizeWindow(page, wide)

  // Off is the largest and the only filled control.
  const sizes = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.stage button')].map((one) => {
      const { width, height } = one.getBoundingClientRect()
      return { name: one.innerText, isOff: one.classList.contains('off'), area: width * height, width }
    })
  )
  expect(sizes.toSorted((a, b) => b.area - a.area)[0]).toMatchObject({ isOff: true, width: 208 })
  await expect(stage(page).locator('.primary')).toHaveCount(0)
  await expect(sentence(page)).toHaveText('Did the starter relay click?')

  // Each condition has its age and its witness.
  const ages = await stage(page).locator('.conditions li:not(.gone)').allInnerTexts()
  expect(ages.length).toBeGreaterThan(3)
  expect(ages.filter((text) => !/\d s ago$/.test(text.trim()))).toEqual([])
  await expect(stage(page).locator('.conditions li:not(.gone) [data-witness="device"]')).toHaveCount(ages.length)
  await expect(stage(page).locator('.confirmed')).toHaveText(/^OUT1 is on, confirmed \d(\.\d)? s ago$/)

  // What was measured before, beside what is expected now.
  await expect(stage(page).locator('.after')).toContainText(/Before: ignition (on|off), engine off/)
  await expect(stage(page).locator('.seen')).toContainText('live')
  await expect(stage(page).locator('.lane-texts b').first()).toHaveText('OUT1')
  expect(
    await outOfSight(page, ['.say', '.off', '.remain', '.answers', '.conditions', '.phases', '.after', '.seen'])
  ).toEqual([])
  await resizeWindow(page, narrow)
  expect(await outOfSight(page, ['.say', '.off', '.remain', '.answers', '.conditions', '.after'])).toEqual([])
  expect(await cutTexts(page)).toEqual([])

  // At 200 % zoom neither is scrolled to.
  await resizeWindow(page, { width: 640, height: 400 })
  for (const what of ['.say', '.off', '.remain', '.answers']) {
    const box = await stage(page).locator(what).first().boundingBox()
    expect([what, (box?.y ?? 0) > 0, (box?.y ?? 0) + (box?.height ?? 0) <= 400]).toEqual([what, true, true])
  }
  expect((await stage(page).locator('.off').boundingBox())?.width).toBeGreaterThanOrEqual(180)
  await resizeWindow(page, narrow)

  // Nothing but the answer and Off leads away.
  await expect(stage(page).locator('.foot button:enabled')).toHaveCount(0)
  await page.keyboard.press('n')
  await page.keyboard.press('s')
  await expect(sentence(page)).toHaveText('Did the starter relay click?')

  await expect.poll(async () => (await timesSeen(page)).lefts.length, { timeout: 20_000 }).toBeGreaterThan(4)
  expect(await timesSeen(page)).toMatchObject({ apart: [], off: [] })
  expect((await timesSeen(page)).clocks).toHaveLength(1)

  await callCore(page, 'settings.change', { language: 'es' })
  await expect(page.locator('.stage h2').first()).toHaveText('¿Hizo clic el relé de arranque?')
  const words = await page.locator('.stage').locator('.conditions li:not(.gone)').allInnerTexts()
  expect(words.filter((text) => !/hace \d+(,\d)? s$/.test(text.trim()))).toEqual([])
  expect(await cutTexts(page)).toEqual([])
  expect(await outOfSight(page, ['.say', '.off', '.remain', '.answers', '.conditions', '.after'])).toEqual([])
  const off = await page.locator('.stage').locator('.off').boundingBox()
  expect([off?.width, off?.height]).toEqual([208, 208])
  await page.locator('.stage').getByRole('button', { name: 'Sí' }).click()
  await expect.poll(() => yard.device.vehicle.state().outputs.OUT1).toBe(false)
})

test('an output whose device is lost: the fact, Off at its pixel, what Fitter does, and the word of a person', async ({
  openFitter,
  simulate
}) => {
  const { page, yard } = await beginOutput({ openFitter, simulate }, 95)
  await switchOn(page)
  await resizeWindow(page, wide)
  const off = stage(page).locator('.off')
  const place = await off.boundingBox()
  yard.device.setFault('hang', true)
  const line = page.locator('.job-line, .alarm.line .head')
  await expect(line).toContainText(/The device stopped answering \d+ s ago, and OUT1 was on\./, { timeout: 10_000 })
  await expect(line).toHaveCount(1)

  // The fact is the headline, and it is nobody's turn.
  await expect(sentence(page)).toHaveText('OUT1 may still be on. Stay at the vehicle.')
  await expect(stage(page).getByText('your turn')).toHaveCount(0)
  await expect(stage(page).locator('.top.note')).toContainText(/Last (read on, |answer )\d+ s ago/)
  await expect(page.locator('.steps [aria-current]')).toContainText('no answer')
  expect(await off.boundingBox()).toEqual(place)

  // Every value of the device is grey, unknown, and has its age.
  const rows = await stage(page).locator('.conditions li:not(.gone)').allInnerTexts()
  expect(rows.filter((text) => !/\d s ago$/.test(text.trim()))).toEqual([])
  await expect(stage(page).locator('.conditions li:not(.gone) [data-shape="unknown"]')).toHaveCount(rows.length)
  expect((await stage(page).locator('.lane-texts.values b').allInnerTexts()).filter((on) => !on.endsWith('?'))).toEqual(
    []
  )
  await expect(stage(page).locator('.answers button:enabled')).toHaveCount(0)
  await expect(stage(page).locator('.after li')).toHaveText([
    'Pull the relay’s fuse.',
    'Stay near.',
    'Check the relay.'
  ])
  expect(await cutTexts(page)).toEqual([])

  // What Fitter does: since when, how often, and within which time again.
  const checked = stage(page).getByRole('button', { name: 'I checked: it is off' })
  await expect(stage(page).locator('.foot')).toContainText(/Off is sent again at least every \d+ s/, {
    timeout: 20_000
  })
  await expect(page.locator('.facts')).toContainText(/Tries\s*\d+\s*Last try/)
  await expect(checked).toBeEnabled()

  // The step gives up waiting for the proof; Off and what Fitter does stay.
  await expectStep(page, 'Output: starter', 'failed', 60_000)
  await expect(sentence(page)).toHaveText('OUT1 may still be on. Stay at the vehicle.')
  expect(await off.boundingBox()).toEqual(place)
  await resizeWindow(page, narrow)
  expect(await outOfSight(page, ['.say', '.off', '.remain', '.after'])).toEqual([])
  expect(await cutTexts(page)).toEqual([])
  await callCore(page, 'settings.change', { language: 'es' })
  await expect(page.locator('.stage h2').first()).toHaveText('OUT1 puede seguir activa. No deje el vehículo.')
  expect(await outOfSight(page, ['.say', '.off', '.remain', '.after'])).toEqual([])
  expect(await cutTexts(page)).toEqual([])
  await callCore(page, 'settings.change', { language: 'en' })

  // A press is not the word of a person: the button is held, and the reason is asked for.
  await checked.click()
  expect((await callCore(page, 'outputs.ledger', {})).outputs).toHaveLength(1)
  await checked.hover()
  await page.mouse.down()
  await stage(page).getByRole('button', { name: 'I pulled the relay’s fuse' }).waitFor()
  await page.mouse.up()
  expect(await off.isVisible()).toBe(true)
  await stage(page).getByRole('button', { name: 'I pulled the relay’s fuse' }).click()
  await expect(off).toHaveCount(0)
  expect((await callCore(page, 'outputs.ledger', {})).outputs).toEqual([])
})

test('a step that waits: one number of seconds, what is met with its age, what follows, and at zero it starts', async ({
  openFitter,
  simulate
}) => {
  const yard = await simulate({ seed: 96 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  await callCore(page, 'settings.change', { profile: 'standard' })
  const step = (id: string, kind: string, en: string, es: string) => ({
    id,
    kind,
    title: { en, es },
    instruction: { en, es }
  })
  const steps = [
    step('identity', 'identity', 'Identity', 'Identidad'),
    step('external-power', 'externalPower', 'External power', 'Alimentación externa'),
    { ...step('output-1', 'output', 'Output 1', 'Salida 1'), engineOff: true },
    step('alignment', 'alignment', 'Auto-alignment', 'Alineación automática'),
    step('sign-off', 'signOff', 'Sign-off', 'Firma')
  ]
  const text = { en: 'Relay only', es: 'Solo relé' }
  const template = { id: 'relay-only', version: 1, name: text, kind: 'installation', description: text, steps }
  expect(await callCore(page, 'templates.import', { text: JSON.stringify(template) })).toMatchObject({ findings: [] })
  await startJob(page, yard, { templateId: 'relay-only' })
  await expectStep(page, 'Identity', 'passed')
  await showStep(page, 'Output 1')
  await expect(sentence(page)).toHaveText('Output 1 starts when the supply is confirmed.', { timeout: 20_000 })
  await resizeWindow(page, wide)

  await page.evaluate(() => {
    const seen = { seconds: new Set<string>(), apart: new Set<string>() }
    Object.assign(window, { seen })
    const look = (): void => {
      const ring = /^\d+/.exec(document.querySelector('[role=timer]')?.textContent.trim() ?? '')?.[0]
      const list = /(?:in|en) (\d+) s/.exec(document.querySelector('.steps [aria-current]')?.textContent ?? '')?.[1]
      const line = /(?:in|en) (\d+) s/.exec(document.querySelector('.job-line')?.textContent ?? '')?.[1]
      if (ring !== undefined) {
        seen.seconds.add(ring)
        // A strip of steps has no room for it.
        if (ring !== line || (list !== undefined && ring !== list))
          seen.apart.add(`${ring}, ${list ?? ''}, ${line ?? ''}`)
      }
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  const met = await stage(page).locator('.wait li').allInnerTexts()
  expect(met).toHaveLength(4)
  expect(met.slice(1).filter((one) => !/\d s ago$/.test(one.trim()))).toEqual([])
  await expect(stage(page).locator('.follows li')).toHaveText([
    /Auto-alignment.*after Output 1/,
    /Sign-off.*after the rest/
  ])
  const now = stage(page).getByRole('button', { name: 'Start now' })
  await expect(now).toBeEnabled()
  await expect(stage(page).locator('.primary')).toHaveCount(0)
  await expect(stage(page).locator('.now')).toContainText('External power then fails if the supply drops')
  expect(await outOfSight(page, ['.say', '.ring', '.now button', '.follows'])).toEqual([])
  await resizeWindow(page, narrow)
  expect(await outOfSight(page, ['.say', '.ring', '.now button'])).toEqual([])
  await callCore(page, 'settings.change', { language: 'es' })
  await expect(page.locator('.stage h2').first()).toHaveText(
    'Salida 1 comienza cuando la alimentación esté confirmada.'
  )
  expect(await cutTexts(page)).toEqual([])
  await callCore(page, 'settings.change', { language: 'en' })

  await expectStep(page, 'Output 1', 'running', 90_000)
  const { seconds, apart } = await page.evaluate(() => {
    const seen = (window as unknown as { seen: { seconds: Set<string>; apart: Set<string> } }).seen
    return { seconds: seen.seconds.size, apart: [...seen.apart] }
  })
  expect(seconds).toBeGreaterThan(10)
  expect(apart).toEqual([])
})
