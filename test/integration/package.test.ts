// @module-tag long
import { getCurrentFuseWire, FuseState, FuseV1Options } from '@electron/fuses'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import afterPack, { type PackContext } from '../../bin/afterPack.ts'
import { buildStale, projectFolder } from '../../bin/build.ts'
import { findScript, toolEnv } from '../../bin/checks.ts'
import { makePassedJob } from '../support/sampleJob.ts'
import { writeElectronFolder, writeProgramWithFuses } from '../support/electronStandInProgram.ts'

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

describe('the packaged application', { timeout: 120_000 }, () => {
  let unpacked: string
  let archive: string[]
  beforeAll(async () => {
    await buildStale(['main', 'preload', 'renderer', 'licences'])
    const electron = join(folder, 'electron')
    const { version } = createRequire(import.meta.url)('electron/package.json') as { version: string }
    writeElectronFolder(electron, version)
    const output = join(folder, 'packages')
    const parameters = ['--linux', '--dir', '--publish', 'never', `-c.electronDist=${electron}`, `-c.directories.output=${output}`]
    await promisify(execFile)(process.execPath, [findScript(['electron-builder', 'electron-builder']), ...parameters], {
      cwd: projectFolder,
      env: toolEnv
    })
    const name = readdirSync(output).find((entry) => entry.endsWith('-unpacked'))
    unpacked = join(output, name ?? 'missing')
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [findScript(['@electron/asar', 'asar']), 'list', join(unpacked, 'resources', 'app.asar')],
      { maxBuffer: 16 * 1024 * 1024 }
    )
    archive = stdout.trim().split('\n').map((line) => line.replaceAll('\\', '/'))
  }, 120_000)

  it('has every fuse as the security rules say', async () => {
    expect(await readFuses(join(unpacked, 'fitter'))).toEqual(wantedFuses)
  })

  it('holds the shell, the page and the resources, and no source, test or map', () => {
    expect(archive).toEqual(
      expect.arrayContaining(['/out/main/electron.mjs', '/out/main/pdfWorker.mjs', '/out/preload/index.cjs', '/out/renderer/index.html', '/resources/endpoints.json', '/resources/messages/en/report.json', '/resources/messages/es/report.json', '/package.json'])
    )
    const ours = archive.filter((path) => !path.startsWith('/node_modules'))
    expect(ours.filter((path) => /^\/(main|renderer|simulator|test|bin|docs)\b|\.map$|\.ts$|\.vue$/.test(path))).toEqual([])
  })

  it('makes a report in the thread that was built for it', async () => {
    const reader = { language: 'es', units: 'metric', timeZone: 'UTC' }
    const input = { job: makePassedJob().job, generatedAt: '2026-11-20T09:00:00.000Z', appVersion: '0.1.0', reader, isTraining: false }
    const worker = new Worker(join(projectFolder, 'out', 'main', 'pdfWorker.mjs'))
    worker.postMessage(input)
    const [answer] = (await once(worker, 'message')) as [{ content: Uint8Array }]
    await worker.terminate()
    expect(Buffer.from(answer.content).toString('latin1', 0, 5)).toBe('%PDF-')
  })

  it('holds the packages that stay outside the bundle, with their native parts beside the archive', () => {
    for (const name of ['better-sqlite3', 'keytar', 'pdfkit', 'fontkit', '@fontsource/inter']) {
      expect(archive).toContain(`/node_modules/${name}/package.json`)
    }
    const native = archive.filter((path) => path.endsWith('.node'))
    expect(native.length).toBeGreaterThan(0)
    for (const path of native) expect([path, existsSync(join(unpacked, 'resources', 'app.asar.unpacked', path))]).toEqual([path, true])
  })

  it('comes with its licences, and with a bill of materials that names what is delivered', () => {
    expect(readFileSync(join(unpacked, 'resources', 'licences.txt'), 'utf8')).toContain('better-sqlite3')
    const bill = JSON.parse(readFileSync(join(unpacked, 'bill-of-materials.cdx.json'), 'utf8')) as { components: { name: string }[] }
    const names = bill.components.map((component) => component.name)
    expect(names).toEqual(expect.arrayContaining(['better-sqlite3', '@github/keytar', 'axios', 'vue', 'zod', 'ws']))
    expect(names).not.toContain('vitest')
  })
})

describe('packaging fails', () => {
  function contextFor(program: string): PackContext {
    return {
      appOutDir: folder,
      electronPlatformName: 'linux',
      packager: { projectDir: projectFolder, appInfo: { productFilename: 'Fitter' }, executableName: program }
    }
  }

  it('when this Electron has a fuse that nobody decided about', async () => {
    writeProgramWithFuses(join(folder, 'ten-fuses'), '1011000111')
    await expect(afterPack(contextFor('ten-fuses'))).rejects.toThrow(/fuse/i)
  })

  it('when a fuse that we need is not there', async () => {
    writeProgramWithFuses(join(folder, 'eight-fuses'), '10110001')
    await expect(afterPack(contextFor('eight-fuses'))).rejects.toThrow(/fuse/i)
  })

  it('when a fuse was removed from the program', async () => {
    writeProgramWithFuses(join(folder, 'removed'), '1011r0011')
    await expect(afterPack(contextFor('removed'))).rejects.toThrow(/no longer has the fuse EnableEmbeddedAsarIntegrityValidation/)
  })

  it('when the program has no fuses at all', async () => {
    await expect(afterPack(contextFor('electron/version'))).rejects.toThrow()
  })
})
