import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answerMap } from '../../../../main/app/maps/answer.ts'
import { createMaps, type Maps } from '../../../../main/app/maps/maps.ts'
import { openStore, type Store } from '../../../../main/data/store/index.ts'
import { makePmtiles } from '../../../world/data/pmtilesFile.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const picture = Buffer.from('89504e470d0a1a0a', 'hex')
let folder: string
let store: Store
let maps: Maps
let file: string
let bytes: Buffer
let asked: string[]
let tiles: Server
let template: string

const open = () => createMaps({ store: store.maps, events: { tell: () => undefined }, userAgent: 'Fitter/test' })
beforeEach(async () => {
  folder = tempFolder()
  store = openStore(folder)
  maps = open()
  file = path.join(folder, 'town.pmtiles')
  bytes = makePmtiles({ latitude: 4.711, longitude: -74.0721 })
  writeFileSync(file, bytes)
  asked = []
  tiles = createServer((request, response) => {
    asked.push(
      `${request.url ?? ''} ${request.headers['user-agent'] ?? ''} ${request.headers.referer ?? 'no referrer'}`
    )
    if (request.url?.startsWith('/5/')) response.writeHead(302, { Location: '/4/1/1.png' }).end()
    else if (request.url?.startsWith('/6/'))
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>no picture')
    else response.writeHead(200, { 'Content-Type': 'image/png' }).end(picture)
  })
  await new Promise<void>((resolve) => tiles.listen(0, '127.0.0.1', resolve))
  template = `http://127.0.0.1:${(tiles.address() as AddressInfo).port}/{z}/{x}/{y}.png`
})
afterEach(async () => {
  maps.stop()
  store.close()
  tiles.closeAllConnections()
  await new Promise((resolve) => tiles.close(resolve))
})

test('the chosen file is given in pieces, with what it is a piece of', async () => {
  await maps.choose(file)
  const answer = await answerMap(maps, '/map/offline.pmtiles', 'bytes=7-106')
  expect(answer.status).toBe(206)
  expect(answer.headers['Content-Range']).toBe(`bytes 7-106/${bytes.length}`)
  expect(Buffer.from(answer.body).equals(bytes.subarray(7, 107))).toBe(true)
  const end = await answerMap(maps, '/map/offline.pmtiles', `bytes=${bytes.length - 10}-${bytes.length + 16_000}`)
  expect([end.status, end.body.length]).toEqual([206, 10])
})

test('no file is given whole, beyond its end, in too large pieces, or before one was chosen', async () => {
  const statusOf = async (range?: string, address = '/map/offline.pmtiles') =>
    (await answerMap(maps, address, range)).status
  expect(await statusOf('bytes=0-99')).toBe(404)
  await maps.choose(file)
  expect(await statusOf()).toBe(416)
  for (const range of [
    'bytes=0-',
    'bytes=-100',
    'bytes=9-3',
    'bytes=0-1,5-6',
    'lines=0-5',
    `bytes=0-${64 * 1024 * 1024}`
  ])
    expect(await statusOf(range), range).toBe(416)
  expect(await statusOf(`bytes=${bytes.length}-${bytes.length + 9}`)).toBe(404)
  maps.forget()
  expect(await statusOf('bytes=0-99')).toBe(404)
})

test('no other path leads to a file', async () => {
  await maps.choose(file)
  for (const address of [
    '/map/',
    '/map/fitter.db',
    '/map/../fitter.db',
    '/map/offline.pmtiles/..',
    '/map/%2e%2e/fitter.db',
    file,
    '/map/online/1/2',
    '/map/online/1/2/0',
    '/map/online/-1/0/0',
    '/map/online/21/0/0'
  ]) {
    expect((await answerMap(maps, address, 'bytes=0-99')).status, address).toBe(404)
  }
})

test('the choice is there again after a new start, and a file that is no map does not replace it', async () => {
  await maps.choose(file)
  const other = path.join(folder, 'other.pmtiles')
  writeFileSync(other, 'no map')
  await expect(maps.choose(other)).rejects.toMatchObject({ code: 'REFUSED', sentence: { id: 'maps.notPmtiles' } })
  expect((await open().state()).offline).toMatchObject({ name: 'town', problem: null })
})

test('online tiles are asked for only while they are switched on, once each, and without telling who looks', async () => {
  const statusOf = async (tile: string) => (await answerMap(maps, `/map/online/${tile}`, undefined)).status
  expect((await maps.state()).online.isOn).toBe(false)
  expect(await statusOf('4/1/2')).toBe(404)
  maps.setOnline({ isOn: true, template, attribution: 'Map Owner One' })
  const [first] = await Promise.all([answerMap(maps, '/map/online/4/1/2', undefined), statusOf('4/1/2')])
  expect([first.status, first.headers['Content-Type'], Buffer.from(first.body).equals(picture)]).toEqual([
    200,
    'image/png',
    true
  ])
  maps.setOnline({ isOn: false, template, attribution: 'Map Owner One' })
  expect(await statusOf('4/1/2')).toBe(404)
  expect(asked).toEqual(['/4/1/2.png Fitter/test no referrer'])
})

test('what is no picture, and what leads on to another address, is not shown', async () => {
  maps.setOnline({ isOn: true, template, attribution: 'Map Owner One' })
  expect((await answerMap(maps, '/map/online/5/1/1', undefined)).status).toBe(404)
  expect((await answerMap(maps, '/map/online/6/1/1', undefined)).status).toBe(404)
  expect(asked.map((one) => one.split(' ')[0])).toEqual(['/5/1/1.png', '/6/1/1.png'])
})

test('an address of tiles is https, whole, without a password, and says whose map it is', () => {
  const idOf = (address: string, attribution = 'Map Owner One') => {
    try {
      maps.setOnline({ isOn: true, template: address, attribution })
      return null
    } catch (error) {
      return (error as { sentence: { id: string } }).sentence.id
    }
  }
  expect(idOf('https://tiles.example/{z}/{x}/{y}.png')).toBeNull()
  expect(idOf('http://tiles.example/{z}/{x}/{y}.png')).toBe('maps.templateHttps')
  expect(idOf('file:///{z}/{x}/{y}.png')).toBe('maps.templateHttps')
  expect(idOf('https://tiles.example/{z}/{x}.png')).toBe('maps.templateParts')
  expect(idOf('{z}{x}{y}')).toBe('maps.templateUnreadable')
  expect(idOf('https://tiles.example/{z}/{x}/{y}/{s}.png')).toBe('maps.templateServers')
  expect(idOf('https://user:word@tiles.example/{z}/{x}/{y}.png')).toBe('maps.templateUser')
  expect(idOf('https://tiles.example/{z}/{x}/{y}.png', '')).toBe('maps.attributionMissing')
})
