import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDeviceClient, type DeviceClient } from '../../../../main/device/client/client.ts'
import { readEscapedName } from '../../../../main/base/reading/escapedName.ts'

let server: Server
let device: DeviceClient
const received: string[] = []
beforeAll(async () => {
  server = createServer((request, answer) => {
    received.push(request.url ?? '')
    answer.setHeader('content-type', 'application/json').end('{"result":"OK"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  device = createDeviceClient({ address: `127.0.0.1:${(server.address() as AddressInfo).port}` })
})
afterAll(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))

const hex = 'ab'.repeat(32)
const good = 'not-a-secret'

describe('A network', () => {
  test.each<[string, string, string]>([
    ['Maria Cecília', good, '/wifi/add/Maria%20Cec%C3%ADlia/not-a-secret'],
    ['Ana’s iPhone', good, '/wifi/add/Ana%E2%80%99s%20iPhone/not-a-secret'],
    ["Bob's; reboot | cat", good, "/wifi/add/Bob's%3B%20reboot%20%7C%20cat/not-a-secret"],
    ['x'.repeat(32), '12345678', `/wifi/add/${'x'.repeat(32)}/12345678`],
    ['^-^', 'p'.repeat(63), `/wifi/add/%5E-%5E/${'p'.repeat(63)}`],
    ['Yard', hex, `/wifi/add/Yard/${hex}`],
    ['Guests', '', '/wifi/add/Guests']
  ])('%s is sent with its real bytes', async (ssid, password, path) => {
    received.length = 0
    await device.wifi.add({ ssid, password })
    if (password !== '') await device.hotspot.edit({ name: ssid, password })
    expect(received).toEqual([path, ...(password === '' ? [] : [path.replace('/wifi/add/', '/hotspot/edit/')])])
  })

  test.each<[string, string, string]>([
    ['', good, 'nameEmpty'],
    ['í'.repeat(17), good, 'nameLong'],
    ['x'.repeat(33), good, 'nameLong'],
    ['Yard\n', good, 'nameControl'],
    ['\u0000\u0000', good, 'nameControl'],
    ['Maria Cec\\xc3\\xadlia', good, 'nameMarks'],
    ['Yard" ; reboot ; "', good, 'nameMarks'],
    ['$(reboot)', good, 'nameMarks'],
    ['`reboot`', good, 'nameMarks'],
    ['Yard\\', good, 'nameMarks'],
    ['Yard', '1234567', 'passwordLength'],
    ['Yard', 'p'.repeat(64), 'passwordLength'],
    ['Yard', `${hex}0`, 'passwordLength'],
    ['Yard', 'not-a-secret\n', 'passwordMarks'],
    ['Yard', 'not"a"secret', 'passwordMarks'],
    ['Yard', 'not-a-$ecret', 'passwordMarks'],
    ['Yard', 'not-a-`secret`', 'passwordMarks'],
    ['Yard', 'not-a-secret\\', 'passwordMarks']
  ])('%j with %j is refused before anything is sent, as a network and as a hotspot', async (ssid, password, why) => {
    received.length = 0
    for (const sent of [device.wifi.add({ ssid, password }), device.hotspot.edit({ name: ssid, password })]) {
      await expect(sent).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        fate: 'notSent',
        sentence: { id: `wifiText.${why}` }
      })
    }
    expect(received).toEqual([])
  })

  test('that was saved with escapes can be removed, and none whose name ends the quotes', async () => {
    received.length = 0
    await device.wifi.remove({ ssid: 'Maria Cec\\xc3\\xadlia' })
    expect(received).toEqual(['/wifi/remove/Maria%20Cec%5Cxc3%5Cxadlia'])
    for (const ssid of ['a"b', 'a$(b)', 'a`b`', 'a\\', 'a\\\\b'])
      await expect(device.wifi.remove({ ssid })).rejects.toMatchObject({ sentence: { id: 'wifiText.nameMarks' } })
    expect(received).toHaveLength(1)
  })
})

test.each([
  ['Maria Cec\\xc3\\xadlia', 'Maria Cecília'],
  ['\\xF0\\x9F\\x9A\\x9A', '🚚'],
  ['\\x00\\x00', '\0\0'],
  ['a\\\\b \\"c\\"', 'a\\b "c"'],
  ['\\\\x41', '\\x41'],
  // No text: another encoding, a name with real letters, a name that only looks like it.
  ['Caf\\xe9', 'Caf\\xe9'],
  ['Café\\xc3\\xa9', 'Café\\xc3\\xa9'],
  ['C:\\new', 'C:\\new'],
  ['a\\x4', 'a\\x4'],
  ['Yard', 'Yard']
])('the name %j is read as %j', (printed, name) => {
  expect(readEscapedName(printed)).toBe(name)
})
