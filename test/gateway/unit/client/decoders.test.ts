import { describe, expect, test } from 'vitest'
import { analogTemperatureC } from '../../../../main/gateway/client/decoders/analogTemperature.ts'
import { readBluetoothTag } from '../../../../main/gateway/client/decoders/bluetoothTag.ts'
import {
  describeEcuFlag,
  readEcuFields,
  readEcuParameters
} from '../../../../main/gateway/client/decoders/engineBus.ts'
import { groupOfEventType } from '../../../../main/base/reading/eventType.ts'
import { readIosState } from '../../../../main/gateway/client/decoders/inputsOutputs.ts'
import { labelText } from '../../../../main/gateway/client/decoders/label.ts'
import { describeFlashStatus, describePhotoStatus } from '../../../../main/gateway/client/decoders/photoStatus.ts'
import { rssiToDbm } from '../../../../main/gateway/client/decoders/signal.ts'
import { readTyres, tyrePlace } from '../../../../main/gateway/client/decoders/tyrePressure.ts'

describe('analog temperature', () => {
  const points =
    `60:189 59:192 58:195 57:199 56:203 55:207 54:211 53:215 52:219 51:224 50:229 49:234 48:239 47:245 46:250 45:256 44:263
    43:269 42:276 41:283 40:291 39:299 38:307 37:315 36:324 35:334 34:344 33:354 32:365 31:377 30:389 29:401 28:414 27:428 26:443 25:458
    24:474 23:491 22:509 21:528 20:548 19:569 18:590 17:613 16:638 15:663 14:690 13:718 12:749 11:780 10:814 9:849 8:886 7:925 6:967 5:1010
    4:1057 3:1106 2:1158 1:1213 0:1271 -1:1333 -2:1398 -3:1467 -4:1540 -5:1618 -6:1700 -7:1788 -8:1881 -9:1980 -10:2085 -11:2196 -12:2314
    -13:2440 -14:2574 -15:2716 -16:2868 -17:3030 -18:3202 -19:3386 -20:3583 -21:3791 -22:4014 -23:4252`
      .split(/\s+/)
      .map((point) => point.split(':').map(Number) as [number, number])

  // The polynomial of the document leaves its own table at the hot end: 59.06 for 60 Celsius.
  test('meets the 84 reference points of the document within 0.5 Celsius, and within 1 at 59 and 60', () => {
    expect(points).toHaveLength(84)
    const wrong = points.filter(
      ([celsius, mv]) => !(Math.abs((analogTemperatureC(mv) ?? NaN) - celsius) <= (celsius >= 59 ? 1 : 0.5))
    )
    expect(wrong.map(([celsius, mv]) => [celsius, mv, analogTemperatureC(mv)])).toEqual([])
  })

  test('is rounded to 2 decimals', () => {
    const celsius = analogTemperatureC(700) ?? NaN
    expect(celsius).toBe(Number(celsius.toFixed(2)))
  })

  test.each([0, 188, 4253, -5, NaN, Infinity])('%d mV is no temperature', (mv) => {
    expect(analogTemperatureC(mv)).toBeNull()
  })
})

test('event types have their group, and others none', () => {
  expect([10, 11, 12, 13, 20, 100, 110, 111, 150, 301].map((type) => groupOfEventType(type))).toEqual([
    'gps',
    'gps',
    'gps',
    'gps',
    'gps',
    'connection',
    'connection',
    'connection',
    'message',
    'other'
  ])
  expect(groupOfEventType(14)).toBeUndefined()
})

describe('photo statuses', () => {
  const cameraCodes = [...Array(17).keys(), 99]
  const flashCodes = [0, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 99]

  test('every documented number has a meaning, and every failure a remedy', () => {
    const all = [...cameraCodes.map(describePhotoStatus), ...flashCodes.map(describeFlashStatus)]
    expect(all.filter((status) => status === undefined)).toEqual([])
    expect(all.filter((status) => status?.outcome === 'failed' && status.remedy === null)).toEqual([])
  })

  test('only 4 is ready', () => {
    expect(cameraCodes.filter((code) => describePhotoStatus(code)?.outcome === 'ready')).toEqual([4])
    expect(flashCodes.filter((code) => describeFlashStatus(code)?.outcome === 'ready')).toEqual([4])
  })

  test('numbers that are not documented mean nothing', () => {
    expect([17, 98, -1].map(describePhotoStatus)).toEqual([undefined, undefined, undefined])
    expect([1, 2, 7, 18].map(describeFlashStatus)).toEqual([undefined, undefined, undefined, undefined])
  })
})

describe('Bluetooth tag', () => {
  test('is read with its temperature divided by ten and its wake reasons in words', () => {
    const tag = readBluetoothTag({
      btt_mac: 'AA:BB:CC:00:11:22',
      btt_battery: 87,
      btt_temp: -15,
      btt_humidity: 40,
      btt_light: 0,
      btt_motion: true,
      btt_driver: 12,
      btt_wreason: 'MRz'
    })
    expect(tag).toMatchObject({
      mac: 'AA:BB:CC:00:11:22',
      batteryPercent: 87,
      temperatureC: -1.5,
      humidityPercent: 40,
      lightPercent: 0,
      isMoving: true,
      isHit: null,
      assetId: 12,
      wakeReasons: [
        { id: 'accessories.wokenByMotion' },
        { id: 'accessories.wokenByReed' },
        { id: 'plain.text', values: { text: 'z' } }
      ]
    })
  })

  test('values outside their ranges are not values', () => {
    expect(readBluetoothTag({ btt_mac: 'x', btt_temp: 451, btt_battery: 101, btt_humidity: '40' })).toMatchObject({
      temperatureC: null,
      batteryPercent: null,
      humidityPercent: null
    })
  })

  test('an event without a tag has none', () => {
    expect(readBluetoothTag({ btt_temp: 100 })).toBeUndefined()
  })
})

test('inputs and outputs that the gateway does not show are null, not off', () => {
  const lines = readIosState({
    io_pwr: true,
    io_ign: false,
    io_in2: true,
    io_out1: false,
    io_out1_short: null,
    io_exp_in4: true,
    io_exp_state: true,
    _epoch: 5
  })
  expect(lines).toEqual({
    power: true,
    ignition: false,
    inputs: [null, true, null],
    outputs: [false, null],
    outputShorts: [null, null],
    expander: {
      isConnected: true,
      inputs: [null, null, null, true],
      outputs: [null, null, null, null],
      outputShorts: [null, null, null, null]
    },
    epochS: 5
  })
})

describe('engine bus', () => {
  test('only values with flag T count', () => {
    const event = {
      ecu_speed: 50,
      ecu_speed_flag: 'T',
      ecu_rpm: 900,
      ecu_rpm_flag: 'O',
      ecu_fuel: 5,
      ecu_oil_flag: 'D',
      ecu_tires_psi: '016100',
      lat: 1
    }
    expect(readEcuFields(event).map(({ name, value, flag }) => [name, value, flag?.flag])).toEqual([
      ['speed', 50, 'T'],
      ['rpm', null, 'O'],
      ['fuel', null, undefined],
      ['oil', null, 'D']
    ])
  })

  test('every flag of the document is known, and no other', () => {
    expect(['B', 'D', 'F', 'O', 'T', 'U'].map((flag) => describeEcuFlag(flag)?.isValid)).toEqual([
      false,
      false,
      false,
      false,
      true,
      false
    ])
    expect(['X', '', 't', null, 'constructor'].map(describeEcuFlag)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined
    ])
  })

  test('divisors are taken from the descriptions', () => {
    const params = [
      ['tfuel', 'total fuel /10'],
      ['ifuel', 'instant fuel /100'],
      ['usage', 'engine usage (/100)'],
      ['speed', 'speed km/h'],
      ['rate', 'l/100 km'],
      ['x'],
      7
    ]
    expect(readEcuParameters(params).map(({ name, divisor }) => [name, divisor])).toEqual([
      ['tfuel', 10],
      ['ifuel', 100],
      ['usage', 100],
      ['speed', 1],
      ['rate', 1],
      ['x', 1]
    ])
    expect(readEcuParameters(undefined)).toEqual([])
  })
})

describe('tyre pressure', () => {
  test('a location is an axle from the front and a position from the left', () => {
    expect(tyrePlace(0x12)).toEqual({ location: 18, axle: 1, position: 2 })
    expect([256, -1, 1.5].map(tyrePlace)).toEqual([undefined, undefined, undefined])
  })

  test('pressures, temperatures, warnings and sensors are read from their lists', () => {
    const tyres = readTyres({
      ecu_tires_psi: '000100,017095',
      ecu_tires_tmp: '00025,017-5',
      ecu_tpms_warnings: '0003021,0170000',
      ecu_tpms_provision: '1 0 02 04,0001234567890'
    })
    expect(tyres.pressuresPsi).toEqual([
      { location: 0, axle: 0, position: 0, psi: 100 },
      { location: 17, axle: 1, position: 1, psi: 95 }
    ])
    expect(tyres.temperaturesC.map(({ celsius }) => celsius)).toEqual([25, -5])
    expect(tyres.warnings).toMatchObject([
      { alarm: 'tyre leak alarm', isAlarming: true, isDefective: false, looseness: 'turned', isBatteryLow: true },
      { alarm: 'ok', isAlarming: false, looseness: 'fixed', isBatteryLow: false }
    ])
    expect(tyres.provision).toEqual({
      system: 'trailer',
      state: 'ok',
      axles: 2,
      modules: 4,
      sensors: [{ location: 0, axle: 0, position: 0, sensorId: '1234567890' }]
    })
    expect(tyres.unreadable).toEqual([])
  })

  test('entries of another form are named, and the rest is kept', () => {
    const tyres = readTyres({
      ecu_tires_psi: '999100,0001000,000100',
      ecu_tpms_warnings: '0009000',
      ecu_tpms_provision: 'x'
    })
    expect(tyres.pressuresPsi).toHaveLength(1)
    expect(tyres.provision).toBeNull()
    expect(tyres.unreadable).toEqual([
      'ecu_tires_psi: 999100',
      'ecu_tires_psi: 0001000',
      'ecu_tpms_warnings: 0009000',
      'ecu_tpms_provision: x'
    ])
  })

  test('an event without tyres has none', () => {
    expect(readTyres({})).toEqual({
      pressuresPsi: [],
      temperaturesC: [],
      warnings: [],
      provision: null,
      unreadable: []
    })
  })
})

test('a label speaks the language of the user, else English, else for itself', () => {
  const labels = {
    ignon: { en: 'Ignition on:The ignition was switched on', es: 'Encendido:Se encendió: ahora' },
    x: { en: 'Only short', es: null },
    y: 'broken'
  }
  expect(labelText(labels, 'ignon', 'es')).toBe('Encendido')
  expect(labelText(labels, 'x', 'es')).toBe('Only short')
  expect(labelText(labels, 'y', 'en')).toBe('y')
  expect(labelText(labels, 'constructor', 'en')).toBe('constructor')
})

test('gateway signal becomes dBm, and unknown stays unknown', () => {
  expect([0, 11, 31, 99, 32, -1, 1.5, null, undefined].map(rssiToDbm)).toEqual([
    -113,
    -91,
    -51,
    null,
    null,
    null,
    null,
    null,
    null
  ])
})
