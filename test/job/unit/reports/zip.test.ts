import { open, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createZipFile } from '../../../../main/job/reports/zip.ts'
import { readZip } from '../../../world/data/bundles/readZip.ts'
import { fileFolder } from '../../../world/window/installation.ts'

const folder = fileFolder()
const at = new Date(2026, 10, 20, 16, 30)

async function written(name: string, write: (zip: ReturnType<typeof createZipFile>) => Promise<void>, most = Infinity) {
  const file = path.join(folder, name)
  const handle = await open(file, 'wx')
  try {
    await write(
      createZipFile(handle, (bytes) => {
        if (bytes > most) throw new RangeError('No room')
      })
    )
  } finally {
    await handle.close()
  }
  return readFile(file)
}

/** Pieces that cannot be packed any smaller, and whether their reader let them go. */
function pieces(count: number) {
  const state = { read: 0, isEnded: false }
  async function* all() {
    try {
      for (; state.read < count; state.read += 1) {
        await setImmediate()
        yield crypto.getRandomValues(new Uint8Array(50_000))
      }
    } finally {
      state.isEnded = true
    }
  }
  return { state, all: all() }
}

test('an archive has each file under its name in any letters, in the order in which they were added', async () => {
  const bytes = await written('letters.zip', async (zip) => {
    expect(await zip.add('Íñigo 車.txt', [Buffer.from('one'), Buffer.from('two')], at)).toEqual({
      bytes: 6,
      sha256: '25b6746d5172ed6352966a013d93ac846e1110d5a25e8f183b5931f4688842a1'
    })
    await zip.add('empty.txt', [], at)
    expect((await zip.add('long.bin', pieces(40).all, at)).bytes).toBe(2_000_000)
    await zip.end()
  })
  const files = [...readZip(bytes)]
  expect(files.map(([name, { length }]) => [name, length])).toEqual([
    ['Íñigo 車.txt', 6],
    ['empty.txt', 0],
    ['long.bin', 2_000_000]
  ])
})

test('an archive that becomes too long fails with its reason, and its source is let go', async () => {
  const { state, all } = pieces(10_000)
  const failing = written('room.zip', async (zip) => void (await zip.add('long.bin', all, at)), 1_000_000)
  await expect(failing).rejects.toThrow('No room')
  await expect.poll(() => state.isEnded).toBe(true)
  expect(state.read).toBeLessThan(100)
})

test('an archive whose directory has no room fails too', async () => {
  const failing = written(
    'end.zip',
    async (zip) => {
      await zip.add('a.txt', [Buffer.from('a')], at)
      await zip.end()
    },
    60
  )
  await expect(failing).rejects.toThrow('No room')
})

test('a source that fails is the failure of the archive', async () => {
  async function* broken() {
    yield Buffer.from('a')
    await setImmediate()
    throw new RangeError('No more')
  }
  await expect(written('source.zip', async (zip) => void (await zip.add('a.txt', broken(), at)))).rejects.toThrow(
    'No more'
  )
})
