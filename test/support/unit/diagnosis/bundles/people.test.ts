import fs from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createBundles } from '../../../../../main/support/diagnosis/bundles/bundles.ts'
import { openBundle } from '../../../../../main/support/diagnosis/bundles/openBundle.ts'
import type { BundleSources } from '../../../../../main/support/diagnosis/bundles/sources.ts'
import { newEntry, type EntryInput, type EntryType } from '../../../../../main/job/jobs/record/journal.ts'
import { createTexts } from '../../../../../main/base/messages/texts.ts'
import { hashOfPayload, type HandedOverOperation } from '../../../../../main/gateway/waitingWork/handover/handedOver.ts'
import { createRedactor } from '../../../../../main/base/secrets/redact.ts'
import { sealEntry } from '../../../../../main/data/store/jobs/seal.ts'
import type { Json } from '../../../../../preload/contract/define.ts'
import { message, plainMessage } from '../../../../../preload/contract/messages.ts'
import { someEvidence } from '../../../../world/data/bundles/bundleFile.ts'
import { readZip } from '../../../../world/data/bundles/readZip.ts'
import { jobOf, makeSealedJob, makeSigner, sealedJobId } from '../../../../world/data/sealedJob.ts'
import { tempFolder } from '../../../../world/tempFolder.ts'

const { signal } = new AbortController()
const at = '2026-11-20T16:00:00.000Z'
let n = 0
/** A name that nothing else has, in each of the ways in which names are written. */
const person = (): string => {
  n += 1
  return [`Marker${n} Müller`, `MARKER${n}`, `marker${n} o'brien "x"`][n % 3] as string
}

/** Degrees in every form that a field or a text has; the digits 73519 and 41 27 6 stand in nothing else. */
const places: Json = {
  latitude: 7.3519,
  lon: -7.3519,
  start_lat: 7.3519,
  homeLongitude: 7.3519,
  latE7: 73519000,
  location: [7.3519, -7.3519],
  at: [7.35192, -7.35191],
  position: { lat: 7.3519, lng: '7.3519' },
  route: [[7.3519, 7.3519]],
  said: 'near 7.3519, -73.519 today',
  one: 'it stood at 7.35191 then',
  degrees: 'stands at 41°27\'6" N',
  sided: '7.3519 N',
  url: 'https://maps.invalid/?q=7.3519%2C-7.3519',
  geo: 'geo:7.3,-73.519',
  nmea: '$GPGGA,1,073.519,N,073.519,W',
  sentence: 'lat 7.3519 and longitude: -7.3519',
  json: '{"latitude":7.3519,"deep":"{\\"lon\\":7.3519}"}',
  log: 'it failed with {"latitude": 7.3519, "at": "x"} today'
}
const placeMarks = /7\.?3\.?519|41°27|073\.519/

async function planted(): Promise<BundleSources> {
  const sealed = await makeSealedJob(makeSigner().sign)
  const entries = sealed.entries.filter(({ type }) => type !== 'sealed')
  const write = <Type extends EntryType>(type: Type, stepId: string | null, data: EntryInput<Type>): void => {
    entries.push(sealEntry(entries.at(-1)!.hash, { seq: entries.length + 1, at, ...newEntry(type, stepId, data) }))
  }
  const stepId = sealed.job.steps[0]!.id
  const typed = person()
  write('waived', stepId, { reason: `not without ${person()}`, by: person() })
  write('answered', stepId, {
    attempt: 1,
    answer: { value: typed, notWired: { lines: ['IN1'], reason: `asked ${person()}` } }
  })
  write('evidence', stepId, {
    attempt: 1,
    witness: 'person',
    what: plainMessage(`The answer was ${typed}`),
    raw: { places, driver: person(), text: JSON.stringify({ owner: person(), by: person() }) },
    thresholds: null
  })
  write('evidence', stepId, {
    attempt: 1,
    witness: 'gateway',
    what: message('accessoryChecks.keyOfOthers', { names: [person(), person()] }),
    raw: { assets: [{ id: 1, name: person(), type: 'driver' }], places },
    thresholds: null
  })
  write('namesGiven', null, { technician: person(), customer: person() })
  const receiver = person()
  write('movedAway', null, { id: 'h1', to: receiver, at })
  write('movedHere', null, { id: 'h1', from: person(), at, by: person(), reason: `${person()} fell ill` })
  const job = jobOf(sealedJobId, entries)
  const payload: Json = {
    name: person(),
    type: 'driver',
    info: { phone: '+57 300 555 0100', note: `call ${person()}` }
  }
  const operation: HandedOverOperation = {
    id: 'o1',
    kind: 'assets.create',
    key: 'k',
    state: 'done',
    jobId: sealedJobId,
    title: message('operations.createAsset', { type: 'driver', name: person() }),
    payload,
    payloadHash: hashOfPayload(payload),
    baseline: null,
    result: { asset: { name: person() } },
    isLive: false,
    claim: null,
    reason: message('operations.cameOver', { named: 'yes', from: person() }),
    evidence: [{ at, what: message('operations.keyOfAnother', { key: '1', asset: person() }), raw: places }],
    createdAt: at,
    updatedAt: at,
    needs: [],
    attempts: [
      { number: 1, requestHash: null, startedAt: at, serverTimeMs: null, outcome: null, by: person(), imei: null }
    ]
  }
  const everywhere: Json = {
    places,
    technician: person(),
    holder: person(),
    keyOwner: person(),
    driver_name: person(),
    customer: person(),
    contact: { name: person() },
    drivers: [{ name: person() }],
    from: person(),
    to: person(),
    history: [{ kind: 'asset', id: '3', name: person(), from: at }],
    reason: `because ${person()} said so`,
    repeats: `${receiver} and ${typed.toUpperCase()} were there`
  }
  const gateway: Json = { state: 'answers', user: { value: { name: person(), isStaff: false }, readAt: at } }
  return {
    seal: () => Promise.resolve(),
    job: () => ({
      job: {
        ...job,
        handedOver: { id: 'h1', to: receiver, at, takenOver: { by: person(), reason: `${person()} is away` } },
        prepared: { id: 'p1', by: person(), dueAt: null, notes: `for ${person()}` }
      },
      entries
    }),
    picture: () => undefined,
    operations: () => [operation],
    deviceWrites: () => [
      {
        id: 1,
        at,
        operation: 'modem.editApn',
        input: everywhere,
        by: person(),
        jobId: null,
        outcome: 'done',
        detail: plainMessage(`${receiver} sent it at 7.35194`),
        answer: everywhere
      }
    ],
    snapshots: () => [
      { id: 's1', takenAt: at, text: JSON.stringify({ by: person(), readings: { places, everywhere } }) }
    ],
    evidence: () =>
      Promise.resolve({
        ...someEvidence,
        device: {
          ...someEvidence.device!,
          readings: {
            'gps.position': { value: places, raw: everywhere, problems: [], readAt: at, elapsedMs: 4, failure: null }
          }
        }
      }),
    limits: () => ({ limits: {}, tolerances: {} }),
    recording: () => ({
      fromMs: 1,
      toMs: 2,
      first: { gateway },
      changes: [
        {
          atMs: 2,
          set: [
            { path: ['device', 'startLat'], value: 7.3519 },
            { path: ['gateway', 'user', 'value', 'name'], value: person() }
          ]
        }
      ]
    }),
    answers: () =>
      Promise.resolve([
        {
          call: 'vehicles.assets',
          input: { ids: [1] },
          output: { assets: [{ id: 1, name: person(), type: 'driver' }] },
          readAt: at
        },
        { call: 'gateway.status', input: {}, output: { user: person(), everywhere }, readAt: at }
      ] as Json[]),
    device: () => ({
      imei: '867698040023056',
      model: 'ft4',
      label: `of ${receiver}`,
      address: '192.168.8.1',
      lastVehicle: 'Unit 7',
      lastJobAt: null,
      lastSeenAt: null
    }),
    vehicle: () =>
      Promise.resolve({
        name: 'Unit 7',
        info: { driver: person(), 'Owner name': person(), email: 'marker@example.com' },
        places
      }),
    faults: () => [
      {
        at,
        text: `it failed for ${receiver} with ${JSON.stringify(places)} and ${JSON.stringify(JSON.stringify({ technician: person(), latitude: 7.3519 }))}`
      }
    ],
    selfTest: () => Promise.resolve([]),
    versions: () => ({
      fitter: '0.1.0',
      frontEnd: 'terminal',
      system: 'Linux',
      release: '6',
      processor: 'x64',
      node: '24.21.0',
      schema: 18,
      language: 'en',
      timeZone: 'UTC'
    }),
    people: () => [person(), 'user'],
    technician: () => person(),
    isTraining: false,
    redactor: createRedactor(),
    say: (what) => createTexts({ language: 'en' }).say(what)
  }
}

test('a bundle without names and positions has none of them in any part, and what is left still opens', async () => {
  const folder = tempFolder()
  const desk = createBundles({
    folder: path.join(folder, 'desk'),
    sources: await planted(),
    subjectOf: () =>
      Promise.resolve({
        jobId: sealedJobId,
        imei: '867698040023056',
        model: 'ft4',
        deviceKey: null,
        vehicleId: 7,
        vehicleName: 'Unit 7'
      }),
    events: { tell: () => undefined },
    reportFault: (error) => expect.fail(String(error))
  })
  onTestFinished(() => desk.stop())
  const textOf = async (holds: { positions: boolean; names: boolean }): Promise<string> => {
    const file = path.join(folder, `${String(holds.positions)}-${String(holds.names)}.zip`)
    await desk.write({ about: { jobId: sealedJobId }, holds: { photos: false, ...holds }, file }, signal)
    const bundle = await openBundle(file, { signal })
    expect((await bundle.entries()).length).toBeGreaterThan(20)
    expect((await bundle.operations()).length).toBe(1)
    await bundle.close()
    return [...readZip(fs.readFileSync(file))]
      .map(([name, content]) => `${name}\n${content.toString('utf8')}`)
      .join('\n')
  }
  const around = (text: string, pattern: RegExp) =>
    [...text.matchAll(new RegExp(pattern, 'gi'))].map(({ index }) => text.slice(Math.max(0, index - 60), index + 30))

  const bare = await textOf({ positions: false, names: false })
  expect(around(bare, /marker\d*|555 0100/)).toEqual([])
  expect(around(bare, placeMarks)).toEqual([])
  // What it is for stays: the device, the vehicle, and every field's own name.
  for (const kept of ['867698040023056', 'Unit 7', '192.168.8.1', '"modem.editApn"', '"isStaff"'])
    expect(bare).toContain(kept)
  const named = await textOf({ positions: false, names: true })
  expect(around(named, placeMarks)).toEqual([])
  expect(around(named, /marker\d+/).length).toBeGreaterThan(60)
  const placed = await textOf({ positions: true, names: false })
  expect(around(placed, /marker\d*/)).toEqual([])
  expect(around(placed, placeMarks).length).toBeGreaterThan(60)
})
