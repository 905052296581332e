import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** A page of our own that leads to an address with a key, so that the key stands in no process's arguments. */
export interface RedirectFile {
  /** `file:` address to open in the browser instead. It tells nothing. */
  url: string
  remove(): void
}

/** Arguments of a process can be read by every user of the machine; a file of mode 0600 in a folder of mode 0700 can not. */
export function makeRedirectFile(address: string): RedirectFile {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fitter-open-'))
  const file = path.join(folder, 'open.html')
  const page = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${encodeURI(address)}"><title>Fitter</title>\n`
  fs.writeFileSync(file, page, { mode: 0o600, flag: 'wx' })
  return { url: pathToFileURL(file).href, remove: () => fs.rmSync(folder, { recursive: true, force: true }) }
}
