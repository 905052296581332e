import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** A page that redirects to an address with a key, so that no process has the key in its arguments. */
export interface RedirectFile {
  /** The `file:` address to open in the browser instead. It contains no secret. */
  url: string
  remove(): void
}

/**
 * Every user of the computer can read the arguments of a process, but not a file of mode 0600 in a folder of mode 0700.
 */
export function makeRedirectFile(address: string): RedirectFile {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fitter-open-'))
  const file = path.join(folder, 'open.html')
  const page = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${encodeURI(address)}"><title>Fitter</title>\n`
  fs.writeFileSync(file, page, { mode: 0o600, flag: 'wx' })
  return { url: pathToFileURL(file).href, remove: () => fs.rmSync(folder, { recursive: true, force: true }) }
}
