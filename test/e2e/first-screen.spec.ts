import { expect, test } from './support/fitter.ts'
import { keepPicture } from './support/work.ts'

test('the first screen offers to find devices and to train, and nothing else comes first', async ({ openFitter }, testInfo) => {
  const { page } = await openFitter()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('What do you want to do?')
  const main = page.getByRole('main')
  await expect(main.getByRole('button')).toHaveCount(2)
  await expect(main.getByRole('button', { name: /^Find devices/ })).toBeVisible()
  await expect(main.getByRole('button', { name: /^Training mode/ })).toBeVisible()
  await keepPicture(page, testInfo, 'first-screen')
})

test('finding devices listens at once and says on which cards', async ({ openFitter }) => {
  const { page } = await openFitter()
  await page.getByRole('button', { name: /^Find devices/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/\d+ devices? nearby/)
  await expect(page.getByText(/^Listening: .*This computer/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Run the self-test' })).toBeVisible()
})

test('training is one press away, marked on every screen, and shows a device with its vehicle', async ({ openFitter }, testInfo) => {
  const { page } = await openFitter()
  await page.getByRole('button', { name: /^Training mode/ }).click()
  await expect(page.getByRole('banner').getByText('Training', { exact: true })).toBeVisible({ timeout: 20_000 })
  await expect(page.getByRole('button', { name: 'Start a job' }).first()).toBeVisible({ timeout: 20_000 })
  await expect(page.getByRole('region', { name: 'Vehicle' })).toBeVisible()
  for (const screen of ['Jobs', 'Waiting', 'Settings', 'Start']) {
    await page.getByRole('navigation').getByRole('link', { name: screen }).click()
    await expect(page.getByRole('banner').getByText('Training', { exact: true })).toBeVisible()
  }
  await keepPicture(page, testInfo, 'training')
})

test('without a keychain the notice says that passwords last for this run only, and what to do', async ({ openFitter }, testInfo) => {
  const { page } = await openFitter()
  const notices = page.getByRole('banner').locator('summary', { hasText: '1 notice' })
  await expect(notices).toBeVisible()
  await notices.click()
  await expect(page.getByText(/Passwords are kept in memory and are gone when Fitter closes/)).toBeVisible()
  await expect(page.getByText(/gnome-keyring/)).toBeVisible()
  await keepPicture(page, testInfo, 'notice')
})

test('the keyboard alone reaches everything in reading order, with the focus visible on each', async ({ openFitter }) => {
  const { page } = await openFitter()
  const order: string[] = []
  for (let presses = 0; presses < 20; presses++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const element = document.activeElement
      if (!element || element === document.body) return undefined
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element)
      const box = element.getBoundingClientRect()
      return {
        name: (element.textContent ?? '').replace(/\s+/g, ' ').trim(),
        isOutlined: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && outlineColor !== 'rgba(0, 0, 0, 0)',
        isOnScreen: box.width > 0 && box.left >= 0 && box.top >= 0 && box.bottom <= window.innerHeight
      }
    })
    if (!focused) break
    if (order.includes(focused.name)) break
    expect(focused.isOutlined, `"${focused.name}" shows its focus`).toBe(true)
    expect(focused.isOnScreen, `"${focused.name}" is on the screen`).toBe(true)
    order.push(focused.name)
  }
  const places = ['Skip to content', 'Start', 'Devices', 'Jobs', 'Waiting', 'Settings', 'Find devices', 'Training mode'].map((name) =>
    order.findIndex((text) => text.startsWith(name))
  )
  expect(places.every((place) => place >= 0), `reached: ${order.join(' | ')}`).toBe(true)
  expect(places).toEqual(places.toSorted((a, b) => a - b))

  await page.getByRole('button', { name: /^Find devices/ }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/nearby/)
  await page.getByRole('button', { name: 'Scan label' }).focus()
  await page.keyboard.press('Enter')
  // A scanner types and presses Enter: the field must have the focus at once.
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Scan label' })).toBeFocused()
})
