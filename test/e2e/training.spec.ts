import { findBrokenRules } from './support/axe.ts'
import { callCore, expect, test } from './support/fitter.ts'

test.describe.configure({ timeout: 120_000 })

test('an exercise is chosen, begun, named and scored without a mouse, and its title never tells the cause', async ({
  openFitter
}) => {
  const { page } = await openFitter('training')
  await callCore(page, 'settings.change', { technician: 'Technician One' })
  await page.getByRole('link', { name: 'Exercises', exact: true }).first().press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Training')
  const story = page.getByRole('complementary', { name: 'The electric pickup' })
  await expect(story.getByText('not tried')).toBeVisible()
  expect(await findBrokenRules(page)).toEqual([])

  for (const key of ['j', 'j', 'j', 'j']) await page.keyboard.press(key)
  await expect(page.getByRole('complementary', { name: 'No trips since yesterday' })).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText('ignition wire is not connected')
  await page.keyboard.press('Enter')
  // The job of that vehicle is filled in.
  const newJob = page.getByRole('dialog', { name: 'New job' })
  await expect(newJob.getByRole('combobox', { name: /^Vehicle/ })).toHaveValue(/Unit \d{4}/)
  await page.keyboard.press('Escape')
  await page.evaluate(() => (window.location.hash = '#/devices'))
  const drawer = page.getByRole('complementary', { name: 'Training vehicle' })
  await expect(drawer.getByText('No trips since yesterday')).toBeVisible()
  await expect(drawer.getByText(/^7:\d\d$/)).toBeVisible()
  await drawer.getByRole('button', { name: /^Show a hint/ }).press('Enter')
  await expect(drawer.getByText('Look at the supply and the ignition line')).toBeVisible()
  await drawer.getByRole('button', { name: 'Name the cause' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'What is the fault?' })
  await dialog.getByRole('combobox').selectOption({ label: 'The supply wire is dead' })
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Confirm cause' }).press('Enter')
  await expect(dialog.getByRole('status')).toHaveText('Not correct. 1 wrong guess so far.')
  await dialog.getByRole('combobox').selectOption({ label: 'The ignition wire is not connected' })
  await dialog.getByRole('button', { name: 'Confirm cause' }).press('Enter')

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No trips since yesterday')
  await expect(page.getByText('Fault found')).toBeVisible()
  const score = page.getByRole('region', { name: 'of 100 points' })
  await expect(score.getByRole('listitem')).toHaveText([
    /^Cause 1 wrong answer\s*34 of 60/,
    /^Time .* 8 min\s*20 of 20/,
    /^Safety no dangerous action\s*20 of 20/,
    /^Hints 1 of 3 used\s*−10/
  ])
  await expect(score).toContainText('64')
  expect(await findBrokenRules(page)).toEqual([])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Print result' }).press('Enter')
  expect((await download).suggestedFilename()).toMatch(/^training-results_\d{4}-\d\d-\d\d\.pdf$/)
  await page.keyboard.press('n')
  await expect(page.getByRole('complementary', { name: 'Quiet after dark' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^No trips since yesterday/ })).toContainText('64 of 100')
  await expect(page.getByText('21 exercises, 1 found, 64 points on average')).toBeVisible()
})

test(
  'the free yard hides faults without a score, and outside of training the exercises only say where they are',
  { tag: '@daily' },
  async ({ openFitter }) => {
    const { page } = await openFitter('training')
    await page.evaluate(() => (window.location.hash = '#/training'))
    await page.getByRole('combobox', { name: 'Number of faults' }).selectOption({ label: '2 faults' })
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await expect(page.getByText('The yard is ready.')).toBeVisible()
    expect((await callCore(page, 'training.exercises', {})).running).toBeNull()
    await callCore(page, 'app.enter', { workplace: 'real' })
    await expect(page.getByRole('banner').getByText('Training', { exact: true })).toBeHidden()
    await page.evaluate(() => (window.location.hash = '#/training'))
    await expect(page.getByRole('heading', { name: 'Exercises are in training' })).toBeVisible()
  }
)
