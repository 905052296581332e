// @module-tag long
import { getCurrentFuseWire, FuseState, FuseV1Options } from '@electron/fuses'
import { listPackage } from '@electron/asar'
import { Arch, build, Platform, type PackagerOptions } from 'electron-builder'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildStale, projectFolder } from '../../../bin/build.ts'
import { drawArt } from '../../../bin/drawArt.ts'
import { findMissing, findMissingPictures, listUnsigned } from '../../../bin/package.ts'
import type { PdfReportInput } from '../../../main/job/reports/pdf/pdf.ts'
import type { ReaderSettings } from '../../../preload/base/messages/settings.ts'
import { hasProgram } from '../../world/systemPackages.ts'
import { canRun } from '../../world/data/requirement.ts'
import { makePassedJob } from '../../world/data/sampleJob.ts'
import { writeElectronFolder } from '../../world/window/electron/electronStandInProgram.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fitter-package-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const wantedFuses = {
  RunAsNode: false,
  EnableCookieEncryption: true,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  LoadBrowserProcessSpecificV8Snapshot: false,
  GrantFileProtocolExtraPrivileges: false,
  WasmTrapHandlers: true
}

async function readFuses(program: string): Promise<Record<string, boolean>> {
  const wire = (await getCurrentFuseWire(program)) as unknown as Record<string, unknown>
  const entries = Object.entries(wire).filter(([key]) => /^\d+$/.test(key))
  return Object.fromEntries(entries.map(([key, state]) => [FuseV1Options[Number(key)], state === FuseState.ENABLE]))
}

/**
 * A target of `electron-builder.yml`, the folder it is packed in, and where its program and its resources lie there.
 */
interface Target {
  platform: 'linux' | 'win32' | 'darwin'
  arch: 'x64' | 'arm64'
  folder: string
  program: string
  resources: string
  /** The native files that its computers can load; a universal application for macOS holds those of both processors. */
  native: string[]
}

/** npm installs it for this system alone; `npm run package` says how to add the others. */
const pictureLibrary = (name: string): string[] =>
  globSync(`@img/sharp-${name}/lib/*.node`, { cwd: join(projectFolder, 'node_modules') }).map((path) =>
    path.replaceAll('\\', '/')
  )

const targets: Target[] = (['linux', 'win32', 'darwin'] as const).flatMap((platform) =>
  (['x64', 'arm64'] as const).map((arch): Target => {
    const suffix = arch === 'arm64' ? '-arm64' : ''
    const binaries = (platform === 'darwin' ? ['darwin-arm64', 'darwin-x64'] : [`${platform}-${arch}`]).flatMap(
      (name) => [
        `better-sqlite3/prebuilds/${name}.node`,
        `keytar/prebuilds/${name}/keytar.node`,
        ...pictureLibrary(name)
      ]
    )
    if (platform === 'linux')
      return {
        platform,
        arch,
        folder: `linux${suffix}-unpacked`,
        program: 'fitter-desktop',
        resources: 'resources',
        native: binaries
      }
    if (platform === 'win32')
      return {
        platform,
        arch,
        folder: `win${suffix}-unpacked`,
        program: 'Fitter.exe',
        resources: 'resources',
        native: binaries
      }
    return {
      platform,
      arch,
      folder: `mac${suffix}`,
      program: 'Fitter.app',
      resources: 'Fitter.app/Contents/Resources',
      native: binaries
    }
  })
)

/** The folder of the application for all six targets, packed around a stand-in for Electron. */
async function packAll(output: string): Promise<void> {
  const { version } = createRequire(import.meta.url)('electron/package.json') as { version: string }
  for (const platform of ['linux', 'win32', 'darwin'] as const)
    writeElectronFolder(join(output, 'electron', platform), version, platform)
  await build({
    projectDir: projectFolder,
    publish: 'never',
    targets: new Map(
      [Platform.LINUX, Platform.WINDOWS, Platform.MAC].flatMap((platform) => [
        ...platform.createTarget('dir', Arch.x64, Arch.arm64)
      ])
    ),
    config: {
      directories: { output },
      electronDist: ({ platformName }: { platformName: string }) => join(output, 'electron', platformName)
    }
  } as PackagerOptions)
}

function listArchive(path: string): string[] {
  return listPackage(path, { isPack: false }).map((name) => name.replaceAll('\\', '/'))
}

describe('the packaged application', { timeout: 900_000 }, () => {
  let output: string
  beforeAll(async () => {
    output = join(folder, 'packages')
    await buildStale(['main', 'preload', 'renderer', 'sealPage', 'licences', 'terminal'])
    await packAll(output)
  }, 900_000)

  describe.each(targets)('for $platform $arch', ({ platform, folder: name, program, resources: inside, native }) => {
    let resources: string
    let archive: string[]
    beforeAll(() => {
      resources = join(output, name, inside)
      archive = listArchive(join(resources, 'app.asar'))
    })

    it('has every fuse as the security rules say', async () => {
      expect(await readFuses(join(output, name, program))).toEqual(wantedFuses)
    })

    it('holds the shell, the page and the resources, and no source, test or map', () => {
      expect(archive).toEqual(
        expect.arrayContaining([
          '/out/main/electron.mjs',
          '/out/main/pdfWorker.mjs',
          '/out/main/bridge.js',
          '/out/preload/index.cjs',
          '/out/renderer/index.html',
          '/resources/endpoints.json',
          '/resources/messages/en/job/report.json',
          '/resources/messages/es/job/report.json',
          '/package.json'
        ])
      )
      const tops = new Set(archive.map((path) => path.split('/')[1]))
      expect([...tops].sort()).toEqual(['node_modules', 'out', 'package.json', 'resources'])
      expect(archive.filter((path) => /\.map$|\.vue$|^\/resources\/packaging/.test(path))).toEqual([])
    })

    it('holds only the packages that cannot be bundled, and of native files those that it can load, beside the archive', () => {
      for (const kept of ['better-sqlite3', 'keytar', 'sharp', 'libheif-js', 'pdfkit', 'fontkit', '@fontsource/inter'])
        expect(archive).toContain(`/node_modules/${kept}/package.json`)
      expect(archive).toContain('/out/renderer/assets/countries-50m.json')
      for (const bundled of ['vue', 'axios', 'zod', 'ws', 'csv-parse', 'electron-updater'])
        expect(archive).not.toContain(`/node_modules/${bundled}/package.json`)
      const packed = archive.filter((path) => path.endsWith('.node'))
      expect(packed.map((path) => path.replace('/node_modules/', '')).sort()).toEqual([...native].sort())
      for (const path of packed)
        expect([path, existsSync(join(resources, 'app.asar.unpacked', path))]).toEqual([path, true])
    })

    it('names the keys whose update feed it accepts', () => {
      expect(archive).toContain('/resources/updateSource.json')
      // electron-builder writes it on the other systems with their installers only.
      if (platform === 'linux')
        expect(readFileSync(join(resources, 'app-update.yml'), 'utf8')).toMatch(/^updaterCacheDirName: .+$/m)
    })

    // A package for macOS contains the native files of both processors.
    it(`adds at most ${platform === 'darwin' ? 70 : 47} MB to Electron`, () => {
      expect(sizeOf(resources)).toBeLessThan(platform === 'darwin' ? 70e6 : 47e6)
    })

    it('comes with its licences, its terminal command, and a bill of materials that names what is delivered', () => {
      expect(readFileSync(join(resources, 'licences.txt'), 'utf8')).toContain('better-sqlite3')
      expect(readdirSync(join(resources, 'terminal')).sort()).toEqual([
        'completions',
        'fitter',
        'fitter.1.gz',
        'fitter.cmd'
      ])
      const bill = JSON.parse(readFileSync(join(resources, 'bill-of-materials.cdx.json'), 'utf8')) as {
        components: { name: string }[]
      }
      const names = bill.components.map((component) => component.name)
      expect(names).toEqual(expect.arrayContaining(['better-sqlite3', '@github/keytar', 'axios', 'vue', 'zod', 'ws']))
      expect(names).not.toContain('vitest')
    })
  })

  it('says to macOS why it uses the network and the camera', () => {
    const list = readFileSync(join(output, 'mac', 'Fitter.app', 'Contents', 'Info.plist'), 'utf8')
    for (const key of ['NSLocalNetworkUsageDescription', 'NSCameraUsageDescription', 'NSBonjourServices'])
      expect(list).toContain(`<key>${key}</key>`)
    expect(list).toContain('<string>_workstation._tcp</string>')
  })

  it.runIf(canRun(hasProgram('dpkg-deb'), 'dpkg-deb'))(
    'becomes a Debian package that installs the terminal command, its manual page and its completions',
    async () => {
      const debs = join(folder, 'debs')
      process.env.CUSTOM_FPM_PATH = join(import.meta.dirname, '..', '..', 'world', 'window', 'fpmStandIn.mjs')
      try {
        await build({
          projectDir: projectFolder,
          publish: 'never',
          targets: Platform.LINUX.createTarget('deb', Arch.x64),
          config: { directories: { output: debs }, electronDist: join(output, 'electron', 'linux') }
        } as PackagerOptions)
      } finally {
        delete process.env.CUSTOM_FPM_PATH
      }
      const deb = join(debs, readdirSync(debs).find((name) => name.endsWith('.deb')) ?? 'missing')
      const control = await dpkg('--field', deb)
      expect(control).toMatch(/^Package: fitter$/m)
      expect(control).toMatch(/^Architecture: amd64$/m)
      expect(control).toMatch(/^Depends: .*libnss3.*libsecret-1-0/m)
      expect(control).toMatch(/^Section: utils$/m)
      const files = await dpkg('--contents', deb)
      for (const path of [
        'usr/bin/fitter',
        'usr/share/man/man1/fitter.1.gz',
        'usr/share/bash-completion/completions/fitter',
        'usr/share/applications/fitter-desktop.desktop',
        'usr/share/metainfo/app.fitter.desktop.metainfo.xml',
        'usr/share/icons/hicolor/512x512/apps/fitter-desktop.png',
        'opt/Fitter/fitter-desktop'
      ]) {
        expect(files).toContain(` ./${path}\n`)
      }
      expect(files).toMatch(/^-rwxr-xr-x .* \.\/usr\/bin\/fitter$/m)
      if (!canRun(hasProgram('desktop-file-validate'), 'desktop-file-validate')) return
      const unpacked = join(folder, 'deb')
      await dpkg('--extract', deb, unpacked)
      await promisify(execFile)('desktop-file-validate', [
        join(unpacked, 'usr/share/applications/fitter-desktop.desktop')
      ])
    }
  )
})

async function dpkg(...parameters: string[]): Promise<string> {
  return (await promisify(execFile)('dpkg-deb', parameters, { maxBuffer: 16 * 1024 * 1024 })).stdout
}

function sizeOf(path: string): number {
  return readdirSync(path, { withFileTypes: true }).reduce(
    (sum, entry) =>
      sum + (entry.isDirectory() ? sizeOf(join(path, entry.name)) : statSync(join(path, entry.name)).size),
    0
  )
}

it('makes a report in the thread that was built for it', async () => {
  await buildStale(['main'])
  const reader: ReaderSettings = { language: 'es', units: 'metric', timeZone: 'UTC' }
  const input: PdfReportInput = {
    part: 'evidence',
    fileNames: { customer: 'report.pdf', evidence: 'report-evidence.pdf' },
    job: makePassedJob().job,
    generatedAt: '2026-11-20T09:00:00.000Z',
    appVersion: '0.1.0',
    reader,
    isTraining: false
  }
  const worker = new Worker(join(projectFolder, 'out', 'main', 'pdfWorker.mjs'))
  worker.postMessage(input)
  const [answer] = (await once(worker, 'message')) as [{ result: { content: Uint8Array } }]
  await worker.terminate()
  expect(Buffer.from(answer.result.content).toString('latin1', 0, 5)).toBe('%PDF-')
}, 180_000)

describe('what the installers are made of', () => {
  it.runIf(canRun(hasProgram('makensis'), 'makensis'))('is an installer script that NSIS accepts', async () => {
    const script = join(folder, 'try.nsi')
    const own = join(projectFolder, 'resources', 'packaging')
    writeFileSync(
      script,
      [
        '!include MUI2.nsh',
        'Name Fitter',
        `OutFile "${join(folder, 'try.exe')}"`,
        'Var installMode',
        `!include "${join(own, 'installer.nsh')}"`
      ]
        .concat([
          `!define MUI_WELCOMEFINISHPAGE_BITMAP "${join(own, 'installerSidebar.bmp')}"`,
          '!define MUI_HEADERIMAGE',
          `!define MUI_HEADERIMAGE_BITMAP "${join(own, 'installerHeader.bmp')}"`
        ])
        .concat([
          '!insertmacro MUI_PAGE_WELCOME',
          '!insertmacro MUI_PAGE_INSTFILES',
          '!insertmacro MUI_LANGUAGE English'
        ])
        .concat([
          'Section',
          'StrCpy $installMode "all"',
          '!insertmacro customInstall',
          'WriteUninstaller "$INSTDIR\\un.exe"',
          'SectionEnd',
          'Section un.it',
          'StrCpy $installMode "all"',
          '!insertmacro customUnInstall',
          'SectionEnd'
        ])
        .join('\n')
    )
    await promisify(execFile)('makensis', ['-WX', '-V2', script])
  })

  it.runIf(canRun(hasProgram('appstreamcli'), 'appstreamcli'))(
    'is a description that software centres accept',
    async () => {
      await promisify(execFile)('appstreamcli', [
        'validate',
        '--no-net',
        join(projectFolder, 'resources/packaging/linux/app.fitter.desktop.metainfo.xml')
      ])
    }
  )

  it('is drawn from the sources of the icon: nothing differs by more than the edges', async () => {
    for (const [path, drawn] of await drawArt()) {
      if (!path.endsWith('.png')) continue
      const [now, stored] = [PNG.sync.read(drawn), PNG.sync.read(readFileSync(join(projectFolder, 'resources', path)))]
      expect([path, now.width, now.height]).toEqual([path, stored.width, stored.height])
      const different = pixelmatch(now.data, stored.data, undefined, now.width, now.height, { threshold: 0.2 })
      expect([path, different / (now.width * now.height) < 0.01]).toEqual([path, true])
    }
  }, 180_000)

  it('is an icon for Windows and for macOS with every size', () => {
    const own = join(projectFolder, 'resources', 'packaging')
    const ico = readFileSync(join(own, 'icon.ico'))
    expect(Array.from({ length: ico.readUInt16LE(4) }, (_, index) => ico.readUInt8(6 + 16 * index) || 256)).toEqual([
      16, 24, 32, 48, 64, 128, 256
    ])
    const icns = readFileSync(join(own, 'icon.icns'))
    expect(icns.readUInt32BE(4)).toBe(icns.length)
  })
})

describe('npm run package', () => {
  const nothing = {
    PATH: process.env.PATH,
    XDG_CACHE_HOME: '/nonexistent',
    LOCALAPPDATA: '/nonexistent',
    electron_config_cache: '/nonexistent',
    ELECTRON_BUILDER_CACHE: '/nonexistent'
  }
  // Nothing listens there.
  const unreachable = 'http://127.0.0.1:9/'

  it('says in one sentence that Electron cannot be downloaded, and how to provide it', async () => {
    const plan = { platforms: ['linux', 'win'] as ('linux' | 'win')[], isFolderOnly: true, electron: undefined }
    const sentence = await findMissing(plan, { ...nothing, ELECTRON_MIRROR: unreachable })
    expect(sentence).toMatch(
      /^Electron [\d.]+ for linux and win32 is not on this computer and 127\.0\.0\.1:9 cannot be reached: .*--electron FOLDER/
    )
    expect(sentence?.split('\n')).toHaveLength(1)
  })

  it('says which tools an installer needs, and needs none for the folder', async () => {
    const electron = join(folder, 'given')
    writeElectronFolder(electron, '0.0.0')
    const env = { ...nothing, ELECTRON_BUILDER_BINARIES_MIRROR: unreachable }
    expect(await findMissing({ platforms: ['linux'], isFolderOnly: false, electron }, env)).toMatch(
      /^The tools that make installers .*ELECTRON_BUILDER_BINARIES_MIRROR/
    )
    expect(await findMissing({ platforms: ['linux'], isFolderOnly: true, electron }, env)).toBeUndefined()
    expect(await findMissing({ platforms: ['linux'], isFolderOnly: true, electron: folder }, env)).toMatch(
      /is not the folder of an unpacked Electron/
    )
  })

  it('says how to add the picture library of another system, and never misses that of this one', () => {
    expect(findMissingPictures(['win'], ['arm64'], folder)).toMatch(
      /npm install --no-save --force @img\/sharp-win32-arm64@[\d.]+$/
    )
    expect(findMissingPictures(['mac'], ['x64'], folder)).toMatch(/@img\/sharp-darwin-x64@.* @img\/sharp-darwin-arm64@/)
    if (process.platform === 'linux') expect(findMissingPictures(['linux'], [process.arch])).toBeUndefined()
  })

  it('names what a signature needs, and nothing when it is there', () => {
    expect(listUnsigned(['win', 'mac'], {})).toEqual([
      expect.stringMatching(/Windows.*WIN_CSC_LINK/),
      expect.stringMatching(/macOS.*not signed.*CSC_LINK/),
      expect.stringMatching(/macOS.*not notarised.*APPLE_API_KEY/)
    ])
    expect(
      listUnsigned(['win', 'mac'], { CSC_LINK: 'x', APPLE_API_KEY: 'x', APPLE_API_KEY_ID: 'x', APPLE_API_ISSUER: 'x' })
    ).toEqual([])
    expect(listUnsigned(['linux'], {})).toEqual([])
  })
})
