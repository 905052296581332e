import { callCore, expect, test } from './support/fitter.ts'
import { expectStep, prepareWorkplace, sentence, showStep, stage, startJob } from './support/work.ts'

test.describe.configure({ timeout: 120_000 })

test('a reason is ready at hand, the last customers are offered, and the report goes to the share sheet or to the disk', async ({
  openFitter,
  simulate,
  frontEnd
}) => {
  const yard = await simulate({ seed: 101 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  const id = await startJob(page, yard)
  await expectStep(page, 'Identity', 'passed')
  await showStep(page, 'Output 1')
  await page.keyboard.press('s')
  const dialog = page.getByRole('dialog', { name: /^Skip/ })
  await dialog
    .getByRole('group', { name: 'Ready reasons' })
    .getByRole('button', { name: 'The part comes with the next visit' })
    .click()
  await dialog.locator('.primary').click()
  await expectStep(page, 'Output 1', 'skipped')

  for (const { id: stepId, state } of (await callCore(page, 'jobs.show', { id })).steps)
    if (stepId !== 'sign-off' && !['pass', 'warn', 'waived', 'notApplicable'].includes(state))
      await callCore(page, 'jobs.waive', { id, stepId, reason: 'Not ordered' }).catch(() => undefined)
  await showStep(page, 'Sign-off')
  await page.keyboard.press('r')
  await expect(stage(page).getByRole('combobox', { name: 'Name of the customer' })).toHaveValue('Customer One', {
    timeout: 20_000
  })
  await stage(page).getByRole('button', { name: 'Sign off' }).click()
  await expect(sentence(page)).toHaveText(/^Done, with \d+ steps skipped$/)

  if (frontEnd === 'browser') {
    // A system with a share sheet gets the file itself.
    await page.evaluate(() => {
      Object.assign(navigator, {
        canShare: () => true,
        share: ({ files }: ShareData) =>
          Promise.resolve(
            void Object.assign(window, { shared: files?.map(({ name, type, size }) => ({ name, type, size })) })
          )
      })
    })
    await page.getByRole('button', { name: 'Send report' }).click()
    await expect
      .poll(() => page.evaluate(() => (window as never as { shared?: { type: string }[] }).shared?.[0]?.type), {
        timeout: 30_000
      })
      .toBe('application/pdf')
    // Without one it is saved.
    await page.evaluate(() => Object.assign(navigator, { canShare: () => false }))
    const [file] = await Promise.all([
      page.waitForEvent('download', { timeout: 30_000 }),
      page.getByRole('button', { name: 'Send report' }).click()
    ])
    expect(file.suggestedFilename()).toMatch(/\.pdf$/)
  }

  await page.keyboard.press('c')
  const newJob = page.getByRole('dialog', { name: 'New job' })
  await expect(newJob.locator('datalist option')).toHaveCount(1)
  await expect(newJob.locator('datalist option')).toHaveAttribute('value', 'Customer One')
})
