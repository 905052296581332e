import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Marks the place in Electron's program where its fuses lie (a constant of the `@electron/fuses` package). */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'

/** The fuses as Electron 45 delivers them, in their order: 1 on, 0 off. */
const deliveredFuses = '101100011'

/** A file that has fuses as Electron's program has them, and nothing else. */
export function writeProgramWithFuses(path: string, fuses: string = deliveredFuses): void {
  const wire = Buffer.concat([Buffer.from(sentinel), Buffer.from([1, fuses.length]), Buffer.from(fuses)])
  writeFileSync(path, Buffer.concat([Buffer.alloc(4096, 1), wire, Buffer.alloc(512, 2)]), { mode: 0o755 })
}

/** A folder that electron-builder takes for an unpacked Electron. */
export function writeElectronFolder(folder: string, version: string): void {
  mkdirSync(join(folder, 'resources'), { recursive: true })
  mkdirSync(join(folder, 'locales'))
  writeProgramWithFuses(join(folder, 'electron'))
  for (const [name, content] of Object.entries({ version, LICENSE: '', 'LICENSES.chromium.html': '', 'locales/en-US.pak': '' })) {
    writeFileSync(join(folder, name), content)
  }
}
