import { mkdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { Message } from '../../../../preload/contract/messages.ts'
import { createOfflineFile, refusePath } from '../../../../main/app/maps/offlineFile.ts'
import { makePmtiles } from '../../../world/data/pmtilesFile.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const town = { latitude: 4.711, longitude: -74.0721 }
let folder: string
let file: string
beforeEach(() => {
  folder = tempFolder()
  file = path.join(folder, 'Town One.pmtiles')
})

const idOf = (problem: Message | null) => problem?.id ?? null

async function problemOf(bytes: Buffer): Promise<string | null> {
  writeFileSync(file, bytes)
  return idOf((await createOfflineFile(file).show()).problem)
}

test('a map file is shown with its name, when it was saved, how close it goes and whose data it is', async () => {
  const bytes = makePmtiles(town)
  writeFileSync(file, bytes)
  utimesSync(file, new Date(), new Date('2026-03-01T10:00:00Z'))
  expect(await createOfflineFile(file).show()).toEqual({
    name: 'Town One',
    savedAt: '2026-03-01T10:00:00.000Z',
    sizeBytes: bytes.length,
    maxZoom: 15,
    attribution: '© Map Owner One',
    problem: null
  })
})

test('what is no map file that can be drawn is refused with its reason', async () => {
  const good = makePmtiles(town)
  const changed = (at: number, value: number) => {
    const bytes = Buffer.from(good)
    bytes[at] = value
    return bytes
  }
  expect(await problemOf(Buffer.from('<html>no map</html>'.repeat(50)))).toBe('maps.notPmtiles')
  expect(await problemOf(Buffer.alloc(0))).toBe('maps.notPmtiles')
  expect(await problemOf(makePmtiles({ ...town, version: 4 }))).toBe('maps.tooNew')
  expect(await problemOf(makePmtiles({ ...town, version: 2 }))).toBe('maps.tooOld')
  expect(await problemOf(makePmtiles({ ...town, tileType: 2 }))).toBe('maps.notVector')
  expect(await problemOf(good.subarray(0, good.length - 500))).toBe('maps.cutOff')
  expect(await problemOf(good.subarray(0, 60))).toBe('maps.cutOff')
  expect(await problemOf(changed(97, 4))).toBe('maps.compression')
  expect(await problemOf(changed(130, 0xff))).toBe('maps.damaged')
})

test('a file that was removed, cut or replaced later is noticed the next time', async () => {
  writeFileSync(file, makePmtiles(town))
  const map = createOfflineFile(file)
  expect((await map.show()).problem).toBeNull()
  truncateSync(file, 400)
  expect(idOf((await map.show()).problem)).toBe('maps.cutOff')
  expect(await map.read(0, 127)).toBeUndefined()
  rmSync(file)
  expect(idOf((await map.show()).problem)).toBe('maps.notThere')
  writeFileSync(file, makePmtiles({ ...town, maxZoom: 9 }))
  expect(await map.show()).toMatchObject({ problem: null, maxZoom: 9 })
})

test('only whole paths of map files are looked at, and no folder', async () => {
  expect(idOf(refusePath('maps/town.pmtiles') ?? null)).toBe('maps.wholePath')
  expect(idOf(refusePath('/etc/passwd') ?? null)).toBe('maps.notPmtiles')
  expect(refusePath('/maps/town.PMTILES')).toBeUndefined()
  mkdirSync(file)
  expect(idOf((await createOfflineFile(file).show()).problem)).toBe('maps.notPmtiles')
})
