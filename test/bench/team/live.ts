import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import type { Bridge } from '../../../preload/contract/index.ts'
import { sourceResourcesFolder } from '../../../main/app/core.ts'
import { newEntry, readJob, summariseJob } from '../../../main/job/jobs/record/journal.ts'
import { loadShipped } from '../../../main/job/jobs/checklists/shipped.ts'
import { openStore } from '../../../main/data/store/index.ts'
import { writeJoinFile } from '../../../main/team/server/joinFile.ts'
import { inviteLaptop, makeTeam } from '../../../main/team/admin/members.ts'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { startPostgres } from '../../world/team/postgres/postgresServer.ts'
import { fitter, startFitter, type Running } from '../../world/window/fitterProcess.ts'
import { summariseMs } from '../../world/time/measure.ts'

/**
 * From what a technician does on one laptop to the screen of another: two Fitters as processes of their own, a real
 * server, and a browser that shows the team. Measured three times: when the other Fitter tells its window, when the
 * changed row is drawn, and beside them how long the bare way takes (one insert of the same size with a notification,
 * heard by a bare connection).
 */
declare const window: { fitter: Bridge; drawn: Record<string, number>; told: Record<string, number> }

const rounds = process.argv.includes('--quick') ? 10 : 60
const goalMs = 1_000
const say = (text: string) => process.stdout.write(`${text}\n`)

const folder = mkdtempSync(join(tmpdir(), 'fitter-bench-live-'))
const server = await startPostgres()
const running: Running[] = []

const jobId = (n: number) => `live-${String(n).padStart(3, '0')}`

function makeOpenJobs(data: string): void {
  const { templates, profiles } = loadShipped(sourceResourcesFolder)
  const [template, profile] = [templates.get('standard-installation'), profiles.get('standard')]
  if (!template || !profile) throw new Error('The checklists that come with Fitter are not there.')
  const store = openStore(data)
  for (let n = 0; n < rounds; n++) {
    const at = new Date().toISOString()
    const created = newEntry('jobCreated', null, {
      template,
      profile,
      device: { imei: String(350_000_000_000_000 + n), model: 'ft4', address: '127.0.0.1:9' },
      vehicleText: '',
      customer: 'Customer One',
      technician: 'Technician One'
    })
    const vehicle = newEntry('vehicleChosen', null, { id: n + 1, name: `Unit ${String(n).padStart(4, '0')}` })
    store.jobs.append(
      jobId(n),
      [created, vehicle].map((entry) => ({ ...entry, at })),
      (added) => summariseJob(readJob(jobId(n), added))
    )
  }
  store.close()
}

async function joined(name: string, isFilled: boolean): Promise<string> {
  const owner = await server.connect()
  const { login, password } = await inviteLaptop(owner, { team: 'Bench', name, mayWrite: true })
  await owner.end()
  const data = join(folder, name)
  if (isFilled) makeOpenJobs(data)
  const invitation = join(folder, `${name}.json`)
  writeFileSync(
    invitation,
    writeJoinFile({
      team: 'Bench',
      name,
      server: { host: '127.0.0.1', port: server.port, database: 'postgres', user: login, authority: null },
      password
    }),
    { mode: 0o600 }
  )
  const env = { HOME: folder, FITTER_TEAM_PASSWORD: password }
  const done = await fitter(['team', 'join', invitation, '--data', data, '--json'], { env })
  if (done.code !== 0) throw new Error(`${name} did not join: ${done.stderr}${done.stdout}`)
  const serving = startFitter(['serve', '--json', '--data', data], { env })
  running.push(serving)
  await serving.saw('"url"', 120_000)
  return /"url":"([^"]+)"/.exec(serving.output())?.[1] ?? ''
}

async function until(page: Page, name: 'drawn' | 'told', id: string): Promise<number> {
  return (
    await page.waitForFunction(([which, key]) => window[which][key], [name, id] as const, { timeout: 60_000 })
  ).jsonValue() as Promise<number>
}

/** The least that could be done: a row is kept and told, and a connection that listens hears of it. */
async function bareMs(): Promise<number> {
  const [writer, listener] = [await server.connect(), await server.connect()]
  await listener.query('listen bare')
  const heard = new Promise<void>((resolve) => listener.once('notification', () => resolve()))
  const started = performance.now()
  await writer.query(
    "with one as (insert into bare_entry values (repeat('x', 2000)) returning 1) select pg_notify('bare', '') from one"
  )
  await heard
  const tookMs = performance.now() - started
  await Promise.all([writer.end(), listener.end()])
  return tookMs
}

try {
  const owner = await server.connect()
  await raiseSchema(owner)
  await makeTeam(owner, 'Bench')
  await owner.query('create table bare_entry (text text)')
  await owner.end()
  const [fromUrl, toUrl] = [await joined('from', true), await joined('to', false)]
  const browser = await chromium.launch({
    executablePath: process.env['FITTER_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
    timeout: 120_000
  })
  const [from, to] = [
    await (await browser.newContext()).newPage(),
    await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
  ]
  await from.goto(fromUrl)
  await from.locator('main h1').first().waitFor()
  await to.goto(toUrl)
  await to.locator('main h1').first().waitFor()
  await to.evaluate(() => (location.hash = '#/team'))
  await to.locator('[role="grid"] [role="row"]').nth(2).waitFor({ timeout: 60_000 })
  await to.evaluate(() => {
    window.told = {}
    window.drawn = {}
    window.fitter.subscribe((name, payload) => {
      if (name === 'team.news')
        for (const id of (payload as { jobIds: string[] | null }).jobIds ?? []) window.told[id] ??= Date.now()
    })
  })
  await to.waitForFunction(async () => {
    const live = await window.fitter.call('team.watch', { viewer: 'bench', isOn: true })
    return live.ok && live.value.state === 'listening'
  })
  const [told, drawn, bare]: number[][] = [[], [], []]
  for (let n = rounds - 1; n >= 0; n--) {
    const [id, unit] = [jobId(n), `Unit ${String(n).padStart(4, '0')}`]
    const isShown = await to.evaluate(
      ([key, name]) => {
        const rowOf = () =>
          [...document.querySelectorAll<HTMLElement>('[role="grid"] [role="row"]')].find((row) =>
            row.innerText.includes(name)
          )
        const before = rowOf()?.innerText
        if (before === undefined) return false
        const look = () => {
          const present = rowOf()?.innerText
          if (present === before) return void requestAnimationFrame(look)
          window.drawn[key] = Date.now()
        }
        look()
        return true
      },
      [id, unit] as const
    )
    if (!isShown) continue
    const writtenAt = await from.evaluate(async (key) => {
      const at = Date.now()
      const done = await window.fitter.call('jobs.cancel', { id: key, reason: 'Measured' })
      if (!done.ok) throw new Error(JSON.stringify(done))
      return at
    }, id)
    drawn!.push((await until(to, 'drawn', id)) - writtenAt)
    told!.push((await until(to, 'told', id)) - writtenAt)
    bare!.push(await bareMs())
  }
  const line = (name: string, times: number[], goal?: number) => {
    const { medianMs, p95Ms } = summariseMs(times)
    say(
      `${name.padEnd(52)} ${medianMs.toFixed(0)} ms, p95 ${p95Ms.toFixed(0)} of ${String(times.length)}${goal === undefined ? '' : `, goal ${String(goal)}${p95Ms < goal ? '' : '  MISSED'}`}`
    )
  }
  line('step on one laptop -> told to the window of another', told!)
  line('step on one laptop -> drawn on the screen of another', drawn!, goalMs)
  line('bare insert with a notification -> heard', bare!)
  await browser.close()
} finally {
  for (const one of running) one.kill('SIGTERM')
  await Promise.all(running.map(({ ended }) => ended))
  await server.remove()
  rmSync(folder, { recursive: true, force: true })
}
