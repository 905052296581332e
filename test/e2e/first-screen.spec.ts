import { expect, test } from './support/fitter.ts'
import { keepPicture } from './support/work.ts'

test('the first screen tells the day: what to continue, what is near, what was done, and training as a quiet line', async ({
  openFitter
}, testInfo) => {
  const { page } = await openFitter()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^\w+day \d{1,2} \w+$/)
  const main = page.getByRole('main')
  await expect(main.getByRole('region', { name: 'Continue' }).getByText('No open jobs')).toBeVisible()
  await expect(
    main.getByRole('complementary', { name: 'Near you now' }).getByText(/^listening on \d+ cards?$/)
  ).toBeVisible()
  await expect(main.getByRole('link', { name: /^0 done today/ })).toBeVisible()
  await expect(main.getByRole('button', { name: 'Scan a label' })).toBeVisible()
  await expect(main.getByRole('button', { name: 'Open training' })).toBeVisible()
  await keepPicture(page, testInfo, 'first-screen')
})

test('finding devices listens at once and says on which cards', async ({ openFitter }) => {
  const { page } = await openFitter()
  await page.getByRole('navigation').getByRole('link', { name: 'Devices' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/\d+ devices? nearby/)
  await expect(page.getByText(/^Listening: .*This computer/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Run system check' })).toBeVisible()
})

test(
  'training is one press away, marked on every screen, and shows a device with its vehicle',
  { tag: '@daily' },
  async ({ openFitter }, testInfo) => {
    const { page } = await openFitter()
    await page.getByRole('button', { name: 'Open training' }).click()
    await expect(page.getByRole('banner').getByText('Training', { exact: true })).toBeVisible({ timeout: 20_000 })
    await expect(
      page
        .getByRole('complementary', { name: 'Near you now' })
        .getByRole('button', { name: /^Start \d{15}$/ })
        .first()
    ).toBeVisible({ timeout: 20_000 })
    await expect(page.getByRole('complementary', { name: 'Training vehicle' })).toBeVisible()
    for (const screen of ['Jobs', 'Waiting', 'Settings', 'Start']) {
      await page.getByRole('navigation').getByRole('link', { name: screen }).click()
      await expect(page.getByRole('banner').getByText('Training', { exact: true })).toBeVisible()
    }
    await keepPicture(page, testInfo, 'training')

    const drawer = page.getByRole('complementary', { name: 'Training vehicle' })
    await drawer
      .getByRole('combobox', { name: 'Area of the fault' })
      .selectOption({ label: 'Antenna, SIM and network' })
    await drawer.getByRole('button', { name: 'Start exercise' }).click()
    await expect(drawer.getByText(/^This exercise contains a fault\. Fit the device into Unit \d{4}/)).toBeVisible()
    await expect(drawer.getByRole('heading', { name: /^Faults/ })).toBeHidden()
    await drawer.getByRole('button', { name: 'Name the cause' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'What is the fault?' })
    await keepPicture(page, testInfo, 'exercise')
    await dialog.getByRole('button', { name: 'Show answer' }).press('Enter')
    await expect(drawer.getByText('Not found: 0 of 100 points')).toBeVisible()
    await expect(drawer.getByRole('heading', { name: /^Exercise/ })).toContainText('1 exercise so far')
  }
)

test('without a keychain the notice says that passwords last for this run only, and what to do', async ({
  openFitter
}, testInfo) => {
  const { page } = await openFitter()
  const notices = page.getByRole('banner').getByRole('button', { name: 'Notifications, 1 unread' })
  await expect(notices).toBeVisible()
  await notices.click()
  await expect(
    page.getByText(/Passwords stay in memory until Fitter closes|passwords stay in memory until Fitter closes/)
  ).toBeVisible()
  await expect(page.getByText(/gnome-keyring/)).toBeVisible()
  await keepPicture(page, testInfo, 'notice')
})

test(
  'the keyboard alone reaches everything in reading order, with the focus visible on each',
  { tag: '@daily' },
  async ({ openFitter }) => {
    const { page } = await openFitter()
    // All of it is there before it is walked through.
    await expect(page.getByRole('main').getByRole('button', { name: 'Open training' })).toBeVisible()
    await expect(page.getByRole('main').getByText('No open jobs')).toBeVisible()
    const order: string[] = []
    for (let presses = 0; presses < 30; presses++) {
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
    const places = [
      'Skip to content',
      'Start',
      'Devices',
      'Jobs',
      'Waiting',
      'Settings',
      'Scan a label',
      'New job',
      'All jobs',
      'Enter an address',
      'System check',
      'Open training'
    ].map((name) => order.findIndex((text) => text.startsWith(name)))
    expect(
      places.every((place) => place >= 0),
      `reached: ${order.join(' | ')}`
    ).toBe(true)
    expect(places).toEqual(places.toSorted((a, b) => a - b))

    await page.getByRole('navigation').getByRole('link', { name: 'Devices' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/nearby/)
    await page.getByRole('button', { name: 'Scan label' }).focus()
    await page.keyboard.press('Enter')
    // A scanner types and presses Enter: the field must have the focus at once.
    await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.getByRole('button', { name: 'Scan label' })).toBeFocused()
  }
)
