import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createDiscovery, probeDevice, type Discovery } from '../../../../main/device/discovery/index.ts'
import { createDeviceClient } from '../../../../main/device/client/client.ts'
import { whyNoImei } from '../../../../main/base/reading/imeiSentence.ts'
import { readLabelText } from '../../../../main/base/reading/labelText.ts'
import { isValidImei, namedDigits, parseDeviceName, readAnnouncedName } from '../../../../preload/contract/base/imei.ts'
import { message } from '../../../../preload/contract/messages.ts'

const zeros = '000000000000000'
/** Most of them end in the right check digit. */
const placeholders = [
  zeros,
  '111111111111119',
  '222222222222228',
  '999999999999994',
  '123456789012347',
  '012345678901237',
  '987654321098767',
  '000000000000018',
  '000000009999993'
]

test.each<[text: string, digits: string | undefined]>([
  ['356307042441013', '356307042441013'],
  ['356307042441014', '356307042441014'],
  ['000000000000000:8080', zeros],
  ['ft4-356307042441014', '356307042441014'],
  ['FT4-356307042441014.local', '356307042441014'],
  ['my-ft4-356307042441014-2.local.:8080', '356307042441014'],
  ['35630704244101', undefined],
  ['3563070424410133', undefined],
  ['ft4-35630704244101', undefined],
  ['ft4-356307042441014.example.com', undefined],
  ['192.0.2.15', undefined],
  ['', undefined]
])('the digits by which %j names a device, right or wrong: %s', (text, digits) => {
  expect(namedDigits(text)).toBe(digits)
})

const servers: Server[] = []
const discoveries: Discovery[] = []
afterEach(async () => {
  for (const discovery of discoveries.splice(0)) discovery.stop()
  await Promise.all(
    servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  )
})

/** A device with this host name. */
async function deviceCalled(hostname: string): Promise<string> {
  const server = createServer((_request, answer) =>
    answer.setHeader('content-type', 'application/json').end(JSON.stringify({ hostname, uptime: 60 }))
  )
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

function discoveryOnNoCard(): Discovery {
  const discovery = createDiscovery({ probe: probeDevice, models: () => ['syrus4'], interfaces: () => ({}) })
  discoveries.push(discovery)
  return discovery
}

describe('A placeholder in the place of an IMEI', () => {
  test.each(placeholders)('%s is no IMEI, no name of a device and no label', (number) => {
    expect(isValidImei(number)).toBe(false)
    for (const name of [`syrus4-${number}`, `SYRUS4-${number}.local.`, `syrus4-${number}-2.local`])
      expect([parseDeviceName(name), readAnnouncedName(name)]).toEqual([undefined, undefined])
    for (const label of [number, `IMEI: ${number}`, `syrus4-${number}`])
      expect(readLabelText(label)).toEqual({ kind: 'none', detail: message('label.placeholder', { number }) })
  })

  test.each(['490154203237518', '867698040023056', '356938035643809', '861234000000011', '350000000000006'])(
    '%s is an IMEI',
    (number) => {
      expect(isValidImei(number)).toBe(true)
      expect(readLabelText(`IMEI ${zeros} IMEI ${number}`)).toEqual({ kind: 'imei', imei: number })
    }
  )

  test('is refused where its number is typed, and where its address is', async () => {
    const discovery = discoveryOnNoCard()
    const hostname = `syrus4-${zeros}`
    expect(await discovery.findImei(zeros)).toEqual({
      kind: 'badImei',
      detail: message('label.placeholder', { number: zeros })
    })
    const [one, other] = [await deviceCalled(hostname), await deviceCalled(hostname)]
    for (const address of [one, other])
      expect(await discovery.addAddress(address)).toEqual({
        kind: 'notADevice',
        detail: message('device.placeholderName', { hostname })
      })
    expect(discovery.table().devices).toEqual([])
  })

  test('has a sentence that says why no job is prepared for it', () => {
    for (const imei of placeholders) expect(whyNoImei(imei)).toBeDefined()
    expect(whyNoImei('861234000000011')).toBeUndefined()
  })

  test('is not another device: nothing is sent, and the sentence says why', async () => {
    const hostname = `syrus4-${zeros}`
    const device = createDeviceClient({ address: await deviceCalled(hostname), imei: '861234000000011' })
    await expect(device.wifi.stop()).rejects.toMatchObject({
      code: 'UNREADABLE',
      sentence: message('device.placeholderName', { hostname })
    })
  })
})
