import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { OpeningState } from '../../../preload/contract/app/app.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { startBrowserHost } from '../../app/browserHost/index.ts'
import { openWithSystem } from '../../app/browserHost/systemOpener.ts'
import { projectFolder, resourcesFolder } from '../../base/projectFolder.ts'
import { findOutsidePage } from '../../base/page/outsidePages.ts'
import type { OutputsLeft } from '../../app/frontEnd.ts'
import { openWorkplace } from '../../app/workplace.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { givenCredentials, takeTeamPassword } from '../input/environmentCredentials.ts'
import { readWhole } from '../input/inputs.ts'

export const runServe: Command = async (context, _rest, values) => {
  const port = readWhole(values.port, { what: '--port', least: 0, most: 65_535, usual: 0 })
  const host = openWorkplace({
    frontEnd: 'browser',
    dataFolder: context.common.dataFolder,
    resourcesFolder,
    gatewayUrl: context.common.gatewayUrl,
    given: givenCredentials(),
    teamPassword: takeTeamPassword(),
    start: values.training ? 'training' : 'real',
    openPage: (page) => openWithSystem(findOutsidePage(page, [projectFolder, path.join(projectFolder, 'out')]))
  })
  // A page continues: the failure is in the log, and the rest still works.
  context.takeFaults((error) => host.faulted(error))
  context.takeOutputs(async () => (await host.outputsOff())?.sentence ?? message('terminal.offBeforeStop'))
  let left: OutputsLeft | null = null
  try {
    const page = await openPage()
    // The address is the result of this command: its key is shown on purpose.
    process.stdout.write(
      context.terminal.isJson ? `${JSON.stringify({ url: page.url, port: page.port })}\n` : `${page.url}\n`
    )
    context.terminal.say(message('terminal.addressOnce'))
    // The page shows it too, and tries again.
    const first = await host.call('app.opening', {})
    if (first.ok && (first.value as OpeningState).state === 'closed')
      context.terminal.warn((first.value as Extract<OpeningState, { state: 'closed' }>).why)
    if (!context.signal.aborted) await new Promise((resolve) => context.signal.addEventListener('abort', resolve))
    await page.stop()
  } finally {
    left = await host.outputsOff()
    if (left) context.terminal.warn(left.sentence)
    await host.stop()
  }
  return left ? exitCodes.attention : exitCodes.done

  /**
   * A checkout builds the page when it is older than its sources. An installed Fitter has no sources: its page is
   * there.
   */
  async function buildPage(): Promise<void> {
    const builder = path.join(projectFolder, 'bin', 'build.ts')
    if (!existsSync(builder)) return
    const { buildStale } = (await import(/* @vite-ignore */ pathToFileURL(builder).href)) as {
      buildStale(names: string[]): Promise<unknown>
    }
    context.terminal.say(message('terminal.building'))
    await buildStale(['renderer', 'sealPage', 'licences'])
  }

  async function openPage() {
    const rendererFolder = path.join(projectFolder, 'out', 'renderer')
    await buildPage()
    try {
      return await startBrowserHost({ host, rendererFolder, port, keptIn: context.common.dataFolder })
    } catch (error) {
      if (error instanceof AppError) throw error
      throw new AppError(
        'REFUSED',
        message('terminal.pageNotServed', { why: error instanceof Error ? error.message : String(error) })
      )
    }
  }
}
