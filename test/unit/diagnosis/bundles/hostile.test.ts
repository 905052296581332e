import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openBundle } from '../../../../main/diagnosis/bundles/openBundle.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { bundleAttacks } from '../../../support/bundleAttacks.ts'
import { makeBundleFile } from '../../../support/bundleFile.ts'
import { rawZip } from '../../../support/hostileZips.ts'
import { readZip } from '../../../support/readZip.ts'
import { fileFolder } from '../../../support/installation.ts'
import { tempFolder } from '../../../support/tempFolder.ts'

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
