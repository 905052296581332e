import { describe, expect, it } from 'vitest'
import { parseAddress } from '../../../../main/base/addresses/address.ts'
import { readOpenFiles, readSocketListing } from '../../../../main/device/discovery/portHolders.ts'
import { readProbeAnswer } from '../../../../main/device/discovery/probe.ts'
import { readPacket } from '../../../../main/device/discovery/records.ts'
import { correctGpsEpoch } from '../../../../main/device/client/facts.ts'
import { dateFault } from '../../../../main/base/reading/contradictions.ts'
import { translateDataError } from '../../../../main/data/store/file/errors.ts'
import { readAnnouncedName } from '../../../../preload/contract/base/imei.ts'
import { rssiToDbm } from '../../../../main/gateway/client/decoders/signal.ts'
import { readYesNo } from '../../../../main/job/jobs/orders/readCell.ts'
import { readOrders } from '../../../../main/job/jobs/orders/readOrders.ts'
import { readLabelText } from '../../../../main/base/reading/labelText.ts'
import { lastDigits, simNumber } from '../../../../main/base/reading/simNumber.ts'
import { cleanCell } from '../../../../main/base/reading/spreadsheetCell.ts'
import { isTimeZone } from '../../../../preload/contract/app/settings.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { timeFromOutside } from '../../../../preload/gateway/events/timeFromOutside.ts'
import { hasPosition, isPlace, placeText } from '../../../../preload/base/maps/position.ts'
import { csvLines } from '../../../../preload/base/messages/csvFile.ts'
import { bareMac } from '../../../../preload/base/messages/hiddenMarks.ts'
import { readTypedNumber } from '../../../../preload/base/messages/typedNumber.ts'
import { isPicture } from '../../../../preload/base/photos/isPicture.ts'

it.each([
  ['home-assistant/core#182729', '192.168.2.43', '192.168.2.43:8080'],
  ['home-assistant/core#182729', '192.168.2.43:8080', '192.168.2.43:8080'],
  ['phpipam/phpipam#3038', '10.1.1.1 ', '10.1.1.1:8080'],
  ['ioBroker/ioBroker.ping#98', '10.8.8.8\u00a0', '10.8.8.8:8080'],
  ['netaddr/netaddr#140', 'fe80::1%', undefined],
  ['domoticz/domoticz#5760', 'fe80::6:5605:b4d9:dfe9%eth0', '[fe80::6:5605:b4d9:dfe9%eth0]:8080'],
  ['mrvnklm/homeassistant-desktop#76', 'http:192.168.10.2:8123', undefined],
  ['home-assistant/core#182729', 'http://192.168.2.43', '192.168.2.43:8080'],
  ['home-assistant/core#182729', 'http://192.168.2.43:80/', '192.168.2.43:80'],
  ['sh00t2kill/linktap_local_http_component#98', 'http://192.168.1.123/api.shtml', '192.168.1.123:8080'],
  ['ManageIQ/manageiq-ui-classic#2455', 'HTTP://device.local/path?a=b#c', 'device.local:8080'],
  ['adrienbrault/geekmagic-hacs#68', 'https://192.168.2.43', undefined],
  ['dkarv/ha-komodo#9', '192.168.1.100:9120', '192.168.1.100:9120'],
  ['grafana/synthetic-monitoring-app#166', 'fd00::5', '[fd00::5]:8080'],
  ['a network, not a device', '192.168.2.0/24', undefined],
  ['whatwg/url#392', '[fe80::1%25lo]:80', '[fe80::1%lo]:80'],
  ['nushell/nushell#18880', 'http://[fe80::1%25eth0]/', '[fe80::1%eth0]:8080'],
  ['nushell/nushell#18880', 'http://[fe80::1%eth0]/', '[fe80::1%eth0]:8080'],
  ['psf/requests#5775', 'http://[fe80::1234%2537]', '[fe80::1234%37]:8080'],
  ['psf/requests#6808', 'fe80::1234%25', '[fe80::1234%25]:8080'],
  ['the number of a card of Windows', '[fe80::1%25]:81', '[fe80::1%25]:81'],
  ['avahi/avahi#117', 'my_computer.local', 'my_computer.local:8080']
])('A device address, %s: %j', (_, text, label) => {
  expect(parseAddress(text)?.label).toBe(label)
})

it.each([
  ['gpx-animator/gpx-animator#327', '2020-08-04T13:04:58+0000', '2020-08-04T13:04:58.000Z'],
  ['tkrajina/gpxpy#114', '2018-03-19T15:49:10-07:00', '2018-03-19T22:49:10.000Z'],
  ['evilsocket/pwnagotchi#629', '2019-11-14T12:30:41.097414739+01:00', '2019-11-14T11:30:41.097Z'],
  ['evilsocket/pwnagotchi#708', '2019-11-28T04:44:46.79231Z', '2019-11-28T04:44:46.792Z'],
  ['spencermountain/spacetime#108', '2019-04-01T12:15:00.000+05:30', '2019-04-01T06:45:00.000Z'],
  ['dfandrich/gpscorrelate#33', '2025-07-24T20:22:23.5+03:00', '2025-07-24T17:22:23.500Z'],
  ['google/ExoPlayer#3545', '2017-12-04T14:53:56+00:00', '2017-12-04T14:53:56.000Z'],
  ['geolink/opentracker#15', '15/07/26,00:29:35+0', undefined],
  ['gaborcsardi/parsedate#34', '2014-08-29 9:15:0', '2014-08-29T09:15:00.000Z'],
  ['taylorhakes/fecha#87', '2021-4-8 0:41:42', '2021-04-08T00:41:42.000Z'],
  ['arrow-py/arrow#393', '2016-12-31T23:59:60', '2017-01-01T00:00:00.000Z'],
  ['daleharvey/dh_date#10', '2015-07-01T04:59:60+05:00', '2015-07-01T00:00:00.000Z'],
  ['closeio/ciso8601#110', '1985-04-12T23:20:50,52Z', '1985-04-12T23:20:50.520Z'],
  ['blacksmithgu/obsidian-dataview#277', '2021-06-10T09:39:08-02', '2021-06-10T11:39:08.000Z'],
  ['nim-lang/Nim#6502', '2016-12-31T23:59:61Z', undefined],
  ['a month that does not exist', '2023-13-01T00:00:00Z', undefined],
  ['a day without its number', '2023-1-0 1:2:3', undefined],
  ['a day that does not exist', '2023-02-29T00:00:00Z', undefined]
])('A time, %s: %s', (_, text, expected) => {
  const at = timeFromOutside(text)
  expect(at === undefined ? undefined : new Date(at).toISOString()).toBe(expected)
})

it.each([
  ['imelgrat/barcode-validator#4', 'IMEISV: 3569380356438012', '356938035643809'],
  ['travelping/gtplib#49', '35693803564380', 'label.length'],
  ['traccar/traccar#3070', '000027042385393', 'label.checkDigit'],
  ['traccar/traccar#500', '027042385393', 'label.length'],
  ['Ai-Thinker-Open/GPRS_C_SDK#263', '356938035643800', 'label.checkDigit'],
  ['srlabs/blue-merle#11', 'IMEI 35693803564380', 'label.length'],
  ['RangeNetworks/dev#22', '356938035643800', 'label.checkDigit'],
  ['Repair-DeskPOS/RepairDesk-BUGS-IMPROVEMENTS#1521', 'A0000000001234', 'label.notADigit'],
  ['trikita/obsqr#18', 'S/N 0123456789 IMEI 356938035643809 ICCID 8901260852291475879', '356938035643809']
])('A label, %s: %s', (_, text, expected) => {
  const read = readLabelText(text)
  expect(read.kind === 'imei' ? read.imei : read.detail.id).toBe(expected)
})

it.each([
  ['troglobit/mdnsd#39', 'ft4-356938035643809-2.local', { isRenamed: true }],
  ['keepsimple1/mdns-sd#410', 'ft4-356938035643809-3', { isRenamed: true }],
  ['moltis-org/moltis#349', 'ft4-356938035643809.local.local', undefined],
  ['learningequality/kolibri#14944', 'ft4-356938035643809.site.local', undefined]
])('A host name, %s: %s', (_, name, expected) => {
  const read = readAnnouncedName(name)
  if (expected === undefined) expect(read).toBeUndefined()
  else expect(read).toMatchObject(expected)
})

it.each([
  ['commaai/openpilot#38021', '8944476500008878576F', '8944476500008878576'],
  ['CursedHardware/InfiLPA#8', '8944476500008878576f', '8944476500008878576'],
  ['bifravst/e118-iin-list#65', '898604B7192271001234', '898604B7192271001234'],
  ['bifravst/e118-iin-list#48', '89370000000021XXXXXX', undefined],
  ['arduino-libraries/MKRNB#5', '+CCID: 8901260882217768982', '8901260882217768982'],
  ['QuickSpot/walter-arduino#126', '+SQNCCID:"8901260882217768982"', '8901260882217768982'],
  ['a label', 'ICCID: 8901260882217768982', '8901260882217768982'],
  ['vshymanskyy/TinyGSM#304', "'+CCID=8901260882217768982F'", '8901260882217768982'],
  ['a filling at the front', 'F8901260882217768982', '8901260882217768982'],
  ['telit/arduino-me310-library#17', '89012608822177689821', '89012608822177689821'],
  ['another number', 'EID: 89049032000001000000012345678901', undefined]
])('A SIM number, %s: %s', (_, text, expected) => {
  expect(simNumber(text)).toBe(expected)
})

it('The last digits of a SIM number are those on the card, commaai/openpilot#38021', () => {
  expect(['8944476500008878576F', '"8944476500008878576"', 'unknown'].map((sim) => lastDigits(sim, 4))).toEqual([
    '8576',
    '8576',
    'nown'
  ])
})

it.each([
  ['Xinyuan-LilyGO/LilyGO-T-SIM7000G#140', 99, null],
  ['fildunsky/luci-app-5gmodem#4', 12, -89],
  ['amperka/gprs-shield#3', 31, -51],
  ['4IceG/luci-app-3ginfo#13', 255, null]
])('A signal of the gateway, %s: %i', (_, rssi, expected) => {
  expect(rssiToDbm(rssi)).toBe(expected)
})

it('The programs at the port of discovery: project-chip/rs-matter#66 (lsof) and philippe44/LMS-Raop#55 (ss)', () => {
  const lsof =
    'COMMAND PID USER FD TYPE DEVICE SIZE/OFF NODE NAME\navahi-dae 3354 avahi 12u IPv4 33198220 0t0 UDP *:5353\nchrome 3641 me 267u IPv4 33204495 0t0 UDP 224.0.0.251:5353\nchrome 3641 me 269u IPv4 33204497 0t0 UDP 224.0.0.251:5353\n'
  expect(readOpenFiles(lsof, 1).map(({ values }) => values['name'])).toEqual(['avahi-dae', 'chrome'])
  const ss =
    'UNCONN 0 0 0.0.0.0:5353 0.0.0.0:* users:(("avahi-daemon",pid=1083889,fd=11))\nUNCONN 0 0 0.0.0.0:5353 0.0.0.0:* users:(("squeeze2raop-li",pid=1081607,fd=7))\nUNCONN 0 0 0.0.0.0:5353 0.0.0.0:* users:(("squeeze2raop-li",pid=1081607,fd=3))\n'
  expect(readSocketListing(ss, 5353, 1).map(({ values }) => values['name'])).toEqual([
    'avahi-daemon',
    'squeeze2raop-li'
  ])
})

it.each([
  [
    'mafintosh/dns-packet#84',
    '000084000000000600000000045f686170045f746370056c6f63616c00000c000100001194001411496e646f6f7243616d20324b2d30413143c00c09496e646f6f7263616dc016002f8001000000780005c0a5000140'
  ],
  ['pcmarks/mdns_lite#70', '0aba1000'],
  ['python-zeroconf/python-zeroconf#993', '16030100ee010000ea0303']
])('Bytes at the port of discovery that are no packet are ignored, %s', (_, hex) => {
  expect(readPacket(Buffer.from(hex, 'hex'))).toBeUndefined()
})

it.each([
  ['mattbeedle/capsule_crm#38', 401, '<!DOCTYPE html><title>You must be logged in</title>'],
  ['camicroscope/Caracal#8', 403, '<html>not allowed</html>'],
  ['stormpath/stormpath-sdk-react#37', 200, '<html>Error</html>']
])('A page at an address that is searched is no device, %s', (_, status, body) => {
  expect(readProbeAnswer(status, body)).toMatchObject({ kind: 'wrongService' })
})

describe('A list of orders', () => {
  it.each<[string, string, string | [string, string]]>([
    ['netbox-community/netbox#21103', 'device;vehicle;\r\n10.0.0.8;Van 1;\r\n', ['10.0.0.8', 'Van 1']],
    ['TheThingsNetwork/lorawan-stack#5632', 'device;vehicle\n10.0.0.8;Van 1, blue\n', ['10.0.0.8', 'Van 1, blue']],
    ['votingworks/arlo#525', 'device,vehicle,,,\n10.0.0.8,Van 1,,,\n', ['10.0.0.8', 'Van 1']],
    [
      'NHSDigital/manage-vaccinations-in-schools#2186',
      'device,vehicle\n10.0.0.8,Van 1\n,\n  ,  \n\n',
      ['10.0.0.8', 'Van 1']
    ],
    ['CartoDB/cartodb#6178', "device,vehicle\n10.0.0.8,Rome 'city\n", ['10.0.0.8', "Rome 'city"]],
    ['remcostoeten/dora#232', '\uFEFFdevice;vehicle\r\n10.0.0.8;Van 1\r\n', ['10.0.0.8', 'Van 1']],
    ['remcostoeten/dora#232', 'device\tvehicle\n10.0.0.8\tVan 1\n', ['10.0.0.8', 'Van 1']],
    ['buckets/application#530', 'device;vehicle\n10.0.0.8;"Van ""1"""\n', ['10.0.0.8', 'Van "1"']],
    ['firefly-iii/firefly-iii#1262', 'device,vehicle,vehicle\n10.0.0.8,Van 1,Van 2\n', 'reading.tableColumnTwice'],
    ['mldbai/mldb#869', 'device,vehicle\n10.0.0.8,Van 1,lost\n', 'reading.tableCellWithoutColumn'],
    ['apromore/ApromoreCore#1060', 'device,vehicle,\n10.0.0.8,Van 1,lost\n', 'reading.tableCellWithoutColumn']
  ])('%s: %j', async (_, text, expected) => {
    const read = await readOrders(Buffer.from(text)).then(
      ({ orders, findings }) => [
        ...findings.map(({ what }) => what.id),
        ...orders.map(({ device, order }) => [device, order.vehicle])
      ],
      (error: unknown) => [error instanceof AppError ? error.sentence.id : String(error)]
    )
    expect(read).toEqual([expected])
  })

  it.each([
    ['ChurchCRM/CRM#4329', 'si', true],
    ['teableio/teable#1309', 'FALSE', false],
    ['czue/django-wedding-website#35', 'TRUE', true],
    ['nocodb/nocodb#6611', 'checked', true],
    ['younginnovations/aidstream#78', 'NO', false],
    ['evancharlton/android-mileage#56', '1', true],
    ['dotCMS/core#11517', 'true', true],
    ['eclipse-dirigible/dirigible#842', '1', true],
    ['molgenis/molgenis-emx2#5125', '0', false],
    ['OpenDataRepository/data-publisher#50', 'n', false],
    ['a spreadsheet in Spanish', 'VERDADERO', true],
    ['a spreadsheet in Spanish', 'FALSO', false],
    ['eleybourn/Book-Catalogue#559', 'perhaps', undefined]
  ])('yes or no, %s: %s', (_, text, expected) => {
    expect(readYesNo(text)).toBe(expected)
  })

  it.each([
    ['postmanlabs/postman-app-support#5994', '0405153828', '0405153828'],
    ['traccar/traccar#61', "'086769804002305", '086769804002305']
  ])('zeros at the front stay, %s: %s', (_, cell, expected) => {
    expect(cleanCell(cell)).toMatchObject({ text: expected, problem: null })
  })
})

it.each([
  ['audreyt/ethercalc#398', '1,23', [1.23]],
  ['dm4t2/vue-currency-input#102', '1.234', [1234, 1.234]],
  ['AAVSO/VStar#610', '-4,2', [-4.2]],
  ['kitspace/electro-grammar#17', '0,1', [0.1]],
  ['SchrodingersGat/KiBoM#111', '1.234,5', [1234.5]],
  ['sfnemis/linnote#7', '12,', []]
])('A typed number, %s: %s', (_, text, expected) => {
  expect(readTypedNumber(text)).toEqual(expected)
})

it.each<[string, string | number, string]>([
  ['hhurz/tableExport.jquery.plugin#230', "=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
  ['hhurz/tableExport.jquery.plugin#230', -5, '-5'],
  ['aashutoshkumarbhardwaj/CreatorOs#1041', '@SUM(A1:A9)', "'@SUM(A1:A9)"],
  ['aashutoshkumarbhardwaj/CreatorOs#1041', '-2+3', "'-2+3"],
  ['brightdata/sdk-python#54', '=HYPERLINK("http://evil")', '"\'=HYPERLINK(""http://evil"")"'],
  ['sebastian-software/xlsx-format#16', '\t=1', "'\t=1"]
])('A cell of a file for a spreadsheet, %s: %j', (_, value, expected) => {
  expect(csvLines([[value]])).toBe(`${expected}\r\n`)
})

it('Satellites without a fix are no position, adafruit/Adafruit_GPS#102', () => {
  const coords = { latitude: 4.6, longitude: -74.1 }
  expect([0, 1, 2].map((fix) => hasPosition({ coords, extras: { fix } }))).toEqual([false, false, true])
})

it.each([
  ['traccar/traccar#5029', '2003-07-01T20:24:14Z', '2023-02-14T20:24:16Z'],
  ['MotusDev/Motus-TO-DO#519', '1999-08-23T12:00:00Z', '2019-04-08T12:00:00Z'],
  ['bailuk/AAT#60', '1999-11-18T12:00:00Z', '2019-07-04T12:00:00Z']
])('A date that is 1,024 weeks behind is a rollover, %s: %s', (_, event, arrival) => {
  const [eventAtMs, arrivedAtMs] = [Date.parse(event), Date.parse(arrival)]
  expect(dateFault([{ eventAtMs, arrivedAtMs }])).toEqual({ kind: 'rollover', weeks: 1_024 })
  expect(correctGpsEpoch(eventAtMs / 1000, arrivedAtMs)).toMatchObject({ unixMs: eventAtMs, rolledWeeks: 1_024 })
})

it.each([
  ['react-csv/react-csv#136', '4,687E+11', 'reading.digitsLost'],
  ['orneryd/ui-grid#5407', '9.11111E+24', 'reading.digitsLost'],
  ['huanz/tableExport#4', '8901260882217760000', 'reading.digitsZeroed']
])('A cell whose digits a spreadsheet lost, %s: %s', (_, cell, problem) => {
  expect(cleanCell(cell).problem?.id).toBe(problem)
})

it.each([
  ['MarcusWolschon/osmeditor4android#471', 'SQLITE_FULL', 'store.diskFull'],
  ['medic/cht-gateway#44', 'ENOSPC', 'store.diskFull']
])('The data file on a full disk, %s: %s', (_, code, sentence) => {
  expect(translateDataError(Object.assign(new Error(code), { code }))).toMatchObject({ sentence: { id: sentence } })
})

it.each([
  ['DSheirer/sdrtrunk#1990', 0, 0, false],
  ['Yeraze/meshmonitor#3763', 0.000001, 0, false],
  ['aisstream/issues#104', 0, 0, false],
  ['onaio/onadata#661', 0, 10, true],
  ['onaio/onadata#661', 10, 0, true]
])('A place, %s: %d, %d', (_, latitude, longitude, expected) => {
  expect([isPlace(latitude, longitude), hasPosition({ coords: { latitude, longitude }, extras: { fix: 3 } })]).toEqual([
    expected,
    expected
  ])
})

it.each([
  [4.711, -74.072149, '4.71100, -74.07215'],
  [-0.000004, -0, '0.00000, 0.00000'],
  [-0.00001, 0.000004, '-0.00001, 0.00000'],
  [-90, 180, '-90.00000, 180.00000']
])('A place is written to the metre, and zero without a sign: %d, %d', (latitude, longitude, text) => {
  expect(placeText({ latitude, longitude })).toBe(text)
})

it.each([
  ['haiwen/seafile-iOS#358 (JPEG named .heic)', 'ffd8ffe1', true],
  ['MasaCMS/MasaCMS#193 (WebP named .jpg)', '524946460000000057454250', true],
  ['aws-solutions/dynamic-image-transformation-for-amazon-cloudfront#429', 'ffd8ffed', true],
  ['open-formulieren/open-forms#2915', '000000186674797068656963', true],
  ['simonw/datasette-media#3', '00000018667479706865696d', true],
  ['AstroVela/vane#512', '000000186674797068656973', true],
  ['simonw/datasette-media#3', '00000018667479706865766d', true],
  ['simonw/datasette-media#3', '000000186674797068657673', true],
  ['h2non/filetype#111', '000000186674797061766966', true],
  ['karlch/vimiv-qt#343', '0000001c6674797061766973', true],
  ['fdintino/pillow-avif-plugin#5', '0000001c667479706d696631', true],
  ['derive-to/derive#237', '524946460000000057415645', false],
  ['google/magika#269', '00000018667479706d696631', true],
  ['a film of a phone', '000000186674797069736f6d', false],
  ['MushroomObserver/mushroom-observer#4756', '474946383961', false],
  ['hedgedoc/hedgedoc#1079', '3c73766720786d6c', false]
])('A picture by its bytes, not by its name: %s', (_, hex, expected) => {
  expect(isPicture(Buffer.from(hex, 'hex'))).toBe(expected)
})

it.each([
  ['formvalidation/support#245', '78-C5-E5-A1-DC-43'],
  ['formvalidation/support#245', '78c5.e5a1.dc43'],
  ['don/BluetoothSerial#37', '78C5E5A1DC43'],
  ['Estimote/iOS-Indoor-SDK#10', '78c5e5a1dc43'],
  ['lapfelix/BluetoothConnector#32', '78:c5:e5:a1:dc:43'],
  ['shmuelzon/esp32-ble2mqtt#55', '78:C5:E5:A1:DC:43'],
  ['carp-dk/carp.core-kotlin#189', '78-c5-e5-a1-dc-43']
])('A tag’s address, %s: %s', (_, text) => {
  expect(bareMac(text)).toBe('78C5E5A1DC43')
})

it.each([
  ['moment/luxon#1289', 'Europe/Kyiv', true],
  ['moment/luxon#1290', 'Europe/Kiev', true],
  ['umami-software/umami#3632', 'Asia/Calcutta', true],
  ['marnusw/date-fns-tz#28', 'US/Pacific', true],
  ['formatjs/date-time-format-timezone#38', 'America/Punta_Arenas', true],
  ['calcom/cal.diy#6686', 'India/Kolkata', false],
  ['an offset', 'GMT-5', false]
])('A time zone, %s: %s', (_, zone, expected) => {
  expect(isTimeZone(zone)).toBe(expected)
})
