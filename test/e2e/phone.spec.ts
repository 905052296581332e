import type { Page } from '@playwright/test'
import { createServer, request as askServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, test, type Yard } from './support/fitter.ts'
import { findBrokenRules } from './support/axe.ts'
import { callCore, expectStep, keepPicture, prepareWorkplace, showStep, startJob } from './support/work.ts'

test.describe.configure({ timeout: 120_000 })

const phoneSize = { width: 390, height: 844 }

/** What the phone must never be sent, whatever the job contains. */
function markers({ device, gateway }: Yard, jobId: string): string[] {
  return [
    device.imei,
    device.imei.slice(-6),
    device.password,
    device.user,
    gateway.password,
    gateway.user,
    gateway.url,
    'Customer One',
    jobId,
    `${device.host}:${device.port}`
  ]
}

async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Show on a phone' }).click()
}

interface Air {
  /** The address of the proxy through which the phone reaches the computer. */
  proxy: string
  /** True: nothing of what the computer sends arrives, and no connection breaks. */
  isStill: boolean
  close(): void
}

/** What is between the phone and the computer. */
async function makeAir(): Promise<Air> {
  const server = createServer((request, response) => {
    const { hostname, port, pathname } = new URL(request.url ?? '')
    const beyond = askServer(
      { host: hostname, port, path: pathname, method: request.method, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.on('data', (part: Buffer) => void (air.isStill || response.write(part)))
        answer.on('end', () => response.end())
      }
    )
    beyond.on('error', () => response.destroy())
    response.on('close', () => beyond.destroy())
    request.pipe(beyond)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const air: Air = {
    proxy: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isStill: false,
    close() {
      server.close()
      server.closeAllConnections()
    }
  }
  return air
}

function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) })
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

test('a phone sees the step of the job, its changes, a silent computer and the end, and nothing else', async ({
  openFitter,
  simulate,
  browser
}, testInfo) => {
  const yard = await simulate({ seed: 61 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  const jobId = await startJob(page, yard, { vehicle: yard.plate })
  await expectStep(page, 'Identity', 'passed')
  await showStep(page, 'Ignition')

  // Off until it is switched on, with one sentence about who sees it.
  await openDialog(page)
  const dialog = page.getByRole('dialog', { name: 'Show this job on a phone' })
  await expect(dialog).toContainText(
    'Shows the running step of this job, read-only, to every phone in this network that has the address.'
  )
  await expect(dialog.getByRole('switch', { name: 'Phone page' })).not.toBeChecked()
  await dialog.getByRole('switch', { name: 'Phone page' }).click()
  await expect(dialog.getByRole('switch', { name: 'Phone page' })).toBeChecked()
  await expect(dialog.getByRole('img', { name: 'Scan the code with the phone’s camera' })).toBeVisible()
  await expect(dialog).toContainText('Waiting for a phone.')
  const address = (await dialog.locator('.address').innerText()).trim()
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}$/)
  expect(await findBrokenRules(page, { within: 'dialog' })).toEqual([])
  await keepPicture(page, testInfo, 'dialog')

  const air = await makeAir()
  const context = await browser.newContext({
    proxy: { server: air.proxy, bypass: '<-loopback>' },
    viewport: phoneSize,
    isMobile: true,
    hasTouch: true,
    colorScheme: 'dark'
  })
  const phone = await context.newPage()
  const wrong: string[] = []
  const sent: string[] = []
  phone.on('console', (message) => wrong.push(message.text()))
  phone.on('pageerror', (error) => wrong.push(error.message))
  phone.on('request', (request) => {
    if (request.url() !== address && request.url() !== `${address}/live`) wrong.push(request.url())
  })
  // Every message of the feed, as the page gets it.
  await phone.exposeFunction('keepMessage', (text: string) => void sent.push(text))
  await phone.addInitScript(() => {
    const { keepMessage } = globalThis as unknown as { keepMessage(text: string): void }
    const Real = EventSource
    globalThis.EventSource = class extends Real {
      constructor(url: string | URL) {
        super(url)
        this.addEventListener('message', ({ data }) => keepMessage(data as string))
      }
    }
  })
  await phone.goto(address)
  await expect(phone.locator('.bar')).toContainText(yard.plate)
  await expect(phone.locator('.which')).toContainText('Ignition')
  await expect(dialog).toContainText('1 phone shows the page.')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('button', { name: 'Phone page is on' })).toBeVisible()

  // A live value changes with the vehicle.
  yard.device.vehicle.turnKey('off')
  await expect(phone.locator('.now .big')).toHaveText('Off')
  yard.device.vehicle.turnKey('on')
  await expect(phone.locator('.now .big')).toHaveText('On')
  await expect(phone.locator('.now small')).toHaveText(/^Device, \d+(\.\d)?\ss ago$/)
  await expect(phone.locator('.line svg')).toBeVisible()
  await keepPicture(phone, testInfo, 'ignition')
  expect(await findBrokenRules(phone)).toEqual([])

  // It cannot press anything.
  expect(await phone.locator('button, a, input, select, form, [onclick], [tabindex]').count()).toBe(0)

  // The step changes with the window.
  await showStep(page, 'External power')
  await expect(phone.locator('.which')).toContainText('External power')
  await showStep(page, 'Ignition')
  await expect(phone.locator('.which')).toContainText('Ignition')

  // The language of the window, and light as the phone has it.
  await callCore(page, 'settings.change', { language: 'es' })
  await expect(phone.locator('.only')).toHaveText('Solo lectura')
  await expect(phone.locator('.which')).toContainText('Encendido')
  await callCore(page, 'settings.change', { language: 'en' })
  await expect(phone.locator('.only')).toHaveText('Read-only')
  const colourOf = () => phone.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const dark = await colourOf()
  await phone.emulateMedia({ colorScheme: 'light' })
  expect(await colourOf()).not.toBe(dark)
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(phoneSize.width)

  // Away from the computer: the page says so by itself, its values turn grey, and it continues.
  air.isStill = true
  await expect(phone.locator('.standing')).toContainText(/The computer has not answered for \d+\ss\./)
  await expect(phone.locator('main')).toHaveClass(/old away/)
  await keepPicture(phone, testInfo, 'away')
  air.isStill = false
  await expect(phone.locator('main')).not.toHaveClass(/away/)
  await expect(phone.locator('.standing')).toBeHidden()

  // The end.
  await callCore(page, 'jobs.cancel', { id: jobId, reason: 'The phone has seen enough' })
  await expect(phone.getByRole('status')).toHaveText('The job has ended. You can close this page.')
  await expect.poll(() => isListening(address)).toBe(false)
  await keepPicture(phone, testInfo, 'ended')

  // Nothing listens either when another job comes on the stage, or when this workplace closes.
  const draft = async () => {
    const made = await callCore(page, 'jobs.create', {
      templateId: 'diagnosis',
      deviceKey: yard.device.imei,
      besideOpenJob: true
    })
    return made.outcome === 'created' ? made.id : ''
  }
  const [second, third] = [await draft(), await draft()]
  const urlOf = async (id: string) => {
    const { cards } = await callCore(page, 'phone.state', {})
    return (await callCore(page, 'phone.start', { jobId: id, cardId: cards[0]?.id ?? '' })).page?.url ?? ''
  }
  const ofSecond = await urlOf(second)
  expect(await isListening(ofSecond)).toBe(true)
  await callCore(page, 'jobs.onStage', {
    id: third,
    stepId: (await callCore(page, 'jobs.show', { id: third })).steps[0]?.id ?? ''
  })
  await expect.poll(() => isListening(ofSecond)).toBe(false)
  const ofThird = await urlOf(third)
  expect(await isListening(ofThird)).toBe(true)
  await callCore(page, 'app.enter', { workplace: 'training' })
  expect(await isListening(ofThird)).toBe(false)

  expect(sent.length).toBeGreaterThan(10)
  const told = sent.join('\n')
  for (const marker of markers(yard, jobId)) expect([marker, told.includes(marker)]).toEqual([marker, false])
  expect(wrong).toEqual([])
  await context.close()
  air.close()
})
