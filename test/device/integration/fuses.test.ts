import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import afterPack, { type PackContext } from '../../../bin/afterPack.ts'
import { projectFolder } from '../../../bin/build.ts'
import { writeProgramWithFuses } from '../../world/window/electron/electronStandInProgram.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fitter-fuses-'))
  mkdirSync(join(folder, 'resources'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Packs a program that contains these fuses and nothing else. */
async function pack(name: string, fuses?: string): Promise<string> {
  const program = join(folder, name)
  writeProgramWithFuses(program, fuses)
  await packProgram(name)
  return program
}

const packProgram = (name: string): Promise<void> =>
  afterPack({
    appOutDir: folder,
    electronPlatformName: 'linux',
    packager: { projectDir: projectFolder, appInfo: { productFilename: 'Fitter' }, executableName: name }
  } satisfies PackContext)

/** Each fuse as the security rules decide it. */
const decided: [fuse: keyof typeof FuseV1Options, isOn: boolean][] = [
  ['RunAsNode', false],
  ['EnableCookieEncryption', true],
  ['EnableNodeOptionsEnvironmentVariable', false],
  ['EnableNodeCliInspectArguments', false],
  ['EnableEmbeddedAsarIntegrityValidation', true],
  ['OnlyLoadAppFromAsar', true],
  ['LoadBrowserProcessSpecificV8Snapshot', false],
  ['GrantFileProtocolExtraPrivileges', false],
  ['WasmTrapHandlers', true]
]

describe.each([
  ['as Electron delivers them', '101100011'],
  ['all on', '111111111'],
  ['all off', '000000000']
])('a program whose fuses are %s', (name, before) => {
  let wire: Record<string, unknown>
  beforeAll(async () => {
    wire = (await getCurrentFuseWire(await pack(name.replaceAll(' ', '-'), before))) as unknown as Record<
      string,
      unknown
    >
  })
  it.each(decided)('is packed with %s: %s', (fuse, isOn) => {
    expect(wire[FuseV1Options[fuse]]).toBe(isOn ? FuseState.ENABLE : FuseState.DISABLE)
  })
  it('has no fuse that nobody decided about', () => {
    expect(Object.keys(wire).filter((key) => /^\d+$/.test(key))).toHaveLength(decided.length)
  })
})

describe('packaging fails', () => {
  it('when this Electron has a fuse that nobody decided about', () =>
    expect(pack('ten', '1011000111')).rejects.toThrow(/fuse/i))
  it('when a needed fuse is missing', () => expect(pack('eight', '10110001')).rejects.toThrow(/fuse/i))
  it('when a fuse was removed from the program', () =>
    expect(pack('removed', '1011r0011')).rejects.toThrow(
      /no longer has the fuse EnableEmbeddedAsarIntegrityValidation/
    ))
  it('when the program has no fuses at all', () => {
    writeFileSync(join(folder, 'none'), 'no fuses')
    return expect(packProgram('none')).rejects.toThrow()
  })
})

it('packaging runs this hook, and the hook writes the bill of materials with the hash of each delivered package', async () => {
  expect(readFileSync(join(projectFolder, 'electron-builder.yml'), 'utf8')).toMatch(
    /^afterPack: \.\/bin\/afterPack\.ts$/m
  )
  await pack('listed')
  const path = join(folder, 'resources', 'bill-of-materials.cdx.json')
  expect(existsSync(path)).toBe(true)
  const { components } = JSON.parse(readFileSync(path, 'utf8')) as {
    components: { name: string; version: string; hashes?: { alg: string; content: string }[] }[]
  }
  for (const name of ['better-sqlite3', '@github/keytar', 'axios', 'vue', 'zod', 'ws']) {
    expect(components.find((one) => one.name === name)).toMatchObject({
      version: expect.stringMatching(/^\d/),
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]
    })
  }
  expect(components.map(({ name }) => name)).not.toContain('vitest')
})
