import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTexts } from '../../../main/base/messages/texts.ts'
import { openAccessoryBench, until, type AccessoryBench } from '../../world/device/accessoryBench.ts'
import { english } from '../../world/window/english.ts'

let bench: AccessoryBench
beforeAll(async () => {
  bench = await openAccessoryBench()
})
afterEach(() => {
  bench.gateway.setFault(null)
  expect(bench.faults).toEqual([])
  expect(bench.gateway.violations).toEqual([])
})
afterAll(() => bench.stop())

const countOf = (operation: string) =>
  bench.gateway.state.effects.filter((effect) => effect.operation === operation).length

test('a key is registered once, and its driver comes back in the events when it is held against the reader', async () => {
  const { call, gateway, vehicleId } = bench
  bench.report()
  const driver = gateway.state.assets.find(
    ({ type, ibuttons, groups }) => type === 'driver' && ibuttons.length === 0 && groups.some((id) => id <= 2)
  )
  if (!driver) throw new Error('no driver without a key')
  const id = 'A1B2C3D4E5F60718'
  await call('accessories.registerKey', { id, assetId: driver.id, assetName: driver.name })
  await call('operations.sync', {})
  const { keys } = await call('accessories.keys', {})
  expect(keys).toContainEqual({ id, assetId: driver.id, assetName: driver.name })
  expect(countOf('ibuttons.create')).toBe(1)

  const started = await call('accessories.startTapTest', { vehicleId, assetId: driver.id, assetName: driver.name })
  expect(started.state).toBe('waiting')
  bench.report({ label: 'ibutton', accessories: { fields: {}, expanderInputs: null, keyFob: id } })
  const ended = await bench.ended(started)
  expect(ended).toMatchObject({ state: 'found', witness: 'gateway', evidence: { aid: driver.id } })

  // He is there now: neither an event nor the entry that the tap a moment ago made proves anything, only a new entry
  // does.
  const again = await call('accessories.startTapTest', { vehicleId, assetId: driver.id, assetName: driver.name })
  bench.report()
  await until(() =>
    bench.core.accessories.tests
      .list()
      .find((one) => one.id === again.id && one.note.id === 'accessories.waitsForHistory')
  )
  expect((await call('accessories.stopTest', { id: again.id })).tests[0]).toMatchObject({
    state: 'stopped',
    witness: null
  })
})

test('a driver that is made while the gateway is away gets his key after him, with the id that the gateway gave', async () => {
  const { call, gateway } = bench
  gateway.setOnline(false)
  const { operationId: driverWork } = await call('accessories.createAsset', {
    name: 'Nora Offline',
    type: 'driver',
    groups: [1]
  })
  const { operationId: keyWork } = await call('accessories.registerKey', {
    id: 'C1C2C3C4C5C6C7C8',
    assetId: null,
    assetName: 'Nora Offline',
    assetFrom: driverWork
  })
  expect(await call('operations.show', { id: keyWork })).toMatchObject({
    state: 'blocked',
    reason: { id: 'operations.waitsForOther' }
  })
  gateway.setOnline(true)
  await until(async () => {
    await call('operations.sync', {})
    return (await call('operations.show', { id: keyWork })).state === 'done'
  }, 20_000)
  const driver = gateway.state.assets.find(({ name }) => name === 'Nora Offline')
  expect(gateway.state.ibuttons).toContainEqual(expect.objectContaining({ id: 'C1C2C3C4C5C6C7C8', entity: driver?.id }))
}, 40_000)

test('a key of another asset is a conflict and is never taken for ours', async () => {
  const { call, gateway } = bench
  const taken = gateway.state.ibuttons[0]
  const other = gateway.state.assets.find(
    ({ id, groups }) => id !== taken?.entity && groups.some((group) => group <= 2)
  )
  const owner = gateway.state.assets.find(({ id }) => id === taken?.entity)
  if (!taken || !other || !owner) throw new Error('no key')
  const { operationId } = await call('accessories.registerKey', {
    id: taken.id,
    assetId: other.id,
    assetName: other.name
  })
  await call('operations.sync', {})
  const made = await call('operations.show', { id: operationId })
  expect(made).toMatchObject({
    state: 'needsAttention',
    reason: { id: 'operations.keyOfAnother', values: { asset: owner.name } }
  })
  await call('operations.drop', { id: operationId, reason: 'the wrong driver' })
})

test('a key of 15 characters is refused before anything is sent', async () => {
  await expect(
    bench.call('accessories.registerKey', { id: 'A1B2C3D4E5F6071', assetId: 1, assetName: 'x' })
  ).rejects.toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining('16') })
})

test('a tag is assigned by an address in any writing, and its values come decoded with the first event', async () => {
  const { call, gateway, vehicleId } = bench
  const trailer = gateway.state.assets.find(({ type, groups }) => type === 'trailer' && groups.some((id) => id <= 2))
  if (!trailer) throw new Error('no trailer')
  const { mac } = await call('accessories.assignTag', {
    mac: 'ac:23:3f:a0-01 b7',
    assetId: trailer.id,
    assetName: trailer.name
  })
  expect(mac).toBe('AC233FA001B7')
  await call('operations.sync', {})
  expect(gateway.state.btTags).toContainEqual(expect.objectContaining({ mac, asset_id: trailer.id }))
  const started = await call('accessories.startTagTest', { vehicleId, mac: 'ac:23:3f:a0:01:b7' })
  const fields = {
    btt_mac: mac,
    btt_temp: -45,
    btt_battery: 18,
    btt_humidity: 41,
    btt_light: 12,
    btt_motion: true,
    btt_button: false,
    btt_freefall: false,
    btt_impact: false,
    btt_presence: true,
    btt_reed: false,
    btt_wreason: 'WC'
  }
  bench.report({ label: 'bttag', accessories: { fields, expanderInputs: null } })
  const ended = await bench.ended(started)
  expect(ended).toMatchObject({
    state: 'found',
    evidence: {
      temperatureC: -4.5,
      batteryPercent: 18,
      assetId: trailer.id,
      wakeReasons: [{ id: 'accessories.wokenByLowBattery' }, { id: 'accessories.wokenByTime' }]
    }
  })
  const { tags } = await call('accessories.tags', { vehicleId })
  expect(tags).toMatchObject([{ mac, assetId: trailer.id, assetName: trailer.name }])
})

test('the number of a SIM is written by the id of its record, and read back', async () => {
  const { call, gateway } = bench
  await call('accessories.setSimNumber', { iccid: '89340711002769804831', lineNumber: '+34 600 100 200' })
  await call('operations.sync', {})
  expect(gateway.state.sims.find(({ iccid }) => iccid === '89340711002769804831')?.line_number).toBe('+34 600 100 200')
})

test('a photo of two cameras is asked for once and followed to both pictures', async () => {
  const { call, vehicleId } = bench
  bench.fitCameras([0, 2])
  const asked = countOf('photocam.capture')
  const first = await call('photos.capture', { vehicleId })
  // A second click while it is under way adopts it.
  const second = await call('photos.capture', { vehicleId })
  const [a, b] = await Promise.all([bench.ended(first), bench.ended(second)])
  expect(a).toMatchObject({ state: 'found', witness: 'gateway' })
  expect(a.photos.map(({ source, outcome }) => [source, outcome])).toEqual([
    [0, 'ready'],
    [2, 'ready']
  ])
  expect(b.state).toBe('found')
  expect(countOf('photocam.capture')).toBe(asked + 1)
  expect(a.photos[0]?.sha256).toMatch(/^[0-9a-f]{64}$/)
  // Midnight may be between the photo and this question.
  const [from = '', to = ''] = [-1, 1].map((days) =>
    new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  )
  const { events } = await call('photos.browse', { vehicleId, from, to })
  expect(events).toHaveLength(1)
  const opened = await call('photos.open', {
    vehicleId,
    eventId: events[0]?.eventId ?? 0,
    systemTime: events[0]?.systemTime ?? ''
  })
  expect(opened.photos[0]?.sha256).toBe(a.photos[0]?.sha256)
})

test('a photo that fails ends with the remedy of its status', async () => {
  const { call, vehicleId } = bench
  bench.fitCameras([99], 17)
  const ended = await bench.ended(await call('photos.capture', { vehicleId }))
  expect(ended).toMatchObject({
    state: 'problem',
    remedy: { id: 'photos.waitMinutes' },
    photos: [{ source: 99, statusNo: 17 }]
  })
})

test('a lost answer to a photo is not asked again; the picture that comes is taken for it', async () => {
  const { call, gateway, vehicleId } = bench
  bench.fitCameras([1])
  const asked = countOf('photocam.capture')
  gateway.setFault({ operation: 'photocam.capture', resetAfter: true, times: 1 })
  const ended = await bench.ended(await call('photos.capture', { vehicleId }))
  expect(ended.state).toBe('found')
  expect(countOf('photocam.capture')).toBe(asked + 1)
})

test('engine bus, tyres, temperatures and expander come decoded', async () => {
  const { call, vehicleId } = bench
  const fields = {
    ecu_tires_psi: '000105,017071',
    ecu_tires_tmp: '00031',
    ecu_tpms_warnings: '0171000',
    ecu_tpms_provision: '000102,0000000184512',
    ea_a: 1271
  }
  bench.report({
    engineOn: true,
    io: { ign: true },
    accessories: { fields, expanderInputs: [true, false, false, false] }
  })
  const view = await until(async () => {
    const read = await call('accessories.read', { vehicleId })
    return (
      read.tyres.length > 0 &&
      read.engineBus?.isEngineOn === true &&
      read.ecuValues.some(({ flag }) => flag === 'T') &&
      read
    )
  })
  expect(view.tyres).toMatchObject([
    { axle: 0, position: 0, psi: 105, celsius: 31, sensorId: '0000184512' },
    { axle: 1, position: 1, psi: 71, alarm: 'under-inflation warning', isAlarming: true }
  ])
  expect(view.temperatures).toEqual([{ sensor: 'A', millivolts: 1271, celsius: expect.closeTo(0, 0) }])
  // 240 s idle are 2 tenths of a liter in the simulator's raw value.
  expect(view.ecuValues.find(({ name }) => name === 'idle_fuel')).toMatchObject({
    value: 0.2,
    divisor: 10,
    unit: 'L',
    flag: 'T'
  })
  expect(view.ecuValues.find(({ name }) => name === 'battery')).toMatchObject({ value: 12_600, unit: 'mV' })
  expect(view.lines.find(({ name }) => name === 'EXP IN1')?.on).toBe(true)
  expect(view.isExpanderConnected).toBe(true)
  expect(view.engineBus).toMatchObject({ isDetected: true, isEngineOn: true, protocol: 'J1939' })
  expect(Date.parse(view.engineBus?.updatedAt ?? '')).toBeGreaterThan(Date.UTC(2020))

  // A clock that was never set tells the first moments of its time: that is no age.
  const { devices, vehicles } = bench.gateway.state
  const device = devices.find(({ imei }) => imei === vehicles.find(({ id }) => id === vehicleId)?.device)
  if (!device) throw new Error('The simulated gateway has no such device')
  device.lastReportMs = 1_000
  expect((await call('accessories.read', { vehicleId })).engineBus).toMatchObject({ updatedAt: null })
})

test('an output is refused while the ignition is on or the vehicle moves, with the reason', async () => {
  const { call, vehicleId } = bench
  bench.report({ speedKmh: 12, io: { ign: true } })
  await until(async () =>
    (await call('remoteOutputs.story', { vehicleId })).conditions.find(({ id, holds }) => id === 'standing' && !holds)
  )
  const sent = countOf('remote.output')
  await expect(
    call('remoteOutputs.set', { vehicleId, otype: 'e', out: 2, on: true, confirmed: true })
  ).rejects.toMatchObject({ code: 'INTERLOCK', message: expect.stringContaining('12 km/h') })
  expect(countOf('remote.output')).toBe(sent)
})

test('a newer message of the connection, which names no speed, hides neither the speed nor its age', async () => {
  const { call, vehicleId } = bench
  const standing = async () =>
    (await call('remoteOutputs.story', { vehicleId })).conditions.find(({ id }) => id === 'standing')
  bench.report()
  await until(async () => (await standing())?.holds)
  const { event: before } = await call('accessories.read', { vehicleId })
  bench.report({ type: 110, label: 'conn' })
  await until(async () => (await call('accessories.read', { vehicleId })).event?.type === 110)
  expect((await call('accessories.read', { vehicleId })).event).toMatchObject({
    speedKmh: 0,
    validPosition: true,
    speedAt: before?.at
  })
  expect(await standing()).toMatchObject({ holds: true })
})

test('an expander output is switched once, proved by log and line, and off again without conditions', async () => {
  const { call, vehicleId } = bench
  bench.report()
  await until(async () => (await call('remoteOutputs.story', { vehicleId })).conditions.every(({ holds }) => holds))
  expect(await call('remoteOutputs.story', { vehicleId })).toMatchObject({ holdMs: 3_000, expiresS: 60 })
  const sent = countOf('remote.output')
  const on = await call('remoteOutputs.set', { vehicleId, otype: 'e', out: 2, on: true, confirmed: true })
  bench.report()
  expect(await bench.ended(on)).toMatchObject({
    state: 'found',
    witness: 'gateway',
    evidence: { entry: { on: true, out: 2 }, line: { on: true } }
  })
  bench.report({ speedKmh: 30, io: { ign: true } })
  const off = await call('remoteOutputs.set', { vehicleId, otype: 'e', out: 2, on: false, confirmed: true })
  bench.report()
  expect((await bench.ended(off)).state).toBe('found')
  expect(countOf('remote.output')).toBe(sent + 2)
})

test('a test trigger is made once with its reference, said in words, and its event is seen when it is provoked', async () => {
  const { call, gateway, vehicleId } = bench
  const rules = [
    { id: 'fast', key: 'speed', operator: '>=' as const, value: 25 },
    { id: 'right_place', key: 'valid_position', operator: '==' as const, value: true }
  ]
  const postfix = ['fast', 'right_place', 'and']
  const { text, problems } = await call('triggers.describe', { rules, postfix })
  expect(problems).toEqual([])
  expect(english(text)).toBe('Fires when the speed is at least 25 and “position valid” is yes.')
  gateway.setFault({ operation: 'triggers.create', resetAfter: true, times: 1 })
  const { operationId } = await call('triggers.create', { name: 'Fitting test', vehicleId, rules, postfix })
  await call('operations.sync', {})
  const { triggers } = await call('triggers.list', { vehicleId })
  expect(triggers).toHaveLength(1)
  expect(triggers[0]).toMatchObject({
    name: 'Fitting test',
    isForVehicle: true,
    description: expect.stringMatching(/^ref:[0-9A-Z]{26}$/)
  })
  expect((await call('operations.show', { id: operationId })).state).toBe('done')
  bench.report()
  const started = await call('triggers.provoke', { vehicleId, name: 'Fitting test', rules, postfix })
  await until(() =>
    bench.core.accessories.tests
      .list()
      .find(({ id, note }) => id === started.id && note.id === 'triggers.noneSatisfies')
  )
  bench.report({ speedKmh: 108 })
  expect(await bench.ended(started)).toMatchObject({
    state: 'found',
    evidence: { event: { speed: expect.closeTo(30, 1) } }
  })
})

test('a trigger is said with the names of events, and tried on the events that were', async () => {
  const { call, vehicleId } = bench
  const { labels } = await call('triggers.labels', {})
  expect(labels.map(({ label, words }) => [label, english(words)])).toContainEqual(['ignon', 'Ignition on'])
  expect(labels.map(({ label, words }) => [label, english(words)])).toContainEqual([
    'adaspddng',
    'Driver assistance: pedestrian in danger zone'
  ])
  const { fields } = await call('triggers.structure', {})
  expect(fields.map(({ key, words }) => [key, english(words)])).toContainEqual([
    'io_exp_in1',
    'input 1 of the expander'
  ])
  const rules = [{ id: 'key', key: 'label', operator: 'within' as const, value: ['harshbrk', 'strange1'] }]
  const { text } = await call('triggers.describe', { rules, postfix: ['key'] })
  expect(english(text)).toBe('Fires when the event is one of “Harsh braking”, “strange1”.')
  bench.report({ label: 'harshbrk', speedKmh: 36 })
  const past = await until(async () => {
    const answer = await call('triggers.past', { vehicleId, rules, postfix: ['key'] })
    return answer.hits.length > 0 && answer
  })
  expect(past.hits.map(({ what, detail }) => [english(what), detail && english(detail)])).toEqual([
    ['Harsh braking', 'driving, 36 km/h']
  ])
  expect(past.tested).toBeGreaterThanOrEqual(1)
  await expect(call('triggers.past', { vehicleId, rules, postfix: ['other'] })).rejects.toMatchObject({
    code: 'INVALID_REQUEST'
  })
})

test('entering a geofence that was made for it is seen', async () => {
  const { call, vehicleId } = bench
  await call('triggers.createFence', { name: 'Yard', latitude: 40.4, longitude: -3.7, radiusM: 100 })
  await call('operations.sync', {})
  const { fences } = await call('triggers.fences', {})
  const yard = fences.find(({ name }) => name === 'Yard')
  const rules = [
    { id: 'home', key: 'lat', operator: 'entered_fence' as const, value: { fences: [yard?.id ?? 0], types: [] } }
  ]
  const started = await call('triggers.provoke', { vehicleId, name: 'Home', rules, postfix: ['home'] })
  bench.report({ lat: 40.5 })
  await until(() =>
    bench.core.accessories.tests
      .list()
      .find(({ id, note }) => id === started.id && note.id === 'triggers.noneSatisfies')
  )
  bench.report({ deviceTimeMs: Date.now() + 1_000 })
  expect((await bench.ended(started)).state).toBe('found')
  await expect(
    call('triggers.createFence', { name: 'Small', latitude: 0, longitude: 0, radiusM: 49 })
  ).rejects.toMatchObject({ message: expect.stringContaining('50 meters') })
})

test('the navigation unit refuses texts while its mode is off, and long or accented ones at once', async () => {
  const { call, vehicleId } = bench
  await expect(call('navUnit.sendMessage', { vehicleId, type: 'inbox', text: 'Come back' })).rejects.toMatchObject({
    message: expect.stringContaining('mode')
  })
  expect(await call('navUnit.setMode', { vehicleId, on: true })).toMatchObject({ isOnline: true })
  expect(await call('navUnit.sendMessage', { vehicleId, type: 'inbox', text: 'Come back' })).toMatchObject({
    kind: 'sent'
  })
  await expect(call('navUnit.sendMessage', { vehicleId, type: 'inbox', text: 'x'.repeat(41) })).rejects.toMatchObject({
    message: expect.stringContaining('40')
  })
  await expect(call('navUnit.sendJob', { vehicleId, text: 'Peña 4', latitude: 1, longitude: 1 })).rejects.toMatchObject(
    { message: expect.stringContaining('ASCII') }
  )
  expect(await call('navUnit.sendJob', { vehicleId, text: 'Pena 4', latitude: 40.4, longitude: -3.7 })).toMatchObject({
    kind: 'sent'
  })
  const { messages } = await call('navUnit.messages', { vehicleId })
  expect(messages).toMatchObject([{ text: 'Come back', type: 'inbox' }])
})

test('events are asked with fields, a set, an expression and a filter, and exported without formulas', async () => {
  const { call, vehicleId } = bench
  bench.report({ label: 'adasfcw' })
  const day = new Date().toISOString().slice(0, 10)
  const question = {
    vehicleId,
    from: day,
    to: `${day}T23:59:59`,
    fields: ['label', 'kmh:@speed*3.6', '$io_exp'],
    filter: "label == 'adasfcw' and valid_position"
  }
  const table = await until(async () => {
    const answer = await call('rawdata.query', question)
    return answer.rows.length > 0 && answer
  })
  expect(table.columns).toEqual(expect.arrayContaining(['label', 'kmh', 'io_exp_in1']))
  expect(table.labels['adasfcw']?.es).toMatch(/colisión/i)
  const { problems } = await call('rawdata.check', { fields: ['speeed', 'x:@label*2'], filter: 'speed >' })
  expect(problems.map(({ part }) => part)).toEqual(['fields', 'fields', 'filter'])
  await expect(call('rawdata.query', { ...question, filter: 'speed > label' })).rejects.toMatchObject({
    code: 'INVALID_REQUEST'
  })
  const file = await call('rawdata.export', question)
  expect(Buffer.from(file.base64, 'base64').toString()).toContain('adasfcw')
  const resampled = await call('rawdata.query', {
    vehicleId,
    from: day,
    to: `${day}T23:59:59`,
    fields: ['speed'],
    resample: { by: 'event_time', every: '15T', how: 'max' }
  })
  expect(resampled.rows.length).toBeGreaterThan(0)
})

test('trips, stops and routes are read, and a part that may not be read hides nothing else', async () => {
  const { call, gateway, vehicleId } = bench
  const read = await call('rawdata.journeys', { vehicleId })
  expect(read.problems).toEqual([])
  expect(read.trips.length).toBeGreaterThan(0)
  gateway.setFault({ operation: 'routes.states', status: 403 })
  const partly = await call('rawdata.journeys', { vehicleId })
  expect(partly.trips.length).toBeGreaterThan(0)
  expect(partly.problems.map((problem) => createTexts({ language: 'es' }).say(problem))).toEqual([
    expect.stringMatching(/^Rutas: /)
  ])
})

test('a question over a week becomes a job at the gateway and is followed to its file', async () => {
  const { call, vehicleId } = bench
  const to = new Date(Date.now() + 60_000).toISOString().slice(0, 19)
  const from = new Date(Date.now() - 8 * 86_400_000).toISOString().slice(0, 19)
  const table = await call('rawdata.query', { vehicleId, from, to, fields: ['label'] })
  expect(table.rows.length).toBeGreaterThan(0)
  expect(bench.gateway.requests.some(({ operation }) => operation === 'jobs.data')).toBe(true)
})
