import type { Page } from '@playwright/test'
import { feedContent, startFeedServer, type FeedServer } from '../world/gateway/updateFeed.ts'
import { findBrokenRules } from './support/axe.ts'
import { expect, test } from './support/fitter.ts'
import { callCore, prepareWorkplace, startJob } from './support/work.ts'

test.describe.configure({ timeout: 120_000 })

let server: FeedServer
test.beforeEach(async () => {
  server = await startFeedServer({ isSecure: false })
})
test.afterEach(() => server.stop())

async function openFromSettings(page: Page): Promise<void> {
  await page.evaluate(() => (window.location.hash = '#/settings/about'))
  await page.getByRole('region', { name: 'This Fitter' }).getByRole('button', { name: 'Show', exact: true }).click()
}

/** A Fitter 2.4.0 that could install a package. What it would install is in `prepared`. */
function installation(prepared: string[] = []) {
  return {
    installed: '2.4.0',
    source: server.source,
    notByItself: null,
    installer: {
      prepare: ({ version }: { version: string }) => Promise.resolve(void prepared.push(version)),
      installNow: () => Promise.resolve()
    }
  }
}

test('an update is found, downloaded when asked, waits for a job, and is installed only after a press', async ({
  openFitter,
  simulate
}) => {
  const yard = await simulate()
  const prepared: string[] = []
  const { page } = await openFitter('real', installation(prepared))
  await prepareWorkplace(page, yard)
  await openFromSettings(page)
  const panel = page.getByRole('dialog', { name: 'Fitter update' })
  await panel.getByRole('button', { name: 'Check now' }).click()
  await expect(panel.getByRole('heading', { name: 'Fitter 2.5.0 is available' })).toBeVisible()
  await expect(panel.getByText('Ignition step recognises hybrid vehicles.')).toBeVisible()
  await expect(panel.getByText('Fitter Software S.A.S.')).toBeVisible()
  await panel.getByRole('button', { name: 'Download' }).click()
  await expect(panel.getByText('Downloaded, signature checked')).toBeVisible()
  await expect(panel.getByRole('heading', { name: 'Fitter 2.5.0 is ready' })).toBeVisible()
  expect((await panel.boundingBox())?.width).toBe(400)
  expect(await findBrokenRules(page)).toEqual([])
  await page.keyboard.press('Escape')

  const job = await startJob(page, yard)
  const notices = page.getByRole('banner').getByRole('button', { name: /^Notifications/ })
  await notices.click()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Fitter 2.5.0 is ready' })
    .getByRole('button', { name: 'Show', exact: true })
    .click()
  await expect(panel.getByRole('heading', { name: 'Fitter 2.5.0 has to wait' })).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Install when I quit' })).toBeDisabled()
  expect(await findBrokenRules(page)).toEqual([])
  const reason = panel.getByRole('listitem').filter({ hasText: 'A job is running' })
  await openFromSettings(page)
  await reason.getByRole('button', { name: 'Go to job' }).click()
  await expect(panel).toBeHidden()
  expect(page.url()).toContain(`#/job/${job}`)

  await openFromSettings(page)
  await expect(panel.getByText('Not now', { exact: true })).toBeVisible()
  await callCore(page, 'jobs.pause', { id: job })
  await expect(panel.getByRole('heading', { name: 'Fitter 2.5.0 is ready' })).toBeVisible()
  expect(prepared).toEqual([])
  await panel.getByRole('button', { name: 'Install when I quit' }).click()
  await expect(panel.getByText('Installs when you quit')).toBeVisible()
  expect(prepared).toEqual(['2.5.0'])
  await panel.getByRole('button', { name: 'Do not install' }).click()
  await expect(panel).toBeHidden()
})

test('a feed that cannot be trusted says why, and nothing is downloaded', async ({ openFitter }) => {
  server.publish(feedContent({ product: 'Filter' }))
  const { page } = await openFitter('real', installation())
  await openFromSettings(page)
  const panel = page.getByRole('dialog', { name: 'Fitter update' })
  await panel.getByRole('button', { name: 'Check now' }).click()
  await expect(panel.getByText('The update feed is for Filter, not for Fitter. Nothing was downloaded.')).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Download' })).toBeHidden()
})

test('Fitter in a browser says in one sentence that it does not update itself', async ({ openFitter }) => {
  const { page } = await openFitter()
  await page.evaluate(() => (window.location.hash = '#/settings/about'))
  const about = page.getByRole('region', { name: 'This Fitter' })
  await expect(about.getByText('This Fitter runs from its sources and does not update itself.')).toBeVisible()
  await about.getByRole('button', { name: 'Show', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Fitter update' })
  await expect(panel.getByText('This Fitter runs from its sources and does not update itself.')).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Check now' })).toBeHidden()
})
