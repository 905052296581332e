import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { findBrokenRules } from './support/axe.ts'
import { callCore, expect, test } from './support/fitter.ts'
import { openStore } from '../../main/data/store/index.ts'
import { appendEntry } from '../world/data/storedJobs.ts'

test.use({ isNewComputer: true })

const setUp = { name: 'Set up Fitter', level: 1 } as const

/** Somebody without a mouse, who counts the keys that are not text. */
function keyboardOf({ keyboard }: Page) {
  let pressed = 0
  return {
    type: (text: string) => keyboard.type(text),
    async press(key: string): Promise<void> {
      pressed += 1
      await keyboard.press(key)
    },
    pressed: () => pressed
  }
}

test('by keyboard alone: from an empty data folder to the devices in five keys besides what is typed', async ({
  openFitter,
  simulate
}) => {
  const { gateway } = await simulate({ seed: 41 })
  const { page } = await openFitter()
  const keys = keyboardOf(page)
  await expect(page.getByRole('heading', setUp)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue' })).toBeFocused()
  expect(await findBrokenRules(page)).toEqual([])
  await keys.press('Enter')

  await expect(page.getByRole('textbox', { name: 'Gateway address' })).toBeFocused()
  await keys.type(gateway.url)
  const links = page.getByRole('complementary', { name: 'Connection' }).getByRole('listitem')
  await expect(links.filter({ hasText: 'Answer' }).getByText('The gateway itself answers.')).toBeVisible()
  await expect(page.getByText('The gateway can be reached.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in later' })).toBeVisible()
  expect(await findBrokenRules(page)).toEqual([])
  // Looking at an address stores nothing.
  expect((await callCore(page, 'settings.get', {})).gatewayUrl).toBe('')
  await keys.press('Tab')
  await keys.type(gateway.user)
  await keys.press('Tab')
  await keys.type(gateway.password)
  await keys.press('Enter')

  await expect(page.getByRole('heading', { name: 'Open your first device' })).toBeVisible()
  await expect(page.getByRole('region', { name: setUp.name }).getByText(`Signed in as ${gateway.user}`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Find devices' })).toBeFocused()
  expect(await findBrokenRules(page)).toEqual([])
  await keys.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/devices? nearby/)
  expect(keys.pressed()).toBe(5)
  expect((await callCore(page, 'gateway.status', {})).user).toBe(gateway.user)

  // What is missing is listed on the first screen, and only there.
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  const missing = page.getByRole('region', { name: 'Still to set up' })
  await expect(missing.getByRole('listitem')).toHaveText([/^Open your first device/, /^Name of the technician/])
  await expect(page.getByRole('heading', setUp)).toBeHidden()
  await missing.getByRole('textbox', { name: 'Name of the technician' }).fill('Technician One')
  await missing.getByRole('button', { name: 'Save' }).click()
  await expect(missing.getByRole('listitem')).toHaveText([/^Open your first device/])
  await missing.getByRole('button', { name: 'Hide' }).click()
  await expect(missing).toBeHidden()
  expect(await callCore(page, 'settings.get', {})).toMatchObject({ technician: 'Technician One', firstRun: 'done' })
})

test('one press of Escape leaves it for good, and a link to another screen does not pass through it', async ({
  openFitter
}) => {
  const { page, openWindow } = await openFitter()
  await expect(page.getByRole('heading', setUp)).toBeVisible()
  await page.evaluate(() => (window.location.hash = '#/jobs'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Jobs')
  await page.goBack()
  await expect(page.getByRole('heading', setUp)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Open training' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Still to set up' }).getByRole('listitem')).toHaveText([
    /^Language and units/,
    /^Sign in to the gateway/,
    /^Open your first device/,
    /^Name of the technician/
  ])
  const again = await openWindow()
  await expect(again.getByRole('button', { name: 'Open training' })).toBeVisible()
  await expect(again.getByRole('heading', setUp)).toBeHidden()
})

test('a wrong password is said beside the fields, and nobody is signed in', async ({ openFitter, simulate }) => {
  const { gateway } = await simulate({ seed: 42 })
  const { page } = await openFitter()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('textbox', { name: 'Gateway address' }).fill(gateway.url)
  await page.getByRole('textbox', { name: 'User' }).fill(gateway.user)
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText(/password/i)
  await expect(page.getByRole('heading', { name: 'Sign in to your gateway' })).toBeVisible()
  expect((await callCore(page, 'gateway.status', {})).user).toBeNull()
  await page.getByRole('button', { name: 'Sign in later' }).click()
  await expect(page.getByRole('heading', { name: 'Open your first device' })).toBeVisible()
})

test('practice first leads to the exercises', async ({ openFitter }) => {
  const { page } = await openFitter()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Sign in later' }).press('Enter')
  await page.getByRole('button', { name: 'Start training' }).press('Enter')
  await expect(page.getByRole('region', { name: 'Guided tour' })).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('banner').getByText('Training', { exact: true })).toBeVisible()
})

test('who has jobs never meets it', async ({ openFitter, dataFolder }) => {
  const store = openStore(dataFolder)
  appendEntry(store, '01OLDJOB', 'fitted')
  store.close()
  const { page } = await openFitter()
  await expect(page.getByRole('button', { name: 'Open training' })).toBeVisible()
  await expect(page.getByRole('heading', setUp)).toBeHidden()
  await expect(page.getByRole('region', { name: 'Still to set up' })).toBeHidden()
})

test('a finished job counts as the first device, and the list ends when nothing is missing', async ({
  openFitter,
  dataFolder,
  simulate
}) => {
  const { gateway } = await simulate({ seed: 44 })
  const store = openStore(dataFolder)
  store.settings.change({ firstRun: 'left' })
  appendEntry(store, '01DONEJOB', 'fitted')
  store.close()
  const { page } = await openFitter()
  const missing = page.getByRole('region', { name: 'Still to set up' })
  await expect(missing.getByRole('listitem')).toHaveText([/^Sign in to the gateway/, /^Name of the technician/])
  const { url, user, password } = gateway
  await callCore(page, 'gateway.signIn', { url, user, password })
  await callCore(page, 'settings.change', { technician: 'Technician One' })
  await expect(missing).toBeHidden()
  await expect.poll(async () => (await callCore(page, 'settings.get', {})).firstRun).toBe('done')
})

test('training never begins with it', async ({ openFitter }) => {
  const { page } = await openFitter('training')
  await expect(page.getByRole('banner').getByText('Training', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', setUp)).toBeHidden()
})

test.describe('with a company policy', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fitter-e2e-policy-'))
  const before = process.env['FITTER_POLICY_FILE']
  test.afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
    if (before === undefined) delete process.env['FITTER_POLICY_FILE']
    else process.env['FITTER_POLICY_FILE'] = before
  })

  test('what the company decides is locked or left out, and no other gateway is contacted', async ({
    openFitter,
    simulate
  }) => {
    const { gateway } = await simulate({ seed: 43 })
    const file = join(folder, 'policy.json')
    writeFileSync(
      file,
      JSON.stringify({
        reading: { language: 'en', units: 'metric', timeZone: 'America/Bogota' },
        gateway: { address: gateway.url, others: false },
        credentials: { keep: 'session' }
      })
    )
    process.env['FITTER_POLICY_FILE'] = file
    const { page } = await openFitter()
    // The first step has nothing left to decide.
    await expect(page.getByRole('heading', { name: 'Sign in to your gateway' })).toBeVisible()
    const address = page.getByRole('textbox', { name: 'Gateway address' })
    await expect(address).toBeDisabled()
    await expect(address).toHaveValue(gateway.url)
    await expect(page.getByText('Set by your company')).toHaveCount(2)
    await expect(page.getByRole('switch', { name: 'Stay signed in on this computer' })).not.toBeChecked()
    const tried = await page.evaluate(() => window.fitter?.call('internet.try', { url: 'https://other.example/api' }))
    expect(tried).toMatchObject({ ok: false, error: { code: 'REFUSED' } })
    await expect(page.getByRole('textbox', { name: 'User' })).toBeFocused()
    await page.keyboard.type(gateway.user)
    await page.keyboard.press('Tab')
    await page.keyboard.type(gateway.password)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Open your first device' })).toBeVisible()
  })
})
