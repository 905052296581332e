import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { NsisUpdater } from 'electron-updater'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createInstaller, installWithNsis } from '../../../main/base/updates/installers.ts'
import { memoryFolder } from '../../world/memoryFolder.ts'
import { fileOf } from '../../world/gateway/updateFeed.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(memoryFolder, 'fitter-installers-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function hostApp() {
  const appUpdateConfigPath = join(folder, 'app-update.yml')
  writeFileSync(
    appUpdateConfigPath,
    'provider: generic\nurl: https://updates.invalid/\nupdaterCacheDirName: fitter-updater\npublisherName: [Fitter Software S.A.S.]\n'
  )
  return {
    version: '2.4.0',
    name: 'Fitter',
    isPackaged: true,
    appUpdateConfigPath,
    userDataPath: folder,
    baseCachePath: join(folder, 'cache')
  }
}

function writePackage(name: string, content: string) {
  const path = join(folder, name)
  writeFileSync(path, content, { mode: 0o755 })
  return { version: '2.5.0', path, file: fileOf(Buffer.from(content), name) }
}

/** The file when it is there, whole. */
function appeared(name: string): Promise<string> {
  return new Promise((resolve) => {
    const look = (): void => {
      const text = existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : ''
      if (!text.endsWith('\n')) return
      watcher.close()
      resolve(text)
    }
    const watcher = watch(folder, look)
    look()
  })
}

describe('an AppImage', () => {
  it('is replaced as a whole when Fitter quits, and can be run', async () => {
    const program = join(folder, 'Fitter.AppImage')
    writeFileSync(program, 'version 2.4.0')
    const installer = createInstaller(hostApp(), 'linux', program)
    expect(installer.program).toBe(program)
    await installer.prepare(writePackage('Fitter-2.5.0-linux-x86_64.AppImage', 'version 2.5.0'))
    expect(readFileSync(program, 'utf8')).toBe('version 2.4.0')
    await installer.installNow()
    expect([readFileSync(program, 'utf8'), statSync(program).mode & 0o777]).toEqual(['version 2.5.0', 0o755])
  })

  it('leaves nothing beside it when the person changes their mind', async () => {
    const program = join(folder, 'Fitter.AppImage')
    writeFileSync(program, 'version 2.4.0')
    const installer = createInstaller(hostApp(), 'linux', program)
    await installer.prepare(writePackage('Fitter-2.5.0-linux-x86_64.AppImage', 'version 2.5.0'))
    expect(readdirSync(folder)).toContain('Fitter.AppImage.new')
    installer.discard?.()
    expect(readdirSync(folder)).not.toContain('Fitter.AppImage.new')
  })

  it('stays when the copy beside it differs from the package', async () => {
    const program = join(folder, 'Fitter.AppImage')
    writeFileSync(program, 'version 2.4.0')
    const verified = writePackage('Fitter-2.5.0-linux-x86_64.AppImage', 'version 2.5.0')
    writeFileSync(verified.path, 'version 6.6.6')
    const installer = createInstaller(hostApp(), 'linux', program)
    await expect(installer.prepare(verified)).rejects.toThrow('differs')
    await expect(installer.installNow()).rejects.toThrow()
    expect(readFileSync(program, 'utf8')).toBe('version 2.4.0')
  })
})

describe('an AppImage beside which somebody puts a file or a link', () => {
  function openProgram() {
    const program = join(folder, 'Fitter.AppImage')
    const target = join(folder, 'target')
    writeFileSync(program, 'version 2.4.0')
    writeFileSync(target, 'mine', { mode: 0o600 })
    return {
      program,
      target,
      beside: `${program}.new`,
      installer: createInstaller(hostApp(), 'linux', program),
      verified: writePackage('Fitter-2.5.0-linux-x86_64.AppImage', 'version 2.5.0')
    }
  }

  it('replaces what is there, and never writes through a link', async () => {
    for (const put of [
      (beside: string, target: string) => symlinkSync(target, beside),
      (beside: string, target: string) => linkSync(target, beside),
      (beside: string) => writeFileSync(beside, 'older and longer than the new version')
    ]) {
      const { program, target, beside, installer, verified } = openProgram()
      put(beside, target)
      await installer.prepare(verified)
      expect([readFileSync(target, 'utf8'), statSync(target).mode & 0o777, lstatSync(beside).isFile()]).toEqual([
        'mine',
        0o600,
        true
      ])
      await installer.installNow()
      expect([readFileSync(program, 'utf8'), lstatSync(program).isFile()]).toEqual(['version 2.5.0', true])
    }
  })

  it('is not installed when the copy was changed or exchanged before Fitter quits, and stays as it was', async () => {
    const exchanges: ((beside: string, target: string) => void)[] = [
      (beside) => writeFileSync(beside, 'version 6.6.6'),
      (beside, target) => (rmSync(beside), symlinkSync(target, beside)),
      (beside) => (rmSync(beside), writeFileSync(beside, 'version 6.6.6')),
      (beside) => (rmSync(beside), mkdirSync(beside)),
      (beside) => rmSync(beside)
    ]
    for (const exchange of exchanges) {
      const { program, target, beside, installer, verified } = openProgram()
      await installer.prepare(verified)
      exchange(beside, target)
      await expect(installer.installNow()).rejects.toThrow()
      expect([readFileSync(program, 'utf8'), lstatSync(program).isFile(), readFileSync(target, 'utf8')]).toEqual([
        'version 2.4.0',
        true,
        'mine'
      ])
      rmSync(beside, { recursive: true, force: true })
    }
  })

  it('is not installed when nothing was prepared, or what was prepared was discarded', async () => {
    const { program, beside, installer, verified } = openProgram()
    writeFileSync(beside, 'version 2.5.0')
    await expect(installer.installNow()).rejects.toThrow()
    await installer.prepare(verified)
    installer.discard?.()
    writeFileSync(beside, 'version 2.5.0')
    await expect(installer.installNow()).rejects.toThrow()
    expect(readFileSync(program, 'utf8')).toBe('version 2.4.0')
  })
})

describe('the installer of Windows', () => {
  function openNsis(verdict: string | null) {
    const asked: string[][] = []
    const updater = new NsisUpdater(undefined, {
      ...hostApp(),
      whenReady: () => Promise.resolve(),
      relaunch: () => undefined,
      quit: () => undefined,
      onQuit: () => undefined
    })
    updater.verifyUpdateCodeSignature = (publishers) => {
      asked.push(publishers)
      return Promise.resolve(verdict)
    }
    return { installer: installWithNsis(updater), asked }
  }
  const script = () =>
    `#!/bin/sh\necho "$@" > '${join(folder, 'ran.tmp')}'\nmv '${join(folder, 'ran.tmp')}' '${join(folder, 'ran')}'\n`

  it('is started without a question, after its publisher was checked', async () => {
    const { installer, asked } = openNsis(null)
    await installer.prepare(writePackage('Fitter-2.5.0-setup-x64.exe', script()))
    expect([asked, existsSync(join(folder, 'ran'))]).toEqual([[['Fitter Software S.A.S.']], false])
    await installer.installNow()
    expect(await appeared('ran')).toBe('--updated /S\n')
  })

  it('of another publisher is never started', async () => {
    const { installer } = openNsis('signed by someone else')
    await expect(installer.prepare(writePackage('Fitter-2.5.0-setup-x64.exe', script()))).rejects.toThrow(
      'not signed by the application owner'
    )
    await expect(installer.installNow()).rejects.toThrow()
    expect(existsSync(join(folder, 'ran'))).toBe(false)
  })

  it('that was exchanged between its preparation and the end of Fitter is never started', async () => {
    const { installer } = openNsis(null)
    await installer.prepare(writePackage('Fitter-2.5.0-setup-x64.exe', script()))
    const given = readdirSync(join(folder, 'cache'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.exe')
    )
    expect(given).toHaveLength(1)
    writeFileSync(join(folder, 'cache', given[0] ?? ''), `#!/bin/sh\ntouch '${join(folder, 'other')}'\n`)
    await expect(installer.installNow()).rejects.toThrow('differs')
  })

  it('that changed after it was verified is never started', async () => {
    const { installer } = openNsis(null)
    const verified = writePackage('Fitter-2.5.0-setup-x64.exe', script())
    writeFileSync(verified.path, '#!/bin/sh\nexit 0\n')
    chmodSync(verified.path, 0o755)
    await expect(installer.prepare(verified)).rejects.toThrow('differs')
  })
})
