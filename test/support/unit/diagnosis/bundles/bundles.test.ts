import fs from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createBundles } from '../../../../../main/support/diagnosis/bundles/bundles.ts'
import { openBundle } from '../../../../../main/support/diagnosis/bundles/openBundle.ts'
import { seenIn } from '../../../../../main/support/diagnosis/bundles/evidenceIn.ts'
import type { BundleSources, BundleSubject } from '../../../../../main/support/diagnosis/bundles/sources.ts'
import { createRedactor } from '../../../../../main/base/secrets/redact.ts'
import type { Measures } from '../../../../../main/support/diagnosis/diagnosis.ts'
import { createTexts } from '../../../../../main/base/messages/texts.ts'
import { preparePhoto } from '../../../../../main/job/photos/preparePhoto.ts'
import { sha256Hex } from '../../../../../main/data/store/jobs/seal.ts'
import type { Json } from '../../../../../preload/contract/define.ts'
import { message, plainMessage } from '../../../../../preload/contract/messages.ts'
import { someEvidence } from '../../../../world/data/bundles/bundleFile.ts'
import { jpegPicture, withExif } from '../../../../world/data/pictures.ts'
import { readZip } from '../../../../world/data/bundles/readZip.ts'
import { makeSealedJob, makeSigner, sealedJobId } from '../../../../world/data/sealedJob.ts'
import { tempFolder } from '../../../../world/tempFolder.ts'

const { signal } = new AbortController()
const place = { latitude: 4.651234, longitude: -74.101234 }
const known = 'canary-known-7731'
/** Each in a way of its own; `canary-` marks all of them. */
const planted: Json = {
  text: `it said ${known}`,
  url: `http://192.168.8.1/wifi/add/yard/canary-wifi-1/?token=canary-token-1`,
  hotspot: '/hotspot/edit/yard/canary-hotspot-1',
  header: `Authorization: Basic ${Buffer.from('fitter:canary-basic-1').toString('base64')}`,
  bearer: 'Bearer canary-bearer-1',
  apn: { apn: 'internet.example', user: 'canary-user-1', pass: 'canary-pass-1', APN_PIN: 'canary-pin-1' },
  wifi: { ssid: 'yard', password: 'canary-wifi-2', psk: 'canary-psk-1' },
  inText: '{"password":"canary-json-1"}',
  path: '/api/tokens/canary-path-1'
}

async function sourcesOf(): Promise<BundleSources> {
  const { job, entries } = await makeSealedJob(makeSigner().sign)
  const prepared = await preparePhoto({
    bytes: withExif(jpegPicture(320, 240), { place, taken: '2026:11:20 15:58:00' }),
    devicePlace: place,
    samePlaceM: 200,
    keptAt: '2026-11-20T15:59:00.000Z',
    takenAt: null,
    place: null
  })
  if (prepared.outcome !== 'prepared') throw new Error('The picture was refused')
  const { photo } = prepared
  const pictures = new Map([photo.bytes, photo.report].map((bytes) => [sha256Hex(bytes), bytes]))
  const attachment = {
    seq: 3,
    stepId: null,
    attempt: 1,
    sha256: sha256Hex(photo.bytes),
    mediaType: 'image/jpeg' as const,
    bytes: photo.bytes.length,
    width: 320,
    height: 240,
    purpose: 'other' as const,
    takenAt: null,
    keptAt: '2026-11-20T15:59:00.000Z',
    source: 'file' as const,
    ...place,
    placeSource: 'photo' as const,
    reportSha256: sha256Hex(photo.report)
  }
  const redactor = createRedactor()
  redactor.add(known)
  return {
    seal: () => Promise.resolve(),
    job: () => ({ job: { ...job, attachments: [attachment] }, entries }),
    picture: (sha256) => pictures.get(sha256),
    operations: () => [],
    deviceWrites: () => [
      {
        id: 1,
        at: '2026-11-20T16:00:00.000Z',
        operation: 'modem.editApn',
        input: planted,
        by: 'Technician One',
        jobId: null,
        outcome: 'done',
        detail: plainMessage(String((planted as { url: string }).url)),
        answer: planted
      }
    ],
    snapshots: () => [
      {
        id: 's1',
        takenAt: '2026-11-20T16:00:00.000Z',
        text: JSON.stringify({ readings: planted, latitude: place.latitude, by: 'Technician One' })
      }
    ],
    evidence: () =>
      Promise.resolve({
        ...someEvidence,
        device: {
          ...someEvidence.device!,
          readings: {
            'modem.configuration': {
              value: planted,
              raw: planted,
              problems: [],
              readAt: someEvidence.at,
              elapsedMs: 4,
              failure: null
            },
            'gps.position': {
              value: { coords: place },
              raw: { coords: place },
              problems: [],
              readAt: someEvidence.at,
              elapsedMs: 4,
              failure: null
            }
          }
        }
      }),
    limits: () => ({ limits: { reportsS: 77 }, tolerances: {} }),
    recording: () => ({
      fromMs: 1,
      toMs: 2,
      first: planted,
      changes: [
        {
          atMs: 2,
          set: [
            { path: ['device', 'latitude'], value: place.latitude },
            { path: ['device', 'said'], value: known }
          ]
        }
      ]
    }),
    answers: () => Promise.resolve([{ call: 'gateway.status', input: {}, output: planted, readAt: someEvidence.at }]),
    device: () => ({
      imei: '867698040023056',
      model: 'ft4',
      label: `label ${known}`,
      address: '192.168.8.1',
      lastVehicle: 'Unit 7',
      lastJobAt: null,
      lastSeenAt: null
    }),
    vehicle: () => Promise.resolve({ name: 'Unit 7', notes: planted, phone: '+57 300 555 0100' }),
    faults: () => [{ at: someEvidence.at, text: `it failed with ${known} at ${JSON.stringify(planted)}` }],
    selfTest: () =>
      Promise.resolve([
        { name: message('selfTest.dataName'), ok: false, detail: plainMessage(`seen ${known}`), remedy: null }
      ]),
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
    people: () => ['Technician One'],
    technician: () => 'Technician One',
    isTraining: false,
    redactor,
    say: (what) => createTexts({ language: 'en' }).say(what)
  }
}

async function deskOf(folder: string, sources: BundleSources, more: Pick<BundleSubject, 'isAboutDevice'> = {}) {
  const told: unknown[] = []
  const desk = createBundles({
    folder: path.join(folder, 'desk'),
    sources,
    subjectOf: () =>
      Promise.resolve({
        jobId: sealedJobId,
        imei: '867698040023056',
        model: 'ft4',
        deviceKey: null,
        vehicleId: 7,
        vehicleName: 'Unit 7',
        ...more
      }),
    events: { tell: (_name, payload) => void told.push(payload) },
    reportFault: (error) => expect.fail(String(error))
  })
  onTestFinished(() => desk.stop())
  return { desk, told }
}

const about = { jobId: sealedJobId }
const all = { photos: true, positions: true, names: true }

function bytesIn(file: string): string {
  return [...readZip(fs.readFileSync(file)).values()].map((content) => content.toString('latin1')).join('\n')
}

test('no secret of any kind is in a support bundle, wherever it was planted, and how many were taken out is told', async () => {
  const folder = tempFolder()
  const { desk } = await deskOf(folder, await sourcesOf())
  const file = path.join(folder, 'out', 'bundle.zip')
  const manifest = await desk.write({ about, holds: all, file }, signal)
  const text = bytesIn(file)
  expect(text.match(/canary-[\w-]+/g)).toBeNull()
  expect(text).not.toContain(Buffer.from('fitter:canary-basic-1').toString('base64'))
  expect(manifest.masked.secrets).toBeGreaterThan(30)
  // What is no secret stays.
  expect(text).toContain('4.651234')
  expect(text).toContain('Technician One')
  expect(fs.statSync(file).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600)
  expect(fs.readdirSync(path.dirname(file))).toEqual(['bundle.zip'])
})

test('a bundle says whether it is about a device, although its job goes along', async () => {
  const folder = tempFolder()
  const file = path.join(folder, 'bundle.zip')
  const { desk } = await deskOf(folder, await sourcesOf(), { isAboutDevice: true })
  expect((await desk.write({ about: { imei: '867698040023056' }, holds: all, file }, signal)).subject).toMatchObject({
    jobId: sealedJobId,
    isAboutDevice: true
  })
  const { desk: ofJob } = await deskOf(folder, await sourcesOf())
  expect((await ofJob.write({ about, holds: all, file }, signal)).subject).not.toHaveProperty('isAboutDevice')
})

test.for(['/dev/null/x.zip', `/tmp/${'x'.repeat(300)}.zip`, '/dev/zero'])(
  'a name that no bundle can have is refused in words: %s',
  async (file) => {
    const { desk } = await deskOf(tempFolder(), await sourcesOf())
    await expect(desk.write({ about, holds: all, file }, signal)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      sentence: { id: 'bundles.notWritten' }
    })
  }
)

test('photos, positions and names are left out where a person says so, and what is left still opens', async () => {
  const folder = tempFolder()
  const { desk } = await deskOf(folder, await sourcesOf())
  const file = path.join(folder, 'bundle.zip')
  const manifest = await desk.write({ about, holds: { photos: true, positions: false, names: false }, file }, signal)
  const text = bytesIn(file)
  expect(text).not.toMatch(/4\.65|74\.10|Technician One|555 0100/)
  expect(manifest.masked).toMatchObject({ positions: expect.any(Number), names: expect.any(Number) })
  const bundle = await openBundle(file, { signal })
  onTestFinished(() => bundle.close())
  // A log from which something was taken keeps its hashes, and says which entries it was taken from.
  expect(bundle.manifest.changedEntries.length).toBeGreaterThan(0)
  expect(bundle.job?.attachments?.[0]).toMatchObject({ latitude: null, longitude: null })
  const { bytes } = await bundle.photo(bundle.job?.attachments?.[0]?.reportSha256 ?? '')
  expect(Buffer.from(bytes).includes('2026:11:20 15:58:00')).toBe(true)
  const without = await desk.write(
    { about, holds: { ...all, photos: false }, file: path.join(folder, 'without.zip') },
    signal
  )
  expect(without.parts.filter(({ kind }) => kind === 'photo')).toEqual([])
})

test('evidence of a bundle is held against the limits of whoever wrote it', async () => {
  const folder = tempFolder()
  const { desk } = await deskOf(folder, await sourcesOf())
  await desk.write({ about, holds: all, file: path.join(folder, 'bundle.zip') }, signal)
  const bundle = await openBundle(path.join(folder, 'bundle.zip'), { signal })
  onTestFinished(() => bundle.close())
  const seen = await seenIn(bundle, { limits: { reportsS: 5, silentS: 6 }, tolerances: {} } as unknown as Measures)
  expect(seen?.measures.limits).toEqual({ reportsS: 77, silentS: 6 })
  expect(seen?.evidence.at).toBe(someEvidence.at)
})

test('before anything is left out it is known how much that would be', async () => {
  const { desk } = await deskOf(tempFolder(), await sourcesOf())
  const prepared = await desk.prepare({ view: 'v1', about, holds: all }, signal)
  expect([prepared.masked.positions, prepared.masked.names, prepared.about]).toEqual([0, 0, 'Unit 7'])
  const without = await desk.prepare(
    { view: 'v1', about, holds: { photos: true, positions: false, names: false } },
    signal
  )
  expect(prepared.removable.names).toBe(without.masked.names)
  expect(prepared.removable.names).toBeGreaterThan(2)
  expect(prepared.removable.positions).toBeGreaterThanOrEqual(without.masked.positions)
  expect(without.masked.positions).toBeGreaterThan(2)
  await desk.stop()
})

test('a bundle lies ready to be looked at and is the very file that is saved', async () => {
  const folder = tempFolder()
  const { desk, told } = await deskOf(folder, await sourcesOf())
  const prepared = await desk.prepare({ view: 'v1', about, holds: all }, signal)
  expect(told.at(0)).toEqual({ view: 'v1', done: 0, total: 4, waitsFor: 'evidence', call: null })
  expect(told.at(-1)).toEqual({ view: 'v1', done: 4, total: 4, waitsFor: 'writing', call: null })
  expect(prepared.fileName).toMatch(/^fitter-bundle-867698040023056-\d{4}-\d\d-\d\d-\d\d-\d\d\.zip$/)
  expect(prepared.parts.find(({ kind }) => kind === 'journal')).toMatchObject({
    items: expect.any(Number),
    from: '2026-11-20T15:58:00.000Z'
  })
  const looked = await desk.look({ view: 'v1', part: 'evidence.json', from: 0 })
  expect(JSON.parse(looked.text)).toMatchObject({ at: someEvidence.at })
  const pieces: Buffer[] = []
  for (let from: number | null = 0; from !== null;) {
    const part = await desk.part({ view: 'v1', from })
    pieces.push(Buffer.from(part.base64, 'base64'))
    from = part.next
  }
  const saved = path.join(folder, 'saved.zip')
  fs.writeFileSync(saved, Buffer.concat(pieces))
  expect(fs.statSync(saved).size).toBe(prepared.bytes)
  await (await openBundle(saved, { signal })).close()
  await desk.end('v1')
  expect(fs.readdirSync(path.join(folder, 'desk'))).toEqual([])
  await expect(desk.look({ view: 'v1', part: 'evidence.json', from: 0 })).rejects.toMatchObject({
    sentence: { id: 'bundles.notPrepared' }
  })
})

test('what cannot be asked leaves the rest of a bundle as it is, and an end in the middle leaves nothing behind', async () => {
  const folder = tempFolder()
  const sources = await sourcesOf()
  const { AppError } = await import('../../../../../preload/contract/errors.ts')
  const away = () => Promise.reject(new AppError('UNREACHABLE', message('bundles.notRead')))
  const { desk } = await deskOf(folder, { ...sources, evidence: away, answers: away, selfTest: away, vehicle: away })
  const manifest = await desk.write({ about, holds: all, file: path.join(folder, 'bundle.zip') }, signal)
  expect(manifest.parts.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['job', 'journal', 'snapshot', 'photo', 'faults'])
  )
  expect(manifest.parts.some(({ kind }) => kind === 'evidence' || kind === 'answers')).toBe(false)
  const stop = new AbortController()
  const { desk: stopped } = await deskOf(folder, {
    ...sources,
    evidence: () => Promise.reject(stop.signal.reason as Error)
  })
  stop.abort()
  await expect(
    stopped.write({ about, holds: all, file: path.join(folder, 'none.zip') }, stop.signal)
  ).rejects.toMatchObject({ code: 'CANCELLED' })
  expect(fs.readdirSync(folder).sort()).toEqual(['bundle.zip'])
})
