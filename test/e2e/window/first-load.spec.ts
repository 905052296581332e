import { markFirstScreen, scriptsOfFirstScreen, watchScripts } from '../../world/window/loadedScripts.ts'
import { expect, test } from '../support/fitter.ts'
import { callCore, prepareWorkplace } from '../support/work.ts'

test(
  'the first screen waits for at most 200 kB of script, and charts, maps and barcodes are loaded only where they are needed',
  { tag: '@daily' },
  async ({ openFitter, simulate }) => {
    const yard = await simulate({ seed: 31 })
    const { page } = await openFitter()
    await markFirstScreen(page)
    const all = watchScripts(page)
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    // The last that is read while nothing else is to be done.
    await expect
      .poll(() => all.scripts().some(({ name }) => name.startsWith('KeySheet-')), { timeout: 30_000 })
      .toBe(true)
    const first = await scriptsOfFirstScreen(page)
    const told = first.map(({ name, gzipBytes }) => `${name} ${String(gzipBytes)}`).join(', ')
    expect(first.length, told).toBeGreaterThan(1)
    expect(
      first.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0),
      told
    ).toBeLessThanOrEqual(200_000)
    expect(all.scripts().length).toBeGreaterThan(first.length)
    expect(
      all
        .scripts()
        .filter(({ holds }) => holds.length > 0)
        .map(({ name, holds }) => `${name}: ${holds.join()}`)
    ).toEqual([])

    await prepareWorkplace(page, yard)
    const { devices } = await callCore(page, 'discovery.watch', {})
    const key = devices.find(({ imei }) => imei === yard.device.imei)?.key ?? ''
    const later = watchScripts(page)
    await page.evaluate((part) => (location.hash = part), `#/device/${encodeURIComponent(key)}/network`)
    await page.getByRole('application').locator('canvas').first().waitFor()
    await expect.poll(() => later.scripts().flatMap(({ holds }) => holds)).toEqual(['uplot'])
    await page.evaluate((part) => (location.hash = part), `#/device/${encodeURIComponent(key)}/position`)
    await page.locator('.leaflet-container').waitFor()
    await expect.poll(() => later.scripts().flatMap(({ holds }) => holds)).toContain('leaflet')
  }
)

test(
  'the fonts of the first screen are fetched once, and beside its script',
  { tag: '@daily' },
  async ({ openFitter }) => {
    const { page } = await openFitter()
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    const requests = () =>
      page.evaluate(() =>
        (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
          .filter(({ name }) => name.endsWith('.woff2'))
          .map(({ name, initiatorType }) => `${initiatorType} ${/[^/]+-latin/.exec(name)?.[0]}`)
      )
    expect((await requests()).sort()).toEqual(['link inter-latin', 'link jetbrains-mono-latin'])
  }
)

test(
  'the first screen says everything with the texts that load first',
  { tag: '@daily' },
  async ({ openFitter, simulate }) => {
    const yard = await simulate({ seed: 31 })
    const { page } = await openFitter()
    await prepareWorkplace(page, yard)
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route(/\.rest-[^/]*\.js$/, async (route) => {
      await held
      await route.continue()
    })
    await page.goto(`${new URL(page.url()).origin}/#/start`)
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect(page.getByText('No open jobs')).toBeVisible()
    const emptyParts = () =>
      page
        .locator('body')
        .evaluate((body) =>
          [...body.querySelectorAll('h1, h2, h3, p, b, a, button')]
            .filter(
              (part) =>
                part.textContent?.trim() === '' &&
                !part.querySelector('svg, input, img') &&
                !part.hasAttribute('aria-label') &&
                part.checkVisibility()
            )
            .map((part) => part.outerHTML)
        )
    expect(await emptyParts()).toEqual([])
    const rest = page.waitForResponse(/\.rest-[^/]*\.js$/)
    release()
    await rest
    await page.evaluate(() => (location.hash = '#/settings'))
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  }
)
