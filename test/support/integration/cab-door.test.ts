import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sourceResourcesFolder } from '../../../main/app/core.ts'
import type { Host } from '../../../main/app/frontEnd.ts'
import { openWorkplace } from '../../../main/app/workplace.ts'
import type { CallInput, CallName, CallOutput } from '../../../preload/contract/index.ts'
import type { EventName } from '../../../preload/contract/events.ts'
import { startSimulation } from '../../../simulator/simulation.ts'
import { makeBundleFile } from '../../world/data/bundles/bundleFile.ts'
import { jpegPicture } from '../../world/data/pictures.ts'
import { sealedJobId } from '../../world/data/sealedJob.ts'
import { tempFolder } from '../../world/tempFolder.ts'

async function openHost(dataFolder: string): Promise<{
  host: Host
  events: EventName[]
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>
}> {
  const host = openWorkplace({
    frontEnd: 'browser',
    dataFolder,
    resourcesFolder: sourceResourcesFolder,
    openPage: () => Promise.resolve()
  })
  onTestFinished(() => host.stop())
  const events: EventName[] = []
  host.onEvent((name) => void events.push(name))
  return {
    host,
    events,
    async call(name, input) {
      const result = await host.call(name, input)
      if (!result.ok) throw result.error
      return result.value as never
    }
  }
}

type Call = Awaited<ReturnType<typeof openHost>>['call']

async function give(call: Call, file: string, pieceBytes = 20_000): Promise<void> {
  const bytes = fs.readFileSync(file)
  const upload = randomUUID()
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    const { outcome } = await call('cab.add', {
      upload,
      totalBytes: bytes.length,
      from,
      base64: bytes.subarray(from, from + pieceBytes).toString('base64')
    })
    expect(outcome).toBe(from + pieceBytes < bytes.length ? 'more' : 'open')
  }
}

/** What lies below the data folder because of a bundle. */
const leftIn = (folder: string) =>
  fs.existsSync(path.join(folder, 'fitter.cab')) ? fs.readdirSync(path.join(folder, 'fitter.cab')) : []

test('a bundle is shown in the place of the workplace, and leaving finds that as it was', async () => {
  const folder = tempFolder()
  const { call, events } = await openHost(folder)
  await call('settings.change', { technician: 'Support One', language: 'es' })
  const before = await call('jobs.list', { limit: 10 })
  await give(call, await makeBundleFile(folder, { name: 'given.zip' }))
  expect(events).toContain('app.entered')
  expect(await call('app.info', {})).toMatchObject({
    bundle: { jobId: sealedJobId, by: 'Technician One', fitter: '0.1.0', deviceKey: '867698040023056' }
  })
  expect((await call('jobs.list', { limit: 10 })).jobs.map(({ id }) => id)).toEqual([sealedJobId])
  expect(await call('settings.get', {})).toMatchObject({ technician: 'Support One', language: 'es' })
  expect((await call('jobs.report', { id: sealedJobId, format: 'json' })).base64.length).toBeGreaterThan(100)
  for (const [name, input] of [
    ['settings.change', { language: 'en' }],
    ['jobs.pause', { id: sealedJobId }],
    ['data.backUp', {}],
    ['discovery.ask', {}]
  ] as const) {
    await expect(call(name, input as never), name).rejects.toMatchObject({
      code: 'NOT_PERMITTED',
      message: { id: 'cab.onlyLookedAt' }
    })
  }
  // Another bundle takes its place.
  await give(call, await makeBundleFile(folder, { name: 'other.zip', head: { by: 'Technician Two' } }))
  expect(await call('app.info', {})).toMatchObject({ bundle: { by: 'Technician Two' } })
  expect(leftIn(folder)).toHaveLength(2)
  await call('cab.leave', {})
  expect(await call('app.info', {})).toMatchObject({ bundle: null, readOnly: null, workplace: 'real' })
  expect(await call('jobs.list', { limit: 10 })).toEqual(before)
  expect(leftIn(folder)).toEqual([])
  await call('settings.change', { language: 'en' })
}, 180_000)

test('a bundle that was opened is kept for a day, opened again from the list, and removed by the person or by time', async () => {
  const folder = tempFolder()
  const { call, events, host } = await openHost(folder)
  expect(await call('cab.list', {})).toEqual({ bundles: [] })
  const first = await makeBundleFile(tempFolder(), { name: 'given.zip' })
  await give(call, first)
  expect((await call('cab.list', {})).bundles).toEqual([])
  await give(call, await makeBundleFile(tempFolder(), { name: 'other.zip', head: { by: 'Technician Two' } }))
  await call('cab.leave', {})
  const { bundles } = await call('cab.list', {})
  expect(bundles.map(({ by, jobId, sizeBytes }) => [by, jobId, sizeBytes > 100])).toEqual([
    ['Technician Two', sealedJobId, true],
    ['Technician One', sealedJobId, true]
  ])
  const [two, one] = bundles
  expect(bundles.find(({ by }) => by === 'Technician One')?.sizeBytes).toBe(fs.statSync(first).size)
  const keptFiles = () => fs.readdirSync(path.join(folder, 'fitter.keptBundles')).sort()
  for (const name of keptFiles())
    expect(fs.statSync(path.join(folder, 'fitter.keptBundles', name)).mode & 0o077, name).toBe(0)

  events.length = 0
  await call('cab.reopen', { id: one!.id })
  expect(events).toContain('app.entered')
  expect(await call('app.info', {})).toMatchObject({ bundle: { jobId: sealedJobId, by: 'Technician One' } })
  await call('cab.leave', {})
  // Opened again, its day begins anew.
  expect((await call('cab.list', {})).bundles.map(({ id }) => id)).toEqual([one!.id, two!.id])

  expect((await call('cab.forget', { id: one!.id })).bundles.map(({ id }) => id)).toEqual([two!.id])
  await expect(call('cab.reopen', { id: one!.id })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: { id: 'cab.noLongerKept' }
  })
  expect(keptFiles()).toEqual([`${two!.id}.bundle`, `${two!.id}.json`])
  await host.stop()

  // A note that was cut off, and one whose day is over.
  const note = path.join(folder, 'fitter.keptBundles', `${two!.id}.json`)
  fs.writeFileSync(path.join(folder, 'fitter.keptBundles', 'aaaaaaaaaaaa.bundle'), 'x')
  fs.writeFileSync(path.join(folder, 'fitter.keptBundles', 'aaaaaaaaaaaa.json'), '{"id":"aaaa')
  fs.writeFileSync(
    note,
    JSON.stringify({ ...JSON.parse(fs.readFileSync(note, 'utf8')), until: new Date(Date.now() - 1_000).toISOString() })
  )
  const again = await openHost(folder)
  // Answered once the data folder is open.
  await again.call('app.info', {})
  expect(keptFiles()).toEqual([])
  expect(await again.call('cab.list', {})).toEqual({ bundles: [] })
}, 180_000)

test('pictures of the job are read from the file, by either of their hashes', async () => {
  const { call } = await openHost(tempFolder())
  await give(call, await makeBundleFile(tempFolder()))
  const { attachments = [] } = await call('jobs.show', { id: sealedJobId })
  for (const { sha256 } of attachments) {
    const read = await call('attachments.read', { jobId: sealedJobId, sha256, piece: 0 })
    expect(Buffer.from(read.base64, 'base64')).toEqual(jpegPicture())
  }
  await expect(
    call('attachments.read', { jobId: sealedJobId, sha256: 'a'.repeat(64), piece: 0 })
  ).rejects.toMatchObject({ message: { id: 'cab.notInBundle' } })
}, 180_000)

test('a file that is no bundle, or was cut off, is refused with one sentence and leaves nothing behind', async () => {
  const folder = tempFolder()
  const { call, events } = await openHost(folder)
  const whole = fs.readFileSync(await makeBundleFile(tempFolder()))
  for (const bytes of [
    whole.subarray(0, whole.length - 100),
    Buffer.from('not a bundle at all'),
    Buffer.concat([whole.subarray(0, 400), Buffer.alloc(50, 7), whole.subarray(450)])
  ]) {
    const upload = randomUUID()
    await expect(
      call('cab.add', { upload, totalBytes: bytes.length, from: 0, base64: bytes.toString('base64') })
    ).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  }
  await expect(
    call('cab.add', { upload: randomUUID(), totalBytes: 10_000_000_000, from: 0, base64: 'AAAA' })
  ).rejects.toMatchObject({ message: { id: 'cab.tooLarge' } })
  await expect(
    call('cab.add', { upload: randomUUID(), totalBytes: 100, from: 50, base64: 'AAAA' })
  ).rejects.toMatchObject({ message: { id: 'cab.noSuchUpload' } })
  const left = randomUUID()
  await call('cab.add', { upload: left, totalBytes: 100, from: 0, base64: 'AAAA' })
  expect(leftIn(folder)).toHaveLength(1)
  await call('cab.drop', { upload: left })
  expect(leftIn(folder)).toEqual([])
  expect(await call('app.info', {})).toMatchObject({ bundle: null })
  expect(events).not.toContain('app.entered')
}, 180_000)

test('while somebody works on a job, no bundle comes between', async () => {
  const simulation = await startSimulation({ gateway: false, openSystemInfo: true })
  onTestFinished(() => simulation.stop())
  const folder = tempFolder()
  const { call } = await openHost(folder)
  const [device] = simulation.devices
  const added = await call('discovery.addAddress', { address: `${device!.host}:${device!.port}` })
  if (added.kind !== 'added') throw new Error(added.kind)
  const { key } = added.device
  await call('device.signIn', { key, user: device!.user, password: device!.password, shared: false })
  const made = await call('jobs.create', { templateId: 'standard-installation', deviceKey: key })
  if (made.outcome !== 'created') throw new Error(made.outcome)
  await call('jobs.start', { id: made.id })
  const file = await makeBundleFile(tempFolder())
  await expect(give(call, file)).rejects.toMatchObject({ code: 'CONFLICT', message: { id: 'cab.jobRuns' } })
  expect((await call('jobs.live', { id: made.id })).active).toBe(true)
  expect(leftIn(folder)).toEqual([])
  await call('jobs.pause', { id: made.id })
  await give(call, file)
  expect(await call('app.info', {})).toMatchObject({ bundle: { jobId: sealedJobId } })
}, 180_000)

test('what a Fitter left behind that ended with a bundle open is gone with the next start', async () => {
  const folder = tempFolder()
  fs.mkdirSync(path.join(folder, 'fitter.cab', 'abc'), { recursive: true, mode: 0o700 })
  fs.writeFileSync(path.join(folder, 'fitter.cab', 'abc', 'fitter.db'), 'x')
  const { call, host } = await openHost(folder)
  expect(await call('app.info', {})).toMatchObject({ bundle: null })
  expect(leftIn(folder)).toEqual([])
  await give(call, await makeBundleFile(tempFolder()))
  expect(leftIn(folder)).not.toEqual([])
  await host.stop()
  expect(leftIn(folder)).toEqual([])
}, 180_000)
