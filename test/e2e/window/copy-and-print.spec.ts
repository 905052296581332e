import type { Page } from '@playwright/test'
import { callCore, expect, test } from '../support/fitter.ts'
import { expectStep, prepareWorkplace, startJob } from '../support/work.ts'

test.describe.configure({ timeout: 120_000 })

/** What was put on the clipboard last: the browser of the tests has none of its own to read. */
async function watchClipboard(page: Page): Promise<() => Promise<string>> {
  await page.evaluate(() => {
    Object.assign(window, { lastCopied: '' })
    navigator.clipboard.writeText = (text) => {
      Object.assign(window, { lastCopied: text })
      return Promise.resolve()
    }
  })
  return () => page.evaluate(() => (window as never as { lastCopied: string }).lastCopied)
}

async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate((hash) => (window.location.hash = hash), hash)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
}

test(
  'a value is copied with its unit: by its menu, by Ctrl C under the pointer, and by the keyboard alone',
  { tag: '@daily' },
  async ({ openFitter, simulate }) => {
    const yard = await simulate({ seed: 98 })
    const { page } = await openFitter()
    await prepareWorkplace(page, yard)
    const copied = await watchClipboard(page)
    await startJob(page, yard)
    await expectStep(page, 'Identity', 'passed')
    const volts = page
      .locator('dl.kv dd')
      .filter({ hasText: /\d\.\d+\s?V$/ })
      .first()
    await expect(volts).toBeVisible({ timeout: 20_000 })

    await volts.click({ button: 'right' })
    const menu = page.getByRole('menu', { name: 'Copy' })
    await expect(menu.getByRole('menuitem')).toHaveText([/^\s*Copy \d+\.\d+\sV\s*$/])
    await expect(menu.getByRole('menuitem').first()).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(menu).toBeHidden()
    expect(await copied()).toMatch(/^\d+\.\d+ V$/)
    await expect(page.locator('.toast')).toContainText(/Copied: \d+\.\d+ V/)

    // The pointer is on it, and nothing is selected.
    const battery = page.locator('dl.kv dt', { hasText: 'Internal battery' }).locator('xpath=following-sibling::dd[1]')
    await battery.hover()
    await page.keyboard.press('Control+c')
    const shown = ((await battery.textContent()) ?? '').replace(/\s+/g, ' ').trim()
    await expect.poll(copied).toBe(shown)

    // Typed text belongs to its field.
    await page.keyboard.press('Control+k')
    await page.keyboard.type('unit')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+c')
    expect(await copied()).toBe(shown)
    await page.keyboard.press('Escape')

    // No pointer: the key for menus offers the values around the focus.
    await go(page, '#/vehicles')
    await callCore(page, 'vehicles.refresh', {})
    await page.mouse.move(1, 1)
    await go(page, `#/device/${yard.device.imei}/overview`)
    await expect(page.getByText(/^\d+ used$/)).toBeVisible({ timeout: 20_000 })
    // What comes last on the screen, and is the last control from then on.
    await expect(page.locator('aside').filter({ hasText: 'Latest events' }).getByRole('listitem').first()).toBeVisible()
    const last = page.getByRole('main').getByRole('button').or(page.getByRole('main').getByRole('link')).last()
    await last.focus()
    await last.dispatchEvent('contextmenu', { button: 0 })
    await expect(menu).toBeVisible()
    const count = await menu.getByRole('menuitem').count()
    expect(count).toBeGreaterThan(1)
    await page.keyboard.press('ArrowDown')
    const text = ((await menu.getByRole('menuitem').nth(1).textContent()) ?? '').trim()
    await page.keyboard.press('Enter')
    await expect.poll(async () => text.replace(/\s+/g, ' ').endsWith(await copied())).toBe(true)
    await expect(menu).toBeHidden()
  }
)

/** What a printed screen must not have: controls, or text that is cut by a window that is not there. */
function findPrintProblems(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const problems: string[] = []
    const isShown = (element: Element) =>
      element.getBoundingClientRect().width > 1 &&
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    for (const element of document.querySelectorAll('.app > .top, .app > .rail, .toasts, .foot, input'))
      if (isShown(element)) problems.push(`shown: ${element.className || element.tagName}`)
    for (const element of document.querySelectorAll('main *')) {
      const style = getComputedStyle(element)
      if (!isShown(element) || element.closest('svg, canvas, .leaflet-container, .hidden')) continue
      if (
        style.overflowY !== 'visible' &&
        element.scrollHeight > element.clientHeight + 2 &&
        style.textOverflow !== 'ellipsis'
      )
        problems.push(`cut: ${element.className} ${element.scrollHeight} > ${element.clientHeight}`)
    }
    return problems
  })
}

test('a job, a diagnosis and the explanations print as content alone, on as many pages as they need', async ({
  openFitter,
  simulate,
  frontEnd
}, testInfo) => {
  const yard = await simulate({ seed: 99, faults: ['wrongApn'] })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  const id = await startJob(page, yard)
  await expectStep(page, 'Identity', 'passed')
  await page.evaluate(() => {
    Object.assign(window, { printed: 0 })
    window.print = () => Object.assign(window, { printed: (window as never as { printed: number }).printed + 1 })
  })
  await page.keyboard.press('Control+p')
  expect(await page.evaluate(() => (window as never as { printed: number }).printed)).toBe(1)

  for (const [hash, wanted] of [
    [`#/job/${id}`, 'External power'],
    [`#/diagnose/device/${yard.device.imei}`, 'APN'],
    ['#/explain', 'IGN']
  ] as const) {
    await go(page, hash)
    await expect(page.getByRole('main')).toContainText(wanted, { timeout: 30_000 })
    await page.emulateMedia({ media: 'print' })
    await page.evaluate(() => (document.documentElement.dataset['theme'] = 'dark'))
    expect(await findPrintProblems(page), hash).toEqual([])
    // A table without the names of its rows says nothing.
    for (const name of await page.locator('main tbody th').all())
      await expect(name).toHaveText(/\S/, { useInnerText: true })
    expect(
      await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--panel').trim()),
      hash
    ).toMatch(/^#f{3,6}$/)
    if (frontEnd === 'browser') {
      const pdf = await page.pdf({
        preferCSSPageSize: true,
        format: 'A4',
        path: testInfo.outputPath(`${hash.replaceAll(/\W+/g, '-')}.pdf`)
      })
      expect(pdf.length, hash).toBeGreaterThan(5_000)
    }
    await page.emulateMedia({ media: 'screen' })
  }
})
