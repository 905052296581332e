import { readFileSync } from 'node:fs'
import { makePastJobs } from '../support/pastJobs.ts'
import { readZip } from '../support/readZip.ts'
import { findBrokenRules } from './support/axe.ts'
import { expect, test } from './support/fitter.ts'

test.describe.configure({ timeout: 180_000 })
const count = 3_000

test('the log is narrowed, walked, chosen from and exported by keyboard alone, and the files are real', async ({ openFitter, dataFolder }) => {
  makePastJobs(dataFolder, count, new Date('2026-05-20T10:00:00.000Z'))
  const { page } = await openFitter()
  const seen = page.getByRole('main').getByRole('status').filter({ hasText: / of / })

  await page.keyboard.press('g')
  await page.keyboard.press('j')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Jobs')
  await expect(page.getByText('3,000 since August 2023')).toBeVisible()
  await expect(seen).toHaveText(/^1 to \d+ of 3,000$/)

  // Narrowed by what stands at the left, with its counts.
  await page.getByRole('checkbox', { name: /^Done, skipped/ }).focus()
  await page.keyboard.press('Space')
  await expect(seen).toHaveText(/^1 to \d+ of 250$/)
  await expect(page.getByRole('row').nth(1)).toContainText('Ignition')
  await expect(page.getByRole('checkbox', { name: /^Done, skipped/ })).toBeChecked()
  await page.getByRole('checkbox', { name: /^Customer One/ }).focus()
  await page.keyboard.press('Space')
  await expect(seen).toHaveText(/^1 to \d+ of 50$/)

  // A range of three, and a document for each.
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Shift+X')
  await expect(page.getByRole('region', { name: '3 chosen' })).toBeVisible()
  expect(await findBrokenRules(page, { rules: 'all' })).toEqual([])
  const reports = page.waitForEvent('download')
  await page.keyboard.press('e')
  await expect(page.getByRole('button', { name: '3 reports, PDF' })).toBeFocused()
  await page.keyboard.press('Enter')
  const archive = readZip(readFileSync(await (await reports).path()))
  expect([...archive.keys()]).toEqual([expect.stringMatching(/\.pdf$/), expect.stringMatching(/\.pdf$/), expect.stringMatching(/\.pdf$/)])
  for (const content of archive.values()) expect(content.toString('latin1', 0, 5)).toBe('%PDF-')

  // All of the list by its filter, as a table.
  await expect(page.getByRole('button', { name: '3 reports, PDF' })).toBeFocused()
  await page.getByRole('button', { name: 'Choose all 50 of this list' }).focus()
  await page.keyboard.press('Enter')
  const table = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Table, CSV' }).focus()
  await page.keyboard.press('Enter')
  const lines = readFileSync(await (await table).path(), 'utf8').trimEnd().split('\r\n')
  expect(lines).toHaveLength(51)
  expect(lines.filter((line) => line.includes('Customer One'))).toHaveLength(50)

  // A search, opened with Enter, and back.
  await page.getByRole('checkbox', { name: /^Done, skipped/ }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('checkbox', { name: /^Customer One/ }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('/')
  await page.keyboard.type('unit0123')
  await expect(seen).toHaveText('1 to 1 of 1')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('row', { name: /Unit 0123/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#\/job\/past-000123/)
})

test('a year is gone to by its month, and its place in the whole list is told', async ({ openFitter, dataFolder }) => {
  makePastJobs(dataFolder, count, new Date('2026-05-20T10:00:00.000Z'))
  const { page } = await openFitter()
  await page.evaluate(() => (window.location.hash = '#/jobs'))
  const seen = page.getByRole('main').getByRole('status').filter({ hasText: / of / })
  await expect(seen).toHaveText(/^1 to \d+ of 3,000$/)
  const years = page.getByRole('slider', { name: 'Month' })
  await years.focus()
  await expect(years).toHaveAttribute('aria-valuetext', 'May 2026, 59 jobs')
  await page.keyboard.press('PageDown')
  await expect(years).toHaveAttribute('aria-valuetext', /^May 2025/)
  // 1 June 2025 lies 353 days and 10 hours back, with three jobs a day.
  await expect(seen).toHaveText(/^1,06\d to 1,0\d\d of 3,000$/)
  await page.keyboard.press('End')
  await expect(years).toHaveAttribute('aria-valuetext', /^August 2023/)
  await expect(seen).toHaveText(/^2,97\d to \d,\d+ of 3,000$/)
  await page.keyboard.press('Home')
  await expect(seen).toHaveText(/^1 to \d+ of 3,000$/)
})

test('an empty log and one in which nothing fits say what to do next', async ({ openFitter }) => {
  const { page } = await openFitter()
  await page.evaluate(() => (window.location.hash = '#/jobs'))
  await expect(page.getByRole('heading', { name: 'There is no job yet' })).toBeVisible()
  expect(await findBrokenRules(page, { rules: 'all' })).toEqual([])
  await page.keyboard.press('/')
  await page.keyboard.type('nobody')
  await expect(page.getByRole('heading', { name: 'No job fits' })).toBeVisible()
  await page.getByRole('button', { name: 'Show all jobs' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'There is no job yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Find a device' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#\/devices/)
})

test('the numbers about the work are reached from the log, told by period and side by side, and saved as a table', async ({ openFitter, dataFolder }, testInfo) => {
  makePastJobs(dataFolder, 120)
  const { page } = await openFitter()
  await page.keyboard.press('g')
  await page.keyboard.press('j')
  await page.getByRole('link', { name: 'Numbers' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Numbers about the work')
  const steps = page.getByRole('region', { name: 'Steps' })
  await expect(steps.getByRole('row', { name: /^Identity 5 s 100 %/ })).toBeVisible()
  await page.getByRole('combobox', { name: 'Period' }).selectOption({ label: 'All of the log' })
  await expect(page.getByText('120', { exact: true }).first()).toBeVisible()
  const groups = page.getByRole('region', { name: 'Side by side' })
  await groups.getByRole('combobox', { name: 'Told apart by' }).selectOption({ label: 'Technician' })
  await expect(groups.getByRole('row', { name: /^Technician Three 40 / })).toContainText('Seen.')
  expect(await findBrokenRules(page, { rules: 'all' })).toEqual([])
  await page.screenshot({ path: testInfo.outputPath('numbers.png') })
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Table (CSV)' }).click()
  expect(readFileSync(await (await saving).path(), 'utf8')).toMatch(/^told apart by,value,jobs,/)
})
