import { readFileSync } from 'node:fs'
import { makePastJobs } from '../world/data/pastJobs.ts'
import { readZip } from '../world/data/bundles/readZip.ts'
import { plainMessage } from '../../preload/contract/messages.ts'
import { startTeamYard } from '../world/team/teamYard.ts'
import { findBrokenRules } from './support/axe.ts'
import { expect, test } from './support/fitter.ts'
import { findUglyThings, resizeWindow } from './support/looks.ts'

test.describe.configure({ timeout: 180_000 })
const count = 3_000

test(
  'the log is narrowed, walked, chosen from and exported by keyboard alone, and the files are real',
  { tag: '@daily' },
  async ({ openFitter, dataFolder }) => {
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
    await expect(page.getByRole('region', { name: '3 selected' })).toBeVisible()
    expect(await findBrokenRules(page, { rules: 'all' })).toEqual([])
    const reports = page.waitForEvent('download')
    await page.keyboard.press('e')
    await expect(page.getByRole('button', { name: '3 reports, PDF' })).toBeFocused()
    await page.keyboard.press('Enter')
    const archive = readZip(readFileSync(await (await reports).path()))
    expect([...archive.keys()]).toEqual(
      Array.from({ length: 3 }, () =>
        [/\d\.pdf$|[A-Z]\.pdf$/, /-evidence\.pdf$/].map((name) => expect.stringMatching(name))
      ).flat()
    )
    for (const content of archive.values()) expect(content.toString('latin1', 0, 5)).toBe('%PDF-')

    // All of the list by its filter, as a table.
    await expect(page.getByRole('button', { name: '3 reports, PDF' })).toBeFocused()
    await page.getByRole('button', { name: 'Select all 50 in this list' }).focus()
    await page.keyboard.press('Enter')
    const table = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Table, CSV' }).focus()
    await page.keyboard.press('Enter')
    const lines = readFileSync(await (await table).path(), 'utf8')
      .trimEnd()
      .split('\r\n')
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
  }
)

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
  await expect(page.getByRole('heading', { name: 'No jobs yet' })).toBeVisible()
  expect(await findBrokenRules(page, { rules: 'all' })).toEqual([])
  await page.keyboard.press('/')
  await page.keyboard.type('nobody')
  await expect(page.getByRole('heading', { name: 'No matching jobs' })).toBeVisible()
  await page.getByRole('button', { name: 'Show all jobs' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'No jobs yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Find a device' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#\/devices/)
})

test('the numbers about the work are reached from the log, told by period and side by side, and saved as a table', async ({
  openFitter,
  dataFolder
}, testInfo) => {
  makePastJobs(dataFolder, 120)
  const { page } = await openFitter()
  await page.keyboard.press('g')
  await page.keyboard.press('j')
  await page.getByRole('link', { name: 'Statistics' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Statistics')
  await expect(page.getByRole('row', { name: /^Identity .*5 s 0 0$/ })).toBeVisible()
  await page.getByRole('radiogroup', { name: 'Period' }).getByRole('radio', { name: 'Whole log' }).check()
  await expect(page.getByText('120', { exact: true }).first()).toBeVisible()
  const groups = page.getByRole('region', { name: 'Comparison' })
  await expect(groups.getByRole('row', { name: /^Technician Three 40 / })).toHaveAttribute(
    'title',
    /The device has no external power/
  )
  expect(await findBrokenRules(page, { rules: 'all' })).toEqual([])
  await page.screenshot({ path: testInfo.outputPath('numbers.png') })
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Table (CSV)' }).click()
  expect(readFileSync(await (await saving).path(), 'utf8')).toMatch(/^\uFEFFgrouped by,value,jobs,/)
})

test('a job is handed over in a file, stands as handed over, and is taken back from its file', async ({
  openFitter,
  dataFolder
}, testInfo) => {
  makePastJobs(dataFolder, 3, new Date('2026-05-20T10:00:00.000Z'))
  const { page } = await openFitter()
  await page.goto(`${new URL(page.url()).origin}/#/jobs`)
  await page.getByRole('row').nth(1).getByRole('link').click()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Hand over to another laptop' }).click()
  const dialog = page.getByRole('dialog', { name: 'Hand over to another laptop' })
  await expect(dialog.getByText('The whole log, with its hashes')).toBeVisible()
  expect(await findBrokenRules(page, { rules: 'all' })).toEqual([])
  await resizeWindow(page, { width: 1024, height: 640 })
  expect(await findUglyThings(page)).toEqual([])
  await page.screenshot({ path: testInfo.outputPath('hand-over.png') })
  await dialog.getByLabel('For whom (optional)').fill('Technician Two')
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Hand over' }).click()
  const file = await (await download).path()
  await expect(dialog.getByRole('status')).toContainText('Handed over.')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  const away = page.getByRole('region', { name: 'Handed over' })
  await expect(away).toContainText('to Technician Two')
  await expect(page.getByRole('button', { name: 'Start' })).toHaveCount(0)
  await page.screenshot({ path: testInfo.outputPath('handed-over.png') })
  const again = page.waitForEvent('download')
  await away.getByRole('button', { name: 'Save the file again' }).click()
  expect(readFileSync(await (await again).path())).toEqual(readFileSync(file))

  await page.keyboard.press('Escape')
  await page.goto(`${new URL(page.url()).origin}/#/jobs`)
  await expect(page.getByRole('row').nth(1)).toContainText('Handed over')
  await page.getByRole('button', { name: 'Take over from a file' }).click()
  const take = page.getByRole('dialog', { name: 'Take over from a file' })
  await take.locator('input[type=file]').setInputFiles(file)
  await expect(take.getByRole('status')).toContainText('1 job handed over by this laptop')
  expect(await findBrokenRules(page, { rules: 'all' })).toEqual([])
  expect(await findUglyThings(page)).toEqual([])
  await page.screenshot({ path: testInfo.outputPath('take-over.png') })
  await take.getByRole('button', { name: 'Take over', exact: true }).click()
  await expect(take.getByText('1 job was taken back')).toBeVisible({ timeout: 30_000 })
  await take.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('row').nth(1)).not.toContainText('Handed over')
})

test('a laptop joins by the file of its invitation, and a step of a colleague is seen as it fails, in its row, beside it and in full', async ({
  openFitter
}) => {
  const yard = await startTeamYard()
  try {
    const colleague = await yard.laptop('Laptop 2')
    const id = await colleague.work({
      number: 31,
      customer: 'Customer One',
      technician: 'Technician Two',
      passed: 2,
      then: 'runs',
      agoMin: 10
    })
    await colleague.push()
    const { page } = await openFitter()
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await page.getByRole('link', { name: 'Join the team log' }).click()
    await page.getByLabel('Choose invitation').setInputFiles({
      name: 'team.json',
      mimeType: 'application/json',
      buffer: Buffer.from(await yard.invite('Laptop 1'))
    })
    await expect(page.getByText('Everything is uploaded.')).toBeVisible()
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    const row = page.getByRole('row', { name: /Unit 0031/ })
    await expect(row).toContainText('Ignition')
    await expect(page.getByRole('link', { name: 'Team log live' })).toBeVisible()
    colleague.add(id, 'stepEnded', 'ignition', {
      attempt: 1,
      state: 'fail',
      summary: plainMessage('the line never moved'),
      remedy: null,
      witness: ['device'],
      durationMs: 8_000
    })
    await colleague.push()
    await expect(row).toContainText('Ignition: failed')
    await expect(page.getByRole('complementary')).toContainText('the line never moved')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 2, name: 'the line never moved' })).toBeVisible()
    await page.goBack()
    await expect(row).toHaveAttribute('aria-selected', 'true')
  } finally {
    await yard.close()
  }
})
