import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startBrowserHost } from '../main/app/browserHost/index.ts'
import { openWithSystem } from '../main/app/browserHost/systemOpener.ts'
import { onEndSignal } from '../main/app/endSignals.ts'
import { openWorkplace } from '../main/app/workplace.ts'
import { findOutsidePage } from '../main/base/page/outsidePages.ts'
import { projectFolder } from './build.ts'

/**
 * The core that `npm run dev` starts again after each change: `devCore.ts DATA-FOLDER PORT real|training`. It serves no
 * page of its own. Each message from its parent asks for another address.
 */
const [dataFolder = '', port = '0', start = 'real'] = process.argv.slice(2)
const host = openWorkplace({
  dataFolder,
  frontEnd: 'browser',
  resourcesFolder: join(projectFolder, 'resources'),
  start: start === 'training' ? 'training' : 'real',
  openPage: (page) => openWithSystem(findOutsidePage(page, [projectFolder, join(projectFolder, 'out')]))
})
const rendererFolder = join(projectFolder, 'out', 'dev')
mkdirSync(rendererFolder, { recursive: true })
writeFileSync(join(rendererFolder, 'index.html'), '<!doctype html><title>The page comes from Vite</title>\n')
const page = await startBrowserHost({ host, rendererFolder, port: Number(port), keptIn: dataFolder })
const ready = { url: page.url, port: page.port }
process.send?.(ready)
process.on('message', () => process.send?.({ ...ready, url: page.issueKey() }))

let isEnding = false
async function end(): Promise<void> {
  if (isEnding) return
  isEnding = true
  await page.stop()
  const left = await host.outputsOff()
  if (left) console.error(left.sentence)
  await host.stop()
  process.exit(0)
}
onEndSignal(() => void end())
// Without its parent nobody reaches this core.
process.on('disconnect', () => void end())
