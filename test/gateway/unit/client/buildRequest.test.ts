import { describe, expect, test } from 'vitest'
import { buildRequest } from '../../../../main/gateway/client/request/buildRequest.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { english } from '../../../world/window/english.ts'
import { gatewayEndpoints } from '../../../../main/gateway/client/request/endpointTable.ts'

function build(id: string, input: Record<string, unknown> = {}) {
  const endpoint = gatewayEndpoints.get(id)
  if (!endpoint) throw new Error(id)
  return buildRequest(endpoint, input)
}
function refusal(id: string, input: Record<string, unknown>): string {
  try {
    build(id, input)
  } catch (error) {
    expect(error).toMatchObject({ code: 'INVALID_REQUEST' })
    expect(error).toMatchObject({ fate: 'refused' })
    if (error instanceof AppError) return english(error.sentence)
  }
  throw new Error(`${id} was not refused`)
}
const queryOf = (id: string, input: Record<string, unknown>) =>
  Object.fromEntries(new URLSearchParams(build(id, input).query))

describe('queries', () => {
  test('search keys, lists and joins are written as the document shows them', () => {
    expect(
      queryOf('vehicles.list', {
        search: { 'info.license_plate': 'AB 12', groups: [1, 2], 'properties.custom.ref': true },
        select: { fields: ['name', 'info'], join: { device: ['latest.loc', 'network'] } },
        ids: [1, 2],
        set: 1000,
        page: 2
      })
    ).toEqual({
      'search.info.license_plate': 'AB 12',
      'search.groups': '[1,2]',
      'search.properties.custom.ref': 'true',
      select: 'name,info,device:latest.loc network',
      ids: '1,2',
      set: '1000',
      page: '2'
    })
  })

  test('a plus in a field expression is sent as %2B', () => {
    expect(build('rawdata.query', { fields: ['both:@a__str+@b__str'] }).query).toBe(
      'fields=both%3A%40a__str%2B%40b__str'
    )
  })

  test('times become UTC in the documented form', () => {
    expect(
      queryOf('rawdata.query', { from: new Date('2026-11-20T08:09:10.5Z'), to: '2026-11-20T09:00:00.000Z' })
    ).toEqual({
      from: '2026-11-20T08:09:10',
      to: '2026-11-20T09:00:00'
    })
    expect(queryOf('rawdata.query', { from: '2026-11-20' })).toEqual({ from: '2026-11-20' })
  })

  test('texts of a terminal are taken for numbers and booleans', () => {
    expect(queryOf('rawdata.query', { tail: '-1', async: '1', vehicles: '3,4' })).toEqual({
      tail: '-1',
      async: 'true',
      vehicles: '3,4'
    })
  })

  test.each([
    ['vehicles.list', { colour: 'red' }, /has no “colour”.*search\.<key>\?/],
    ['vehicles.list', { set: 1001 }, /1 to 1000/],
    ['devices.list', { set: 501 }, /1 to 500/],
    ['vehicles.list', { page: 0 }, /“page”/],
    ['vehicles.list', { search: { 'a b': 1 } }, /not a key path/],
    ['vehicles.list', { search: { a: {} } }, /search\.a/],
    ['vehicles.get', {}, /needs “id”/],
    ['vehicles.get', { id: '1/../2' }, /whole number/],
    ['devices.get', { imei: '12' }, /IMEI/],
    ['rawdata.query', {}, /rawdata\.keys/],
    ['rawdata.query', { duration: '1 day' }, /ISO 8601 duration/],
    ['rawdata.query', { from: '20.11.2026' }, /YYYY-MM-DD/],
    ['rawdata.query', { from: '2026-11-20', to: '2026-11-19' }, /after “to”/],
    ['rawdata.query', { distance: 'yard' }, /one of meter, km, mile, user/],
    ['rawdata.query', { duration: 'P1D', resample: 'event_time' }, /together/],
    ['rawdata.query', { duration: 'P1D', resample: 'event_time', freq: '0T' }, /above 0/],
    ['counters.query', { duration: 'P1D', round: 11 }, /1 to 10/],
    ['counters.query', { duration: 'P1D', speed: 'knots' }, /kph, mph, user/],
    ['receivers.delete', { token: '..' }, /must not be/]
  ])('%s %j is refused', (id, input, words) => {
    expect(refusal(id, input)).toMatch(words)
  })
})

describe('bodies', () => {
  test('are sent with their documented names', () => {
    const request = build('entities.link', { primary_id: 4, secondary_id: 9 })
    expect(request).toMatchObject({ method: 'POST', path: '/entities/link', query: '' })
    expect(JSON.parse(request.body ?? '')).toEqual({ primary_id: 4, secondary_id: 9 })
  })

  test('what belongs into the path does not go into the body', () => {
    const request = build('sims.update', { resource_id: 7, line_number: '+34 600' })
    expect(request.path).toBe('/sims/7')
    expect(JSON.parse(request.body ?? '')).toEqual({ line_number: '+34 600' })
  })

  test('a file name is one part of the path', () => {
    expect(build('reports.file', { job_id: 'j', file: 'a/b ü.csv' }).path).toBe('/job_manager/j/a%2Fb%20%C3%BC.csv')
  })

  const ring = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 0]
  ]
  const properties = { name: 'yard', visibility: 'private' }
  test.each([
    ['ibuttons.create', { id: '01234567890', entity: 1 }, /16 letters and digits/],
    ['ibuttons.create', { id: '0123456789ABCDEF' }, /needs “entity”/],
    ['ibuttons.create', { id: '0123456789ABCDEF', entity: '1' }, /whole number/],
    ['navscreen.sendMessage', { vid: 1, mtype: 'inbox', message: 'x'.repeat(41) }, /41 characters/],
    ['navscreen.sendMessage', { vid: 1, mtype: 'post', message: 'x' }, /inbox, screen/],
    ['navscreen.sendJob', { vid: 1, message: 'Calle Núñez', flat: 1, flon: 1 }, /ASCII/],
    ['navscreen.sendJob', { vid: 1, message: 'x', flat: 91, flon: 1 }, /-90 to 90/],
    ['remote.output', { vid: 1, otype: 'e', out: 1, state: 'on' }, /true or false/],
    [
      'geofences.create',
      { geometry: { type: 'Circle', radius: 49, coordinates: [0, 0] }, properties },
      /at least 50 meters/
    ],
    ['geofences.create', { geometry: { type: 'Circle', radius: 60, coordinates: [0, 95] }, properties }, /latitude/],
    ['geofences.create', { geometry: { type: 'Polygon', coordinates: [ring.slice(0, 3)] }, properties }, /not closed/],
    [
      'geofences.create',
      {
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [0, 0]
            ]
          ]
        },
        properties
      },
      /3 or more/
    ],
    [
      'geofences.create',
      {
        geometry: { type: 'Polygon', coordinates: [[...Array.from({ length: 800 }, (_, i) => [i / 10, 0]), [0, 0]]] },
        properties
      },
      /801 coordinates/
    ],
    [
      'geofences.create',
      { geometry: { type: 'Polygon', coordinates: [ring] }, properties: { visibility: 'groups' } },
      /groups/
    ],
    ['geofences.create', { geometry: { type: 'Square' }, properties }, /Polygon, a Circle or a LineString/],
    [
      'routes.create',
      { id: 1, active: true, schedules: [], checkpoints: [{ lat: 0, lon: 0, buffer: 10 }] },
      /at least 2/
    ],
    ['reports.update', { job_id: 'j', state: 'paused' }, /running, error, done/]
  ])('%s %j is refused', (id, input, words) => {
    expect(refusal(id, input)).toMatch(words)
  })

  test('what the document allows is let through', () => {
    build('geofences.create', { geometry: { type: 'Polygon', coordinates: [ring] }, properties })
    build('geofences.create', { geometry: { type: 'Circle', radius: 50, coordinates: [2, 41] }, properties })
    build('geofences.create', {
      geometry: { type: 'Polygon', coordinates: [[...Array.from({ length: 799 }, (_, i) => [i / 10, 0]), [0, 0]]] },
      properties
    })
    build('navscreen.sendJob', { vid: 1, message: 'x'.repeat(40), flat: -90, flon: 180 })
    build('navscreen.sendMessage', { vid: 1, mtype: 'screen', message: 'ñ'.repeat(40) })
    build('counters.query', { duration: 'PT30M', round: 10 })
  })
})

test('a MAC address stands in the path as it is written, colons and all', () => {
  expect(build('btTags.assign', { mac: 'AA:BB:CC:DD:EE:FF', asset_id: 3 }).path).toBe('/bt_tags/AA:BB:CC:DD:EE:FF')
  expect(build('sims.get', { id: 'a/b?c#d%e' }).path).toBe('/sims/a%2Fb%3Fc%23d%25e')
})
