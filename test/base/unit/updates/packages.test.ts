import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sayNotByItself, type InstalledAs } from '../../../../main/base/updates/notByItself.ts'
import { createPackages } from '../../../../main/base/updates/packages.ts'
import { memoryFolder } from '../../../world/memoryFolder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(memoryFolder, 'fitter-packages-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(version: string, name: string): string {
  mkdirSync(join(folder, version), { recursive: true })
  writeFileSync(join(folder, version, name), version)
  return join(folder, version, name)
}

describe('the packages on this computer', () => {
  it('contain the one before the installed version, and no other', () => {
    for (const version of ['2.2.0', '2.3.0', '2.4.0', '2.5.0']) write(version, 'Fitter.AppImage')
    write('2.4.0', 'Fitter.AppImage.part')
    const packages = createPackages(folder)
    expect(packages.before('2.4.0')).toEqual({ version: '2.3.0', file: join(folder, '2.3.0', 'Fitter.AppImage') })
    packages.keepOnly(['2.4.0', '2.3.0', '2.5.0'])
    expect(readdirSync(folder).sort()).toEqual(['2.3.0', '2.4.0', '2.5.0'])
    expect(readdirSync(join(folder, '2.4.0'))).toEqual(['Fitter.AppImage'])
    expect(createPackages(folder).before('2.3.0')).toBeNull()
  })

  it('keep the running AppImage before it is replaced', async () => {
    const program = join(folder, 'Fitter.AppImage')
    writeFileSync(program, 'the running one')
    await createPackages(folder).keepRunning('2.4.0', program)
    writeFileSync(program, 'the new one')
    const before = createPackages(folder).before('2.5.0')
    expect([before?.version, readFileSync(before?.file ?? '', 'utf8')]).toEqual(['2.4.0', 'the running one'])
  })

  it('remember the number of the roll-out, also when the file was damaged', () => {
    const packages = createPackages(folder)
    packages.remember({ latest: '2.5.0' })
    expect(createPackages(folder).remembered()).toEqual(packages.remembered())
    writeFileSync(join(folder, 'updates.json'), '{')
    expect(createPackages(folder).remembered()).toMatchObject({ latest: null, checkedAt: null })
  })
})

describe('who updates this Fitter', () => {
  const packed = (change: Partial<InstalledAs>): string | undefined => {
    writeFileSync(join(folder, 'app.asar'), '')
    return sayNotByItself({
      frontEnd: 'desktop',
      platform: 'linux',
      appImage: undefined,
      resourcesPath: folder,
      execPath: join(folder, 'Fitter.exe'),
      ...change
    })?.id
  }

  it('is Fitter only where it can replace itself', () => {
    expect(packed({ resourcesPath: undefined })).toBe('updates.fromSources')
    expect(packed({ frontEnd: 'browser', appImage: '/opt/Fitter.AppImage' })).toBe('updates.inBrowser')
    expect(packed({ appImage: '/opt/Fitter.AppImage' })).toBeUndefined()
    expect(packed({ frontEnd: 'terminal', appImage: '/opt/Fitter.AppImage' })).toBeUndefined()
    expect(packed({})).toBe('updates.fromArchive')
    expect(packed({ platform: 'darwin' })).toBeUndefined()
    expect(packed({ platform: 'win32' })).toBe('updates.fromArchive')
    writeFileSync(join(folder, 'Uninstall Fitter.exe'), '')
    expect(packed({ platform: 'win32' })).toBeUndefined()
    writeFileSync(join(folder, 'package-type'), 'deb\n')
    expect(packed({})).toBe('updates.byPackageManager')
  })
})
