import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { writePmtiles } from '../world/data/pmtilesFile.ts'
import { expect, test } from './support/fitter.ts'
import { callCore, keepPicture, prepareWorkplace } from './support/work.ts'

test.describe.configure({ timeout: 120_000 })

interface Answer {
  path: string
  status: number
  range: string | undefined
}

/** Every request of a page from now on, with its answer. */
function noteAnswers(page: Page): Answer[] {
  const answers: Answer[] = []
  page.on('response', async (response) => {
    // Of a page that is closed nothing more is asked.
    const headers = await response
      .request()
      .allHeaders()
      .catch(() => null)
    if (headers)
      answers.push({ path: new URL(response.url()).pathname, status: response.status(), range: headers['range'] })
  })
  return answers
}

/** The first device of the training yard, by its key, and where it is. */
async function findDevice(page: Page): Promise<{ key: string; latitude: number; longitude: number }> {
  const { vehicles } = await callCore(page, 'training.vehicles', {})
  const imei = vehicles[0]?.imei ?? ''
  await callCore(page, 'discovery.findImei', { imei })
  const { devices } = await callCore(page, 'discovery.watch', {})
  const key = devices.find((device) => device.imei === imei)?.key ?? ''
  const { readings } = await callCore(page, 'workspace.read', { key, view: 'test', operations: ['gps.position'] })
  const { coords } = readings['gps.position']?.value as { coords: { latitude: number; longitude: number } }
  return { key, ...coords }
}

async function openPosition(page: Page, key: string): Promise<void> {
  await page.evaluate((key) => (window.location.hash = `#/device/${encodeURIComponent(key)}/position`), key)
  await expect(page.locator('.map-tag-device')).toContainText('Device')
}

async function leave(page: Page): Promise<void> {
  await page.evaluate(() => (window.location.hash = '#/devices'))
  await expect(page.getByRole('application')).toHaveCount(0)
}

const map = (page: Page) => page.getByRole('application', { name: /Arrow keys/ })
const gridOf = (page: Page) => page.locator('.map-label').allTextContents()

/** How many colours the squares under the map have: an empty one has none, ground alone has one. */
async function coloursOf(page: Page): Promise<number> {
  return page.locator('canvas.leaflet-tile').evaluateAll((canvases) => {
    const seen = new Set<number>()
    for (const canvas of canvases as HTMLCanvasElement[]) {
      if (canvas.width === 0) continue
      // A copy that is meant to be read: the browser warns where a canvas that is drawn to is read again and again.
      const context = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })
      if (!context) throw new Error('No canvas to read from.')
      context.drawImage(canvas, 0, 0)
      for (const pixel of new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer))
        seen.add(pixel)
    }
    return seen.size
  })
}

/** A wheel zooms a moment later; by then the map is gone. */
async function leaveInTheMiddle(page: Page): Promise<void> {
  const box = await map(page).boundingBox()
  await page.mouse.move((box?.x ?? 0) + 200, (box?.y ?? 0) + 200)
  await page.mouse.wheel(0, -400)
  await leave(page)
}

test(
  'a map is opened, moved, zoomed and left in the middle of it: nothing is asked for, and nothing breaks',
  { tag: '@daily' },
  async ({ openFitter }, testInfo) => {
    const { page } = await openFitter('training')
    const { key } = await findDevice(page)
    const answers = noteAnswers(page)
    await openPosition(page, key)
    await expect(page.getByText('World outline')).toBeVisible()
    await expect(page.locator('.map-tag-gateway')).toContainText('Gateway', { timeout: 30_000 })
    await expect(page.locator('.map-distance')).toContainText(/\d m$/)
    const way = page.getByRole('region', { name: 'At the gateway' })
    await expect(way.getByRole('status')).toContainText(/\d positions?/, { timeout: 30_000 })
    await keepPicture(page, testInfo, 'position')
    await way.getByRole('button', { name: 'Distance and delay' }).click()
    await expect(way.getByRole('application', { name: /^Delay to the gateway/ })).toBeVisible()
    await expect(way.getByRole('application', { name: /^Distance between device and gateway/ })).toBeVisible()
    await keepPicture(page, testInfo, 'position-delay')
    await way.getByRole('button', { name: 'Distance and delay' }).click()
    await way.getByRole('button', { name: 'Last hour' }).click()
    await page.getByRole('button', { name: 'Yesterday' }).click()
    await expect(way.getByRole('status')).toContainText(/\d positions?/)

    const start = await gridOf(page)
    await map(page).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => gridOf(page)).not.toEqual(start)
    const moved = await gridOf(page)
    await page.keyboard.press('+')
    await expect.poll(() => gridOf(page)).not.toEqual(moved)
    await page.keyboard.press('0')
    for (let step = 0; step < 14; step += 1) await page.getByRole('button', { name: 'Zoom out' }).click()
    await expect.poll(() => coloursOf(page), { message: 'land, water and borders' }).toBeGreaterThan(2)
    await leaveInTheMiddle(page)
    await openPosition(page, key)
    await page.setViewportSize({ width: 1100, height: 700 })
    await leave(page)
    // What came is what Fitter is made of; watchPage has seen to it that nobody else was asked.
    expect(
      answers.filter(({ path }) => !path.startsWith('/assets/') && path !== '/icon.svg'),
      'anything but files of the page'
    ).toEqual([])
  }
)

test('a map file that a person chose is drawn from pieces, and the outline remains when it is gone', async ({
  openFitter,
  dataFolder
}, testInfo) => {
  const { page } = await openFitter('training')
  const { key, ...place } = await findDevice(page)
  const file = join(dataFolder, 'Town One.pmtiles')
  writePmtiles(file, place)
  await page.evaluate(() => (window.location.hash = '#/settings/maps'))
  await page.getByRole('textbox', { name: 'Path of the map file' }).fill(join(dataFolder, 'fitter.db'))
  await page.getByRole('button', { name: 'Choose this file' }).click()
  await expect(page.getByRole('alert')).toContainText('not a PMTiles file')
  await page.getByRole('textbox', { name: 'Path of the map file' }).fill(file)
  await page.getByRole('button', { name: 'Choose this file' }).click()
  await expect(page.getByText('Town One', { exact: true })).toBeVisible()
  await keepPicture(page, testInfo, 'map-settings')

  const answers = noteAnswers(page)
  await openPosition(page, key)
  await expect(page.getByText(/^Offline map, Town One · saved .* · © Map Owner One$/)).toBeVisible()
  await expect.poll(() => coloursOf(page), { message: 'streets, buildings and water' }).toBeGreaterThan(10)
  await keepPicture(page, testInfo, 'offline-map')
  const pieces = () => answers.filter(({ path }) => path.startsWith('/map/'))
  await expect.poll(() => pieces().length).toBeGreaterThan(1)
  for (const piece of pieces())
    expect(piece).toMatchObject({
      path: '/map/offline.pmtiles',
      status: 206,
      range: expect.stringMatching(/^bytes=\d+-\d+$/)
    })

  await page.getByRole('button', { name: 'Zoom out' }).click()
  await leaveInTheMiddle(page)
  rmSync(file)
  await openPosition(page, key)
  await expect(page.getByRole('note')).toContainText('World outline')
  await expect(page.getByRole('note')).toContainText('was moved or deleted')
})

test('online tiles are asked for by the core, only while they are switched on, and never by the page', async ({
  openFitter,
  simulate
}, testInfo) => {
  const asked: string[] = []
  const picture = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64'
  )
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(picture)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    // Training asks for no tiles at all.
    const yard = await simulate({ seed: 63 })
    const { page } = await openFitter()
    await prepareWorkplace(page, yard)
    const key = (await callCore(page, 'discovery.watch', {})).devices[0]!.key
    await openPosition(page, key)
    await leave(page)
    expect(asked).toEqual([])
    await page.evaluate(() => (window.location.hash = '#/settings/maps'))
    const online = page.getByRole('switch', { name: 'Online tiles are off' })
    await page.getByLabel('Address of the tiles').fill('http://tiles.example/{z}/{x}/{y}.png')
    await page.getByLabel('Map attribution').fill('Map Owner One')
    await online.click()
    await expect(page.getByRole('alert')).toContainText('must begin with https')
    await page
      .getByLabel('Address of the tiles')
      .fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}/{z}/{x}/{y}.png`)
    await online.click()
    await expect(page.getByRole('switch', { name: 'Online tiles are on' })).toHaveAttribute('aria-checked', 'true')

    await openPosition(page, key)
    await expect(page.getByText('Online tiles · Map Owner One')).toBeVisible()
    await expect.poll(() => asked.length).toBeGreaterThan(3)
    expect(asked.every((path) => /^\/\d+\/\d+\/\d+\.png$/.test(path))).toBe(true)
    await keepPicture(page, testInfo, 'online-tiles')
    await leave(page)

    await page.evaluate(() => (window.location.hash = '#/settings/maps'))
    await page.getByRole('switch', { name: 'Online tiles are on' }).click()
    await expect(page.getByRole('switch', { name: 'Online tiles are off' })).toHaveAttribute('aria-checked', 'false')
    const before = asked.length
    await openPosition(page, key)
    await page.getByRole('button', { name: 'Zoom out' }).click()
    await leave(page)
    expect(asked.length).toBe(before)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('the session is shown again by drag, by key and by play, and comes back to now', async ({
  openFitter
}, testInfo) => {
  const { page } = await openFitter('training')
  const { key } = await findDevice(page)
  await openPosition(page, key)
  const slider = page.getByRole('slider', { name: 'Moment shown' })
  await expect(slider).toHaveAttribute('aria-valuetext', /^now, \d/)
  await expect
    .poll(async () => Number(await slider.getAttribute('aria-valuemax')), { timeout: 30_000 })
    .toBeGreaterThan(4)
  const box = await slider.boundingBox()
  await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 20)
  await expect(page.locator('.map-tag-replay')).toContainText(/^Replay, \d\d:\d\d:\d\d$/)
  await keepPicture(page, testInfo, 'replay')
  await slider.press('End')
  await expect(page.locator('.map-tag-replay')).toHaveCount(0)
  await slider.press('Home')
  await expect(page.locator('.map-tag-replay')).toContainText(/^Replay, /)
  await page.getByRole('button', { name: 'Back to now' }).click()
  await expect(slider).toHaveAttribute('aria-valuetext', /^now, \d/)
  await page.getByRole('button', { name: 'Play this session' }).click()
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect(page.locator('.map-tag-replay')).toContainText(/^Replay, /)
  // The way is kept by the core: whoever comes back finds it.
  const lengthS = Number(await slider.getAttribute('aria-valuemax'))
  await leave(page)
  await openPosition(page, key)
  await expect.poll(async () => Number(await slider.getAttribute('aria-valuemax'))).toBeGreaterThanOrEqual(lengthS)
})
