import type { Page } from '@playwright/test'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { projectFolder } from '../../../bin/build.ts'
import { expect, test } from '../support/fitter.ts'
import { watchPage } from '../support/watchPage.ts'
import {
  callCore,
  expectStep,
  keepPicture,
  prepareWorkplace,
  runStep,
  showStep,
  stage,
  startJob,
  stepButton
} from '../support/work.ts'

test.describe.configure({ timeout: 120_000 })

test(
  'a page that is loaded again in the middle of a job shows the same state and goes on',
  { tag: '@daily' },
  async ({ openFitter, simulate }, testInfo) => {
    const yard = await simulate({ seed: 41 })
    const { page } = await openFitter()
    await prepareWorkplace(page, yard)
    await startJob(page, yard)
    await expectStep(page, 'Identity', 'passed')
    await expectStep(page, 'External power', 'passed')
    await runStep(page, 'Auto-alignment')
    await page.reload()
    await expectStep(page, 'Identity', 'passed')
    await expectStep(page, 'External power', 'passed')
    await expectStep(page, 'Auto-alignment', 'running')
    await showStep(page, 'Auto-alignment')
    await keepPicture(page, testInfo, 'loaded-again')
    await stage(page).getByRole('button', { name: 'Yes', exact: true }).click()
    await expectStep(page, 'Auto-alignment', 'sent, not confirmed')
  }
)

test('a second window follows the first one live, and can answer in its place', async ({ openFitter, simulate }) => {
  const yard = await simulate({ seed: 42 })
  const { page, openWindow } = await openFitter()
  await prepareWorkplace(page, yard)
  const id = await startJob(page, yard)
  const second = await openWindow()
  await second
    .getByRole('main')
    .getByRole('link', { name: /Standard installation|In progress/ })
    .first()
    .click()
  await expect(second).toHaveURL(new RegExp(id))
  await expectStep(second, 'Identity', 'passed')
  await expectStep(second, 'Ignition', 'running')
  await runStep(page, 'Auto-alignment')
  await expectStep(second, 'Auto-alignment', 'running', 5_000)
  await showStep(second, 'Auto-alignment')
  await stage(second).getByRole('button', { name: 'Yes', exact: true }).click()
  await expectStep(page, 'Auto-alignment', 'sent, not confirmed', 10_000)
  await callCore(second, 'jobs.waive', { id, stepId: 'ignition', reason: 'No key in this vehicle' })
  await expect(stepButton(page, 'Ignition')).toHaveAttribute('title', 'Ignition: No key in this vehicle')
})

test(
  'a server that is killed loses nothing: the job is there, its evidence too, and what ran waits again',
  { tag: '@daily' },
  async ({ context, dataFolder, simulate }, testInfo) => {
    const yard = await simulate({ seed: 43 })
    const first = await startServer(dataFolder)
    // The connection breaks on purpose here: what the browser says about that is no fault of ours.
    const page = await openPage(context.newPage(), first.url)
    await prepareWorkplace(page, yard)
    const id = await startJob(page, yard)
    await expectStep(page, 'External power', 'passed')
    await expectStep(page, 'Inputs', 'running')
    const before = await callCore(page, 'jobs.show', { id })
    await first.kill()
    await page.close()

    const second = await startServer(dataFolder)
    const misbehaviour: string[] = []
    const again = await context.newPage()
    await watchPage(again, new URL(second.url).origin, misbehaviour)
    await openPage(Promise.resolve(again), second.url)
    await again
      .getByRole('main')
      .getByRole('link', { name: /Paused/ })
      .click()
    await expectStep(again, 'Identity', 'passed')
    await expectStep(again, 'External power', 'passed')
    await expectStep(again, 'Inputs', 'waiting')
    await showStep(again, 'Inputs')
    await expect(stage(again)).toContainText('Interrupted: Fitter stopped while this was running')
    await keepPicture(again, testInfo, 'after-the-kill')
    const after = await callCore(again, 'jobs.show', { id })
    for (const step of before.steps) {
      const kept = after.steps.find((one) => one.id === step.id)
      expect(kept?.evidence.slice(0, step.evidence.length), step.id).toEqual(step.evidence)
    }
    expect(misbehaviour).toEqual([])
    await second.kill()
  }
)

async function openPage(opening: Promise<Page>, url: string): Promise<Page> {
  const page = await opening
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

/** `fitter serve` as a person starts it, in a process of its own that can be killed. */
async function startServer(
  dataFolder: string
): Promise<{ url: string; signal(name: NodeJS.Signals): void; kill(): Promise<void> }> {
  const child = spawn(
    process.execPath,
    [join(projectFolder, 'bin', 'fitter'), 'serve', '--json', '--data', dataFolder],
    {
      stdio: ['ignore', 'pipe', 'inherit']
    }
  )
  const url = await readUrl(child)
  return {
    url,
    signal: (name) => void child.kill(name),
    async kill() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
  }
}

async function readUrl({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('The server has no output.')
  for await (const line of createInterface({ input: stdout })) {
    if (line.startsWith('{')) return (JSON.parse(line) as { url: string }).url
  }
  throw new Error('The server ended without an address.')
}

test('a core that falls silent is told, nothing can be pressed, and the page comes back by itself', async ({
  context,
  dataFolder
}, testInfo) => {
  const server = await startServer(dataFolder)
  const page = await openPage(context.newPage(), server.url)
  const bar = page.locator('[popover]').getByRole('alert')
  await expect(bar).toHaveCount(0)

  server.signal('SIGSTOP')
  await expect(bar).toContainText('has not answered')
  await expect(page.locator('.app')).toHaveAttribute('inert')
  await keepPicture(page, testInfo, 'core-silent')
  server.signal('SIGCONT')
  await expect(bar).toHaveCount(0)
  await expect(page.locator('.app')).not.toHaveAttribute('inert')

  await server.kill()
  await expect(bar).toContainText('has not answered')
  // Started anew on the same data, it is where it was, and knows this browser.
  const second = await startServer(dataFolder)
  expect(new URL(second.url).port).toBe(new URL(server.url).port)
  await expect(bar).toHaveCount(0, { timeout: 15_000 })
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await callCore(page, 'app.info', {})).toMatchObject({ frontEnd: 'browser' })
  await second.kill()
})
