import { AxeBuilder } from '@axe-core/playwright'
import type { Page, TestInfo } from '@playwright/test'
import { expect, test, type Yard } from './support/fitter.ts'
import { findFaintText, findUglyThings } from './support/looks.ts'
import { callCore, expectStep, holdButton, keepPicture, prepareWorkplace, runStep, showStep, startJob } from './support/work.ts'

test.describe.configure({ timeout: 150_000 })

const sizes = [
  { name: '1024', width: 1024, height: 640 },
  { name: '1280', width: 1280, height: 800 },
  { name: '1920', width: 1920, height: 1080 },
  { name: '2560', width: 2560, height: 1440 },
  // 200 % zoom gives a page half as many pixels of its own.
  { name: '1280-at-200-percent', width: 640, height: 400 }
] as const

interface Scene {
  name: string
  open(page: Page): Promise<void>
}

function place(hash: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.evaluate((hash) => (window.location.hash = hash), hash)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  }
}

/** A job with every kind of state in its checklist, and an output that waits to be armed. */
async function prepareScenes(page: Page, yard: Yard): Promise<Scene[]> {
  // A colour on its way to another one is no colour to be judged.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await prepareWorkplace(page, yard)
  const id = await startJob(page, yard, { vehicle: yard.plate })
  await expectStep(page, 'Identity', 'passed')
  await callCore(page, 'jobs.waive', { id, stepId: 'ignition', reason: 'Electric vehicle without a key' })
  await runStep(page, 'Output 1')
  await holdButton(page).waitFor()
  const job = place(`#/job/${id}`)
  const step = (nth: number) => async (page: Page) => {
    await job(page)
    await page.locator('section.steps li button').nth(nth).click()
  }
  return [
    { name: 'start', open: place('#/start') },
    { name: 'devices', open: place('#/devices') },
    { name: 'device', open: place(`#/device/${yard.device.imei}`) },
    { name: 'self-test', open: place('#/self-test') },
    { name: 'job-passed', open: step(3) },
    { name: 'job-skipped', open: step(2) },
    { name: 'job-inputs', open: step(7) },
    { name: 'job-arm', open: step(8) },
    { name: 'log', open: place('#/jobs') },
    { name: 'waiting', open: place('#/waiting') },
    { name: 'settings', open: place('#/settings') }
  ]
}

async function look(page: Page, scene: Scene, name: string, testInfo: TestInfo): Promise<string[]> {
  await page.evaluate(() => document.fonts.ready)
  const problems = [...(await findUglyThings(page)), ...(await findFaintText(page))]
  // Of every screen one picture a language and theme, of those that matter most all.
  if (/-1280$|^(dark|sunlight)$/.test(name) || scene.name === 'job-arm' || problems.length > 0) await keepPicture(page, testInfo, `${scene.name}-${name}`)
  return problems.map((problem) => `${scene.name} (${name}): ${problem}`)
}

test('on every screen nothing is cut or faint from 1024x640 to 2560x1440 and at 200 % zoom, in English and Spanish', async ({ openFitter, simulate }, testInfo) => {
  const yard = await simulate({ seed: 51 })
  const { page } = await openFitter()
  const scenes = await prepareScenes(page, yard)
  const problems: string[] = []
  for (const language of ['en', 'es'] as const) {
    await callCore(page, 'settings.change', { language })
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    for (const scene of scenes) {
      await scene.open(page)
      // Spanish words are longer: where it fits in the narrowest windows, it fits.
      for (const { name, width, height } of language === 'en' ? sizes : sizes.filter(({ width }) => width <= 1280)) {
        await page.setViewportSize({ width, height })
        problems.push(...(await look(page, scene, `${language}-${name}`, testInfo)))
      }
    }
  }
  expect(problems).toEqual([])
})

test('no screen breaks a rule of accessibility in any theme: names, roles, contrast of 4.5 to 1', async ({ openFitter, simulate }, testInfo) => {
  const yard = await simulate({ seed: 52 })
  const { page } = await openFitter()
  const scenes = await prepareScenes(page, yard)
  const problems: string[] = []
  for (const theme of ['light', 'dark', 'sunlight'] as const) {
    await callCore(page, 'settings.change', { theme })
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    for (const scene of scenes) {
      await scene.open(page)
      problems.push(...(await look(page, scene, theme, testInfo)))
      // Names and roles are the same in every theme.
      if (theme !== 'light') continue
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']).analyze()
      for (const violation of violations) {
        for (const node of violation.nodes) problems.push(`${scene.name} (${theme}): ${violation.id}, ${violation.help}: ${node.html.slice(0, 160)} ${node.failureSummary?.split('\n').at(1)?.trim() ?? ''}`)
      }
    }
  }
  expect(problems).toEqual([])
})

test('nothing moves for a person who asked for less motion', async ({ openFitter, simulate }) => {
  const yard = await simulate({ seed: 53 })
  const { page } = await openFitter()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await prepareWorkplace(page, yard)
  await startJob(page, yard)
  await expectStep(page, 'Ignition', 'running')
  await showStep(page, 'Ignition')
  expect(await page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length)).toBe(0)
})
