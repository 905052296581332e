import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, type Browser, type Page } from '@playwright/test'
import type { CallInput, CallName, CallOutput } from '../../preload/contract/index.ts'
import { projectFolder } from '../../bin/build.ts'
import { makePseudo } from '../../bin/pseudoLanguage.ts'
import { startSimulation, type SimulatedDevice, type SimulatedGateway, type Simulation, type SimulationOptions } from '../../simulator/simulation.ts'
import { startTeamYard, type TeamYard } from '../world/team/teamYard.ts'
import { watchPage } from '../e2e/support/watchPage.ts'
import { endFirstRun } from '../world/data/usedFolder.ts'
import { startFitter, type Running } from '../world/window/fitterProcess.ts'

/**
 * Fitter as its user has it: a process of its own with a data folder, a window in a browser, and a simulated yard
 * around it.
 */
export interface Theatre {
  page: Page
  yard: Simulation
  device: SimulatedDevice
  gateway: SimulatedGateway
  /**
   * What the page did and must never do: log an error, break its own security policy, ask anybody but its own origin.
   */
  misbehaviour: readonly string[]
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>
  /** A real team log with a day's work of others, made when it is wanted first. */
  team(): Promise<TeamYard>
  /** Stops the core's process where it stands, and lets it go on. */
  hold(isHeld: boolean): void
  close(): Promise<void>
}

export interface TheatreOptions {
  simulation?: SimulationOptions
  isTraining?: boolean
  /** The first run appears. */
  isNewComputer?: boolean
  /** Fills the data folder before Fitter opens it. */
  fill?: (dataFolder: string) => void | Promise<void>
  /** English as another language would be: longer, with accents, in brackets. */
  isPseudo?: boolean
  /** The text of the company's policy on this computer. */
  policy?: (gatewayUrl: string) => string
  /** Starts what this Fitter needs around it, and returns its environment. */
  surroundings?: (folder: string) => Promise<{ env: Record<string, string>; stop(): Promise<void> }>
}

export async function openTheatre(browser: Browser, { simulation, isTraining = false, isNewComputer = false, fill, policy, isPseudo = false, surroundings }: TheatreOptions): Promise<Theatre> {
  const folder = mkdtempSync(join(tmpdir(), 'fitter-looks-'))
  const dataFolder = join(folder, 'data')
  await fill?.(dataFolder)
  if (!isNewComputer) endFirstRun(dataFolder)
  const yard = await startSimulation({ mdns: true, gateway: true, story: 'parked', reportEveryMs: 1_000, ...simulation })
  const [device] = yard.devices
  const { gateway } = yard
  if (!device || !gateway) throw new Error('The simulation started without a device or a gateway.')
  const around = await surroundings?.(folder)
  const parameters = ['serve', '--json', '--data', dataFolder, ...(isTraining ? ['--training'] : [])]
  const policyFile = join(folder, 'policy.json')
  if (policy) writeFileSync(policyFile, policy(gateway.url))
  const fitter = startFitter(parameters, { env: { ...(policy ? { FITTER_POLICY_FILE: policyFile } : {}), HOME: folder, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/fitter-looks', ...around?.env } })
  await fitter.saw('"url"', 180_000)
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  if (isPseudo) await speakPseudo(page)
  const address = /"url":"([^"]+)"/.exec(fitter.output())?.[1] ?? ''
  const misbehaviour: string[] = []
  await watchPage(page, new URL(address).origin, misbehaviour)
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).first().waitFor()

  let team: Promise<TeamYard> | undefined

  return {
    page,
    yard,
    device,
    gateway,
    misbehaviour,
    async call(name, input) {
      const result = await page.evaluate(
        ({ name, text }) => window.fitter?.call(name as CallName, JSON.parse(text) as CallInput<CallName>),
        { name, text: JSON.stringify(input) }
      )
      if (!result?.ok) throw new Error(`${name}: ${JSON.stringify(result)}`)
      return result.value as CallOutput<typeof name>
    },
    team: () => (team ??= startTeamYard()),
    hold: (isHeld) => fitter.kill(isHeld ? 'SIGSTOP' : 'SIGCONT'),
    async close() {
      await context.close()
      await end(fitter)
      await (await team)?.close()
      await yard.stop()
      await around?.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** The page's own English texts, changed on their way to it: the rest of the page is as it is delivered. */
async function speakPseudo(page: Page): Promise<void> {
  await page.route(/\/en(\.rest)?-[^/]*\.js$/, async (route) => {
    // The page's name exists in the browser only, so the file is read from the disk.
    const file = join(projectFolder, 'out', 'renderer', 'assets', basename(new URL(route.request().url()).pathname))
    const { texts } = (await import(pathToFileURL(file).href)) as { texts: Record<string, string> }
    const changed = Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, makePseudo(text)]))
    await route.fulfill({ contentType: 'text/javascript', body: `export const texts = ${JSON.stringify(changed)}` })
  })
}

/** Until nothing loads any more and what is late has come; a screen that is never quiet is taken as it is after 4 s. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready
    const [endMs, quietMs] = [performance.now() + 4_000, 400]
    let [text, sinceMs] = ['', performance.now()]
    while (performance.now() < Math.min(endMs, sinceMs + quietMs)) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      const now = (document.querySelector('main')?.textContent ?? '').replaceAll(/\d/g, '0')
      if (now === text && !document.querySelector('.skeleton, [aria-busy="true"]')) continue
      text = now
      sinceMs = performance.now()
    }
  })
}

async function end(fitter: Running): Promise<void> {
  fitter.kill('SIGCONT')
  fitter.kill('SIGTERM')
  await fitter.ended
}

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['FITTER_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']
  })
}
