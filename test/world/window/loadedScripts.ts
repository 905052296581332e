import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { projectFolder } from '../../../bin/build.ts'

export interface LoadedScript {
  name: string
  gzipBytes: number
  /** Libraries that are loaded only where they are needed. */
  holds: ('uplot' | 'leaflet' | 'zxing')[]
}

/** Words that stand in the built file of a library, whatever it is called there. */
const marks = { uplot: 'u-cursor-x', leaflet: 'leaflet-container', zxing: 'NotFoundException' } as const
const assets = join(projectFolder, 'out', 'renderer', 'assets')

/** Writes down every script of the built page that a page asks for from now on. */
export function watchScripts(page: Page): { scripts(): LoadedScript[] } {
  const names = new Set<string>()
  page.on('response', (response) => {
    const name = new URL(response.url()).pathname.split('/').at(-1) ?? ''
    if (name.endsWith('.js') && response.url().includes('/assets/')) names.add(name)
  })
  return { scripts: () => [...names].map(weigh) }
}

function weigh(name: string): LoadedScript {
  const file = readFileSync(join(assets, name))
  const text = file.toString('utf8')
  const holds = (Object.keys(marks) as (keyof typeof marks)[]).filter((library) => text.includes(marks[library]))
  return { name, gzipBytes: gzipSync(file).length, holds }
}

/** Marks when the page shows its first screen. To be called before it is opened. */
export async function markFirstScreen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watcher = new MutationObserver(() => {
      if (!document.querySelector('main h1')) return
      performance.mark('first screen')
      watcher.disconnect()
    })
    watcher.observe(document, { childList: true, subtree: true })
  })
}

/**
 * The scripts that the first screen waited for; the other screens are read after it, while nothing else is to be done.
 */
export async function scriptsOfFirstScreen(page: Page): Promise<LoadedScript[]> {
  const names = await page.evaluate(() => {
    const [{ startTime: shownMs } = { startTime: 0 }] = performance.getEntriesByName('first screen')
    const loaded = performance
      .getEntriesByType('resource')
      .filter(({ name, startTime }) => name.endsWith('.js') && name.includes('/assets/') && startTime < shownMs)
    return loaded.map(({ name }) => name.split('/').at(-1) ?? '')
  })
  return names.map(weigh)
}
