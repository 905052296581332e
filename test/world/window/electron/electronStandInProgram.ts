import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { NtExecutable, NtExecutableResource, Resource } from 'resedit'

/** Marks the place in Electron's program where its fuses lie (a constant of the `@electron/fuses` package). */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'

/** The fuses as Electron 45 delivers them, in their order: 1 on, 0 off. */
const deliveredFuses = '101100011'

/** A file that has fuses as Electron's program has them, and nothing else. */
export function writeProgramWithFuses(path: string, fuses: string = deliveredFuses): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, withFuses(Buffer.alloc(4096, 1), fuses), { mode: 0o755 })
}

function withFuses(head: Buffer, fuses: string = deliveredFuses): Buffer {
  return Buffer.concat([
    head,
    Buffer.from(sentinel),
    Buffer.from([1, fuses.length]),
    Buffer.from(fuses),
    Buffer.alloc(512, 2)
  ])
}

/** A folder that electron-builder takes for an unpacked Electron of this platform. */
export function writeElectronFolder(
  folder: string,
  version: string,
  platform: 'linux' | 'win32' | 'darwin' = 'linux'
): void {
  const write = (name: string, content: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  write('version', version)
  write('LICENSE', '')
  write('LICENSES.chromium.html', '')
  if (platform === 'darwin') return writeMacApplication(folder, write)
  write('locales/en-US.pak', '')
  mkdirSync(join(folder, 'resources'), { recursive: true })
  if (platform === 'linux') return writeProgramWithFuses(join(folder, 'electron'))
  writeWindowsProgram(join(folder, 'electron.exe'))
}

function writeMacApplication(folder: string, write: (name: string, content: string) => void): void {
  const contents = 'Electron.app/Contents'
  const list = (name: string): string =>
    `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd"><plist version="1.0"><dict><key>CFBundleExecutable</key><string>${name}</string><key>CFBundleIdentifier</key><string>test.electron</string></dict></plist>`
  write(`${contents}/Info.plist`, list('Electron'))
  mkdirSync(join(folder, contents, 'Resources'), { recursive: true })
  for (const part of ['', ' (GPU)', ' (Plugin)', ' (Renderer)']) {
    const helper = `Electron Helper${part}`
    write(`${contents}/Frameworks/${helper}.app/Contents/Info.plist`, list(helper))
    write(`${contents}/Frameworks/${helper}.app/Contents/MacOS/${helper}`, '')
  }
  write(`${contents}/MacOS/Electron`, '')
  // On macOS the fuses lie in the framework.
  writeProgramWithFuses(join(folder, contents, 'Frameworks', 'Electron Framework.framework', 'Electron Framework'))
}

/**
 * A program of Windows with the version record that electron-builder changes, and Electron's fuses behind its sections.
 */
function writeWindowsProgram(path: string): void {
  const program = NtExecutable.createEmpty(false, false)
  const resources = NtExecutableResource.from(program)
  const version = Resource.VersionInfo.createEmpty()
  version.setStringValues({ lang: 1033, codepage: 1200 }, { ProductName: 'Electron' })
  version.outputToResourceEntries(resources.entries)
  resources.outputResource(program)
  program.setExtraData(withFuses(Buffer.alloc(0)))
  writeFileSync(path, Buffer.from(program.generate()))
}
