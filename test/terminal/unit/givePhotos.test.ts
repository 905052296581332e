import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { givePhotos } from '../../../main/terminal/input/givePhotos.ts'
import { tempFolder } from '../../world/tempFolder.ts'

const never = { attach: () => Promise.reject(new Error('Nothing is attached here')) }
const step = { jobId: 'job', stepId: 'photos', purpose: 'other' as const }

test('a file larger than any picture is refused without being read whole, and what is no file as well', async () => {
  const file = path.join(tempFolder(), 'huge.jpg')
  fs.closeSync(fs.openSync(file, 'w'))
  fs.truncateSync(file, 3_000_000_000)
  expect(await givePhotos(never, step, [file])).toMatchObject({ id: 'terminal.fileTooLarge', values: { file } })
  for (const none of ['/dev/zero', path.join(file, 'x'), `/${'n'.repeat(300)}`, tempFolder()])
    expect(await givePhotos(never, step, [none])).toMatchObject({ id: 'terminal.photoNotRead' })
})
