import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '../../bin/build.ts'
import { findBrokenRules } from './support/axe.ts'
import { callCore, expect, test } from './support/fitter.ts'
import { prepareWorkplace } from './support/work.ts'

const contents = JSON.parse(readFileSync(join(projectFolder, 'docs/guide/contents.json'), 'utf8')) as {
  sections: { pages: string[] }[]
  screens: Record<string, { page: string; part: string }>
}

test('help opens about the screen, is searched, followed and left without a network', async ({ openFitter }) => {
  const { page } = await openFitter()
  const title = page.locator('article h1')
  await page.evaluate(() => (window.location.hash = '#/vehicles'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Vehicles')
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await expect(title).toHaveText('Vehicles')
  await expect(page.getByText('Opened from Vehicles')).toBeVisible()
  await expect(page.getByRole('complementary').getByText('Since when')).toBeVisible()

  // A word with a typing error finds the page; Enter opens the first hit.
  await page.keyboard.press('/')
  await page.keyboard.type('antena')
  await expect(
    page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'No position' })
  ).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(title).toHaveText(/^(No position|Position)$/)
  await page.getByRole('searchbox', { name: 'Search help' }).fill('')

  await page
    .getByRole('navigation', { name: 'Contents' })
    .getByRole('link', { name: 'Find out why a vehicle does not report' })
    .click()
  await page.getByRole('article').getByRole('link', { name: 'No power' }).click()
  await expect(title).toHaveText('No power')
  expect(await findBrokenRules(page)).toEqual([])
  await page.getByRole('link', { name: 'Open Diagnose' }).click()
  await expect.poll(() => page.evaluate(() => window.location.hash)).toBe('#/diagnose')
  await page.evaluate(() => (window.location.hash = '#/help/no-such-page'))
  await expect(page.getByText('This page does not exist.')).toBeVisible()
})

test('help that is opened from a job is about the step on its stage', async ({ openFitter, simulate }) => {
  const yard = await simulate({ seed: 92 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  const made = await callCore(page, 'jobs.create', {
    templateId: 'standard-installation',
    deviceKey: yard.device.imei,
    vehicleText: yard.plate,
    customer: 'Customer One',
    scannedImei: yard.device.imei
  })
  if (made.outcome !== 'created') throw new Error(made.outcome)
  await page.evaluate((hash) => (window.location.hash = hash), `#/job/${made.id}`)
  await page.getByRole('list').getByText('Ignition').first().click()
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await expect(page.locator('article h1')).toHaveText('Ignition')
  await expect(page.getByText('Opened from Job')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(yard.plate)
})

test('help that is opened from the statistics explains them and leads back', async ({ openFitter }) => {
  const { page } = await openFitter()
  await page.evaluate(() => (window.location.hash = '#/numbers'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Statistics')
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await expect(page.locator('article h1')).toHaveText('Statistics')
  await expect(page.getByText('Opened from Statistics')).toBeVisible()
  await page.getByRole('link', { name: 'Open Statistics' }).click()
  await expect.poll(() => page.evaluate(() => window.location.hash)).toBe('#/numbers')
})

test('every page of the guide is shown with its pictures, in both languages', async ({ openFitter }) => {
  const { page } = await openFitter()
  for (const language of ['en', 'es'] as const) {
    await callCore(page, 'settings.change', { language })
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    for (const id of contents.sections.flatMap(({ pages }) => pages)) {
      await page.evaluate((hash) => (window.location.hash = hash), `#/help/${id}`)
      const heading =
        /^# (.+)$/m.exec(readFileSync(join(projectFolder, `docs/guide/${language}/${id}.md`), 'utf8'))?.[1] ?? ''
      await expect(page.locator('article h1')).toHaveText(heading)
      await expect
        .poll(() =>
          page
            .locator('article img')
            .evaluateAll((all) => all.every((one) => (one as HTMLImageElement).naturalWidth > 100))
        )
        .toBe(true)
    }
  }
})

test('the long examples of help are as wide as their page, and no wider', async ({ openFitter }) => {
  const { page } = await openFitter()
  await page.setViewportSize({ width: 1024, height: 640 })
  for (const id of ['own-checklist', 'policy']) {
    await page.evaluate((hash) => (window.location.hash = hash), `#/help/${id}`)
    const article = page.locator('article', { has: page.locator('pre') })
    await expect(article.locator('pre')).toBeVisible()
    expect(await article.evaluate((shown) => shown.scrollWidth - shown.clientWidth), id).toBe(0)
    expect(await findBrokenRules(page)).toEqual([])
  }
})
