import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A built page with nothing but what a test puts in it, and something secret beside it. */
export function makePageFolder(files: Record<string, string> = {}): { folder: string; remove(): void } {
  const top = mkdtempSync(join(tmpdir(), 'fitter-page-'))
  const folder = join(top, 'renderer')
  const all = {
    'index.html':
      '<!doctype html><html lang="en"><head><title>Fitter</title><link rel="icon" href="data:,"><script type="module" src="../app.js"></script></head><body></body></html>',
    'app.js': 'document.title = "started"',
    'assets/main.css': 'body { margin: 0 }',
    'notes.exe': 'not part of a page',
    ...files
  }
  for (const [name, content] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  writeFileSync(join(top, 'secret.txt'), 'secret')
  return { folder, remove: () => rmSync(top, { recursive: true, force: true }) }
}
