import { mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { chromium } from '@playwright/test'
import { build } from 'vite'
import { contentSecurityPolicy } from '../../main/page/contentSecurityPolicy.ts'

/**
 * Takes pictures of the built window with made-up answers, for a person to look at: `node test/support/screens.ts
 * [folder] [name filter]`. Fails when the page logs an error or breaks its own content security policy.
 */
const folder = process.argv[2] ?? 'test-results/screens'
const filter = process.argv[3] ?? ''
const page = resolve('out/renderer')
const job = '#/job/01JOB0000000000000000000A1'

const scenes: { name: string; query?: string; hash: string; sizes?: [number, number][]; themes?: string[]; act?: string }[] = [
  { name: 'start', hash: '#/start', query: 'online=1' },
  { name: 'devices', hash: '#/devices', query: 'online=1' },
  { name: 'devices-empty', hash: '#/devices', query: 'empty=1', sizes: [[1280, 800]], themes: ['light'] },
  { name: 'device', hash: '#/device/867698040023056', sizes: [[1280, 800]], themes: ['light'] },
  { name: 'job', hash: job },
  { name: 'job-training', hash: job, query: 'training=1', sizes: [[1280, 800], [1024, 640]], themes: ['light', 'dark'] },
  { name: 'job-arm', hash: job, query: 'prompt=arm', sizes: [[1280, 800]] },
  { name: 'job-effect', hash: job, query: 'prompt=effect', sizes: [[1280, 800]], themes: ['light'] },
  { name: 'job-imei', hash: job, query: 'prompt=imei', sizes: [[1280, 800]], themes: ['light'] },
  { name: 'job-value', hash: job, query: 'prompt=value', sizes: [[1280, 800]], themes: ['light'] },
  { name: 'job-choose', hash: job, query: 'prompt=choose', sizes: [[1280, 800]], themes: ['light'] },
  { name: 'job-signoff', hash: job, query: 'prompt=signOff', sizes: [[1280, 800]], themes: ['light'] },
  { name: 'job-failed', hash: job, query: 'result=fail', sizes: [[1280, 800]], themes: ['light', 'dark'] },
  { name: 'job-spanish', hash: job, query: 'language=es', sizes: [[1280, 800], [1024, 640]], themes: ['light'] },
  { name: 'job-zoomed', hash: job, sizes: [[640, 400], [512, 320]], themes: ['light'] },
  { name: 'devices-zoomed', hash: '#/devices', query: 'training=1', sizes: [[640, 400]], themes: ['light'] },
  { name: 'job-wide', hash: job, sizes: [[2560, 1440]], themes: ['light'] },
  { name: 'log', hash: '#/jobs' },
  { name: 'waiting', hash: '#/waiting', sizes: [[1280, 800]] },
  { name: 'settings', hash: '#/settings', query: 'training=1', sizes: [[1280, 800]] },
  { name: 'self-test', hash: '#/self-test', sizes: [[1280, 800]], themes: ['light'] },
  { name: 'new-job', hash: '#/devices', act: 'New job', sizes: [[1280, 800]], themes: ['light', 'dark'] },
  { name: 'sign-in', hash: '#/devices', query: 'training=1', act: 'Sign in', sizes: [[1280, 800]], themes: ['light'] },
  { name: 'scan', hash: '#/devices', act: 'Scan label', sizes: [[1280, 800]], themes: ['light'] },
  { name: 'sweep', hash: '#/devices', act: 'Search this network eth0' },
  { name: 'label', hash: '#/devices', act: 'Rename 867698040023056', sizes: [[1280, 800]], themes: ['light'] },
  { name: 'skip', hash: job, act: 'Skip with a reason', sizes: [[1280, 800]], themes: ['sunlight'] }
]

async function bundleFake(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, lib: { entry: 'test/support/fakeBridgePage.ts', formats: ['iife'], name: 'fake' } }
  })
  const [first] = Array.isArray(built) ? built : [built]
  if (!first || !('output' in first)) throw new Error('The fake bridge could not be bundled.')
  return first.output[0].code
}

const types: Record<string, string> = { html: 'text/html', js: 'text/javascript', css: 'text/css', woff2: 'font/woff2' }
const server = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname
  const file = path === '/' ? 'index.html' : path.slice(1)
  try {
    const body = readFileSync(join(page, file))
    response.writeHead(200, {
      'content-type': types[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      'content-security-policy': contentSecurityPolicy
    })
    response.end(body)
  } catch {
    response.writeHead(404).end()
  }
})
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const address = server.address()
if (address === null || typeof address === 'string') throw new Error('The page is not served.')

mkdirSync(folder, { recursive: true })
const fake = await bundleFake()
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']
})
const problems = new Set<string>()
try {
  for (const scene of scenes.filter((one) => one.name.includes(filter))) {
    for (const theme of scene.themes ?? ['light', 'dark', 'sunlight']) {
      for (const [width, height] of scene.sizes ?? [[1280, 800], [1024, 640], [1920, 1080]]) {
        const context = await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce', timezoneId: 'UTC' })
        await context.addInitScript({ content: fake })
        const tab = await context.newPage()
        tab.on('console', (message) => {
          if (message.type() === 'error') problems.add(`${scene.name}: ${message.text()}`)
        })
        tab.on('pageerror', (error) => problems.add(`${scene.name}: ${error.message}`))
        await tab.goto(`http://127.0.0.1:${String(address.port)}/?theme=${theme}&${scene.query ?? ''}${scene.hash}`)
        await tab.locator('h1').first().waitFor({ timeout: 10_000 })
        await tab.evaluate(() => document.fonts.ready)
        if (scene.act) await tab.getByRole('button', { name: scene.act, exact: true }).first().click()
        const overflow = await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        if (overflow > 0) problems.add(`${scene.name} at ${String(width)}: ${String(overflow)} px too wide`)
        await tab.screenshot({ path: join(folder, `${scene.name}-${theme}-${String(width)}.png`) })
        await context.close()
      }
    }
  }
} finally {
  await browser.close()
  server.close()
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.size > 0 ? 1 : 0
