import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openBundle } from '../../../../../main/support/diagnosis/bundles/openBundle.ts'
import { AppError } from '../../../../../preload/contract/errors.ts'
import { bundleAttacks } from '../../../../world/data/bundles/bundleAttacks.ts'
import { makeBundleFile } from '../../../../world/data/bundles/bundleFile.ts'
import { rawZip, type RawEntry } from '../../../../world/data/bundles/hostileZips.ts'
import { readZip } from '../../../../world/data/bundles/readZip.ts'
import { fileFolder } from '../../../../world/window/installation.ts'
import { tempFolder } from '../../../../world/tempFolder.ts'

const { signal } = new AbortController()

const files = readZip(fs.readFileSync(await makeBundleFile(fileFolder())))

/** The sentence with which it is refused; the bundle opens where it is undefined. */
async function refusalOf(file: string): Promise<string | undefined> {
  try {
    await (await openBundle(file, { signal })).close()
    return undefined
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect(error.code).toBe('INVALID_REQUEST')
    return error.sentence.id
  }
}

test('the same bundle, written by another program, opens', async () => {
  const file = path.join(tempFolder(), 'bundle.zip')
  fs.writeFileSync(file, rawZip({ entries: [...files].map(([name, content]) => ({ name, content, isPacked: true })) }))
  expect(await refusalOf(file)).toBeUndefined()
})

const unixFolder = { madeBy: 0x031e, attributes: (0o040755 << 16) >>> 0, content: Buffer.alloc(0) }
const inFolder = (folder: string): RawEntry[] =>
  [...files].map(([name, content]) => ({ name: `${folder}${name}`, content, isPacked: true }))
const repacked: [name: string, entries: RawEntry[]][] = [
  [
    'with an entry for each folder',
    [{ name: 'snapshots/', ...unixFolder }, { name: 'photos/', content: Buffer.alloc(0) }, ...inFolder('')]
  ],
  ['in one folder', inFolder('fitter-support 2026-11-29 (1)/')],
  ['in one folder with its own entry', [{ name: 'Soporte año/', ...unixFolder }, ...inFolder('Soporte año/')]],
  [
    'by the Finder of macOS',
    [
      { name: 'bundle/', ...unixFolder },
      ...inFolder('bundle/'),
      { name: 'bundle/.DS_Store', content: Buffer.from('x') },
      { name: '__MACOSX/', ...unixFolder },
      ...[...files.keys()].map((name) => ({ name: `__MACOSX/bundle/._${name}`, content: Buffer.from('x') }))
    ]
  ],
  [
    'by the Explorer of Windows',
    [
      ...inFolder(''),
      { name: 'photos/Thumbs.db', content: Buffer.from('x') },
      { name: 'desktop.ini', content: Buffer.from('x') }
    ]
  ]
]

test.each(repacked)('a bundle that was unpacked and packed again %s opens', async (_name, entries) => {
  const file = path.join(tempFolder(), 'bundle.zip')
  fs.writeFileSync(file, rawZip({ entries }))
  expect(await refusalOf(file)).toBeUndefined()
  const bundle = await openBundle(file, { signal })
  expect(bundle.manifest.parts.map(({ name }) => name).sort()).toEqual(
    [...files.keys()].filter((name) => name !== 'manifest.json').sort()
  )
  await bundle.close()
})

test.each([
  ['a file that a person added', 'notes of Ana.docx', 'notes of Ana.docx'],
  ['a name that steers a terminal and turns around', '\u001b[2Jgone\u202egpj.exe', '\ufffd[2Jgone\ufffdgpj.exe'],
  ['a name without an end', `${'a'.repeat(300)}.docx`, 'a'.repeat(80)]
])('%s is named in the refusal', async (_what, name, shown) => {
  const file = path.join(tempFolder(), 'bundle.zip')
  fs.writeFileSync(file, rawZip({ entries: [...inFolder(''), { name, content: Buffer.from('x'), flags: 0x800 }] }))
  await expect(openBundle(file, { signal })).rejects.toMatchObject({
    sentence: { id: 'bundles.unknownFile', values: { name: shown } }
  })
})

test.each(bundleAttacks.map((attack) => [attack.name, attack] as const))(
  'refused with one sentence: %s',
  async (_name, { file, refusal }) => {
    const folder = tempFolder()
    const target = path.join(folder, 'bundle.zip')
    fs.writeFileSync(target, file(files))
    expect(await refusalOf(target)).toBe(refusal)
    expect(fs.readdirSync(folder)).toEqual(['bundle.zip'])
  }
)

test('what is no file is refused with one sentence', async () => {
  const folder = tempFolder()
  if (process.platform !== 'win32') {
    execFileSync('mkfifo', [path.join(folder, 'pipe.zip')])
    expect(await refusalOf(path.join(folder, 'pipe.zip'))).toBe('bundles.notAFile')
  }
  expect(await refusalOf(path.join(folder, 'not-there.zip'))).toBe('bundles.notRead')
  expect(await refusalOf(folder)).toBe('bundles.notAFile')
})
