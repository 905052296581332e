import { chromium, type BrowserContext, type Page } from '@playwright/test'
import { openStore } from '../../main/data/store/index.ts'
import { expect, test as base } from './support/fitter.ts'
import {
  callCore,
  deviceCard,
  expectStep,
  keepPicture,
  prepareWorkplace,
  showStep,
  stage,
  startJob
} from './support/work.ts'
import {
  drawBars,
  drawSquare,
  encodeCode128,
  encodeCode39,
  writeFilm,
  type Drawing
} from '../world/device/drawnCodes.ts'

/** What the camera of the browser sees; null: there is no camera. `permission` is what the person said when asked. */
interface CameraOptions {
  film: Drawing[] | null
  permission: 'granted' | 'denied'
}

const test = base.extend<CameraOptions>({
  film: [[], { option: true }],
  permission: ['granted', { option: true }],
  // A film is a flag of the browser, so each test has a browser of its own.
  context: async ({ film, permission }, use, testInfo) => {
    const path = testInfo.outputPath('film.y4m')
    if (film && film.length > 0) writeFilm(path, film)
    const browser = await chromium.launch({
      executablePath: process.env.FITTER_CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        ...(film
          ? [
              film.length > 0
                ? '--use-fake-device-for-media-stream'
                : '--use-fake-device-for-media-stream=device-count=1',
              ...(film.length > 0 ? [`--use-file-for-fake-video-capture=${path}`] : [])
            ]
          : []),
        ...(permission === 'granted' ? ['--use-fake-ui-for-media-stream'] : ['--deny-permission-prompts'])
      ]
    })
    const context: BrowserContext = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    await use(context)
    await browser.close()
  }
})

test.describe.configure({ timeout: 90_000 })

// Devices of one seed have the same IMEI in every run: films are drawn before the simulation starts.
const seed = 81
const imei = '861234083150006'
const wrong = `${imei.slice(0, 14)}${(Number(imei[14]) + 1) % 10}`

async function openScan(page: Page) {
  await page.getByRole('navigation').getByRole('link', { name: 'Devices' }).click()
  await page.getByRole('button', { name: 'Scan label' }).click()
  return page.getByRole('dialog')
}

/** How many cameras this page has on. */
function camerasOn(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      (window as unknown as { liveTracks: MediaStreamTrack[] }).liveTracks.filter(
        (track) => track.readyState === 'live'
      ).length
  )
}

/** Takes note of every track that the page gets, to see whether it is off in the end. */
async function watchCameras(page: Page): Promise<void> {
  await page.evaluate(() => {
    const tracks: MediaStreamTrack[] = []
    ;(window as unknown as { liveTracks: MediaStreamTrack[] }).liveTracks = tracks
    const devices = navigator.mediaDevices
    const open = devices.getUserMedia.bind(devices)
    devices.getUserMedia = async (constraints) => {
      const stream = await open(constraints)
      tracks.push(...stream.getTracks())
      return stream
    }
  })
}

/** Keys one right behind the other, as a scanner sends them; Enter behind each line. */
async function typeAsScanner(page: Page, lines: string[]): Promise<void> {
  const keyboard = await page.context().newCDPSession(page)
  const keys = lines.flatMap((line) => [
    ...[...line].map((letter) => ({ key: letter, text: letter, windowsVirtualKeyCode: 0 })),
    { key: 'Enter', text: '\r', windowsVirtualKeyCode: 13 }
  ])
  const startS = Date.now() / 1000
  await Promise.all(
    keys.flatMap((key, index) => {
      const timestamp = startS + index * 0.004
      return [
        keyboard.send('Input.dispatchKeyEvent', { type: 'keyDown', timestamp, ...key }),
        keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', timestamp, ...key })
      ]
    })
  )
  await keyboard.detach()
}

test.describe('with a label in front of the camera', () => {
  test.use({ film: [drawBars(encodeCode128(imei))] })

  test(
    'its IMEI is read, looked up, and the camera is off again',
    { tag: '@daily' },
    async ({ openFitter, simulate }, testInfo) => {
      const yard = await simulate({ seed, openSystemInfo: true })
      expect(yard.device.imei).toBe(imei)
      const { page } = await openFitter()
      await watchCameras(page)
      const dialog = await openScan(page)
      expect(await camerasOn(page)).toBe(0)
      await dialog.getByRole('button', { name: 'Use camera' }).click()
      await expect(dialog.getByRole('textbox')).toHaveValue(imei, { timeout: 20_000 })
      await expect(dialog.getByRole('status')).toContainText('Verified', { timeout: 20_000 })
      await expect.poll(() => camerasOn(page)).toBe(0)
      await keepPicture(page, testInfo, 'found-by-camera')
    }
  )

  test('it proves the identity in a job', async ({ openFitter, simulate }) => {
    const yard = await simulate({ seed })
    const { page } = await openFitter()
    await prepareWorkplace(page, yard)
    await watchCameras(page)
    // A wrong number first: the step asks again.
    await startJob(page, yard, { imei: wrong })
    await expect(stage(page).getByText(/is not a valid IMEI/)).toBeVisible()
    await showStep(page, 'Identity')
    await stage(page).getByRole('button', { name: 'Use camera' }).click()
    await expectStep(page, 'Identity', 'passed', 40_000)
    await expect.poll(() => camerasOn(page)).toBe(0)
  })
})

async function openVehicleCamera(page: Page) {
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'New job' })
  await expect(dialog.getByRole('combobox', { name: 'Vehicle' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Use camera for VIN or plate' }).click()
  return dialog
}

test.describe('with the door label of a vehicle in front of the camera', () => {
  test.use({ film: [drawBars(encodeCode39('1M8GDM9AXKP042788'), { barWidth: 1 })] })

  test('a new job gets its VIN, and the camera is off again', async ({ openFitter, simulate }, testInfo) => {
    await simulate({ seed, openSystemInfo: true })
    const { page } = await openFitter()
    await watchCameras(page)
    const dialog = await openVehicleCamera(page)
    await expect(dialog.getByRole('combobox', { name: 'Vehicle' })).toHaveValue('1M8GDM9AXKP042788', {
      timeout: 20_000
    })
    await expect(dialog).toContainText('Its check digit agrees.')
    await expect.poll(() => camerasOn(page)).toBe(0)
    await keepPicture(page, testInfo, 'vin-read')
  })
})

test.describe('with a plate in front of the camera', () => {
  test.use({ film: [drawBars([])] })

  test('its photo stands over the field while it is typed, and is in the job afterwards', async ({
    openFitter,
    simulate
  }, testInfo) => {
    const yard = await simulate({ seed, openSystemInfo: true })
    const { page } = await openFitter()
    await watchCameras(page)
    await page.getByRole('navigation').getByRole('link', { name: 'Devices' }).click()
    await expect(deviceCard(page, yard.device.imei)).toContainText('Verified', { timeout: 20_000 })
    const dialog = await openVehicleCamera(page)
    await dialog.getByRole('button', { name: 'Take photo of the plate' }).click()
    await expect(dialog.getByRole('img', { name: 'Photo of the plate' })).toBeVisible()
    await expect.poll(() => camerasOn(page)).toBe(0)
    await expect(dialog.getByRole('combobox', { name: 'Vehicle' })).toBeFocused()
    await page.keyboard.type('HLD 007')
    await keepPicture(page, testInfo, 'plate-photo')
    await dialog.getByRole('button', { name: 'Start', exact: true }).click()
    await expect(page).toHaveURL(/#\/job\//)
    const id = page.url().split('/').at(-1) ?? ''
    await expect
      .poll(async () =>
        (await callCore(page, 'jobs.show', { id })).attachments?.map(({ purpose, source }) => [purpose, source])
      )
      .toEqual([['plate', 'webcam']])
    expect((await callCore(page, 'jobs.show', { id })).vehicleText).toBe('HLD 007')
  })
})

test.describe('with a label whose check digit is wrong', () => {
  test.use({ film: [drawBars(encodeCode128(wrong))] })

  test('nothing counts, the reason is said, and closing the dialog switches the camera off', async ({
    openFitter
  }, testInfo) => {
    const { page } = await openFitter()
    await watchCameras(page)
    const dialog = await openScan(page)
    await dialog.getByRole('button', { name: 'Use camera' }).click()
    await expect(dialog.getByRole('alert')).toContainText(`The last digit of ${wrong} does not match`, {
      timeout: 20_000
    })
    await expect(dialog.getByRole('textbox')).toHaveValue('')
    await expect.poll(() => camerasOn(page)).toBe(1)
    await keepPicture(page, testInfo, 'wrong-digit')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect.poll(() => camerasOn(page)).toBe(0)
  })
})

test.describe('with a QR code that holds a whole label', () => {
  test.use({ film: [drawSquare(`MODEL ft4\nIMEI ${imei}\nICCID 8944100030123456789`, 'qr', { dotWidth: 5 })] })

  test('its IMEI is taken out', async ({ openFitter }) => {
    const { page } = await openFitter()
    const dialog = await openScan(page)
    await dialog.getByRole('button', { name: 'Use camera' }).click()
    await expect(dialog.getByRole('textbox')).toHaveValue(imei, { timeout: 20_000 })
  })
})

test.describe('without a camera', () => {
  test.use({ film: null })

  test('it is said in one sentence, and the keyboard goes on working', async ({ openFitter }, testInfo) => {
    const { page } = await openFitter()
    const dialog = await openScan(page)
    await dialog.getByRole('button', { name: 'Use camera' }).click()
    await expect(dialog.getByRole('alert')).toContainText('No camera found')
    await keepPicture(page, testInfo, 'no-camera')
    await dialog.getByRole('textbox').fill(imei)
    await expect(dialog.getByRole('button', { name: 'Find' })).toBeEnabled()
  })
})

test.describe('when the person does not allow the camera', () => {
  test.use({ film: [drawBars(encodeCode128(imei))], permission: 'denied' })

  test('it says where to allow it', async ({ openFitter }) => {
    const { page } = await openFitter()
    const dialog = await openScan(page)
    await dialog.getByRole('button', { name: 'Use camera' }).click()
    await expect(dialog.getByRole('alert')).toContainText('Allow it in the settings', { timeout: 20_000 })
  })
})

test('when another program holds the camera, that is said', async ({ openFitter }) => {
  const { page } = await openFitter()
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () =>
      Promise.reject(new DOMException('Could not start video source', 'NotReadableError'))
  })
  const dialog = await openScan(page)
  await dialog.getByRole('button', { name: 'Use camera' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Another program is using the camera')
})

test('a scanner that types a whole label, line by line with Enter, gives the one IMEI in it', async ({
  openFitter,
  simulate
}) => {
  const yard = await simulate({ seed, openSystemInfo: true })
  const { page } = await openFitter()
  const dialog = await openScan(page)
  await expect(dialog.getByRole('textbox')).toBeFocused()
  await typeAsScanner(page, ['MODEL ft4 REV 2', `IMEI: ${yard.device.imei}`, 'ICCID 8944100030123456789'])
  await expect(dialog.getByRole('textbox')).toHaveValue(yard.device.imei)
  await expect(dialog.getByRole('status')).toContainText('Verified', { timeout: 20_000 })
  // The next scan takes the place of this one.
  await typeAsScanner(page, ['IMEI:490154203237518'])
  await expect(dialog.getByRole('textbox')).toHaveValue('490154203237518')
})

test('a label with two valid IMEIs lets the person choose', async ({ openFitter }, testInfo) => {
  const { page } = await openFitter()
  const dialog = await openScan(page)
  await dialog.getByRole('textbox').fill(`IMEI1 ${imei} IMEI2 490154203237518`)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('The scan contains 2 valid IMEIs')
  await keepPicture(page, testInfo, 'two-imeis')
  await dialog.getByRole('button', { name: '490154203237518' }).click()
  await expect(dialog.getByRole('textbox')).toHaveValue('490154203237518')
})

test('a verified device gets a name, and the name stays', async ({ openFitter, simulate }, testInfo) => {
  const yard = await simulate({ seed, openSystemInfo: true })
  const { page } = await openFitter()
  await page.getByRole('navigation').getByRole('link', { name: 'Devices' }).click()
  const card = deviceCard(page, yard.device.imei)
  await expect(card).toContainText('Verified', { timeout: 20_000 })
  await page.getByRole('region', { name: 'Selected device' }).getByRole('button', { name: 'Add name' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Bench')
  await page.keyboard.press('Enter')
  await expect(card).toContainText('Bench')
  await keepPicture(page, testInfo, 'named')
  await page.reload()
  await expect(card).toContainText('Bench')
})

test('a device known from before is shown with its last vehicle, and found again where nothing announces it', async ({
  openFitter,
  simulate,
  dataFolder
}, testInfo) => {
  const yard = await simulate({ seed, openSystemInfo: true, mdns: false })
  const store = openStore(dataFolder)
  store.knownDevices.remember({
    imei,
    model: 'ft4',
    label: 'Bench',
    lastVehicle: 'Truck 12',
    lastAddress: `127.0.0.1:${yard.device.port}`,
    lastSeenAt: '2026-01-01T10:00:00.000Z'
  })
  store.close()
  const { page } = await openFitter()
  await page.getByRole('navigation').getByRole('link', { name: 'Devices' }).click()
  const known = page.getByRole('region', { name: 'Known, not found now' })
  await expect(known).toContainText('last in Truck 12')
  await keepPicture(page, testInfo, 'known')
  await known.getByRole('button', { name: `Search ${imei}` }).click()
  await expect(deviceCard(page, imei)).toContainText('Verified', { timeout: 20_000 })
  await expect(deviceCard(page, imei)).toContainText('Truck 12')
  await expect(known).toBeHidden()
})

test('the system check is grouped, and can be copied as text', async ({ openFitter, context }, testInfo) => {
  const { page } = await openFitter('training')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(() => (window.location.hash = '#/self-test'))
  await expect(page.getByRole('region', { name: 'Network' })).toContainText('Training uses only this computer', {
    timeout: 20_000
  })
  await expect(page.getByRole('region', { name: 'Network' })).not.toContainText('check this')
  await expect(page.getByRole('region', { name: 'This computer' })).toContainText('The job log in')
  await page.getByRole('button', { name: 'Copy as text' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/^System check, Fitter .*\n\nNetwork\n[^]*- Network cards \[not checked\]: Training/)
  await keepPicture(page, testInfo, 'self-test')
})
