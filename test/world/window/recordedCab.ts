import { randomUUID } from 'node:crypto'
import { routeCall } from '../../../main/app/router.ts'
import type { CabBundle } from '../../../main/support/bundleViewer/bundle.ts'
import { recordAnswers } from '../../../main/support/bundleViewer/record.ts'
import { writeBundle, type NewPart } from '../../../main/support/diagnosis/bundles/writeBundle.ts'
import type { BundlePartKind } from '../../../preload/contract/support/bundles.ts'
import type { RecordedAnswer } from '../../../preload/contract/support/openedBundle.ts'
import type { Json } from '../../../preload/contract/define.ts'
import type { Job } from '../../../preload/contract/job/jobs.ts'
import type { SimulatedDevice, SimulatedGateway } from '../../../simulator/simulation.ts'
import { jpegPicture } from '../data/pictures.ts'
import type { WorkspaceBench } from '../device/workspaceBench.ts'

export interface Recorded {
  job: Job
  answers: RecordedAnswer[]
  bundle: CabBundle
  jobId: string
  imei: string
  vehicleId: number
  deviceKey: string
}

/**
 * Creates a job with a picture on a simulated vehicle, and records the answers for all its screens, as for a support
 * bundle.
 */
export async function recordCab(bench: WorkspaceBench): Promise<Recorded> {
  const device = bench.simulation.devices[0] as SimulatedDevice
  const gateway = bench.simulation.gateway as SimulatedGateway
  const deviceKey = bench.keys[0] as string
  await bench.call('settings.change', { technician: 'Technician One' })
  await bench.call('gateway.signIn', { url: gateway.url, user: gateway.user, password: gateway.password })
  const vehicle =
    gateway.state.vehicles.find(({ device: imei }) => String(imei) === device.imei) ?? gateway.state.vehicles[0]
  if (!vehicle) throw new Error('no vehicle')
  const made = await bench.call('jobs.create', {
    templateId: 'standard-installation',
    deviceKey,
    vehicleText: vehicle.name,
    customer: 'Customer One'
  })
  if (made.outcome !== 'created') throw new Error(made.outcome)
  const picture = jpegPicture()
  await bench.call('attachments.add', {
    jobId: made.id,
    stepId: null,
    purpose: 'mounting',
    source: 'file',
    upload: randomUUID(),
    totalBytes: picture.length,
    from: 0,
    base64: picture.toString('base64')
  })
  await bench.call('workspace.read', {
    key: deviceKey,
    view: 'a',
    operations: ['gps.position', 'modem.information', 'io.all', 'system.info']
  })
  const { handlers, core } = bench
  // Somebody looks at it twice: that is what is recorded.
  await bench.call('diagnosis.look', { subject: { key: deviceKey } })
  const ids = { jobId: made.id, imei: device.imei, deviceKey, vehicleId: vehicle.id }
  const answers = await recordAnswers(
    { ask: (call, input) => routeCall(handlers, call, input, (error) => bench.faults.push(error)), subject: ids },
    AbortSignal.timeout(60_000)
  )
  await bench.call('diagnosis.look', { subject: { key: deviceKey } })
  const taken = await bench.call('snapshots.take', { key: deviceKey, view: 'a' })
  const snapshot = JSON.parse(core.snapshots.text(taken.snapshot.id)) as Json
  const session = core.diagnosis.recording.give({ imei: device.imei, vehicleId: vehicle.id }) as Json | null
  const job = await bench.call('jobs.show', { id: made.id })
  // The pictures as they were kept come before those of reports, which were kept at the same moment: the order of
  // hashes is none.
  const asKept = new Set(job.attachments?.map(({ sha256 }) => sha256))
  const pictures = core.store.attachments
    .ofJob(made.id)
    .toSorted((one, other) => Number(asKept.has(other.sha256)) - Number(asKept.has(one.sha256)))
    .map(({ sha256, mediaType }) => ({
      sha256,
      mediaType: mediaType as 'image/jpeg',
      bytes: core.store.attachments.read(sha256)
    }))
  const entries = core.store.jobs.journal(made.id)
  const bundle: CabBundle = {
    manifest: {
      writtenAt: new Date().toISOString(),
      fitter: '0.0.1',
      by: 'Technician One',
      isTraining: false,
      holds: { photos: true, positions: true, names: true },
      subject: {
        jobId: made.id,
        imei: device.imei,
        model: job.device.model,
        vehicleId: vehicle.id,
        vehicleName: vehicle.name
      }
    },
    evidence: await core.diagnosis.evidence({ key: deviceKey, vehicleId: vehicle.id }),
    limits: core.measures() as unknown as Json,
    recording: () => Promise.resolve(session),
    device: {
      imei: device.imei,
      model: job.device.model,
      label: '',
      address: job.device.address,
      lastVehicle: null,
      lastSeenAt: null
    },
    photos: pictures,
    entries: () => Promise.resolve(entries),
    deviceWrites: () => Promise.resolve([]),
    answers: () => Promise.resolve(answers),
    snapshots: () => Promise.resolve([snapshot]),
    photo: (sha256) => Promise.resolve(pictures.find((one) => one.sha256 === sha256)!),
    close: () => Promise.resolve()
  }
  return { bundle, job, answers, ...ids }
}

/** The same as a file. */
export async function writeRecorded(file: string, { bundle, job, answers }: Recorded): Promise<void> {
  const lines = (kind: BundlePartKind, name: string, all: readonly unknown[]): NewPart => ({
    kind,
    name,
    pieces: all.map((one) => `${JSON.stringify(one)}\n`)
  })
  const whole = (kind: BundlePartKind, name: string, value: unknown): NewPart => ({
    kind,
    name,
    pieces: [JSON.stringify(value)]
  })
  const versions = {
    fitter: '0.1.0',
    frontEnd: 'browser',
    system: 'linux',
    release: '6.1',
    processor: 'x64',
    node: '24.21.0',
    schema: 18,
    language: 'en',
    timeZone: 'UTC'
  }
  const pictures = await Promise.all(
    bundle.photos.map(async ({ sha256 }): Promise<NewPart> => ({
      kind: 'photo',
      name: `photos/${sha256}.jpg`,
      pieces: [(await bundle.photo(sha256)).bytes]
    }))
  )
  const parts = [
    whole('versions', 'versions.json', versions),
    whole('job', 'job.json', job),
    lines('journal', 'journal.jsonl', await bundle.entries()),
    ...(bundle.evidence === null ? [] : [whole('evidence', 'evidence.json', bundle.evidence)]),
    ...(bundle.limits === null ? [] : [whole('limits', 'limits.json', bundle.limits)]),
    ...((await bundle.recording()) === null ? [] : [whole('recording', 'recording.json', await bundle.recording())]),
    ...(await bundle.snapshots()).map((one, index) => whole('snapshot', `snapshots/${index + 1}.json`, one)),
    lines('answers', 'answers.jsonl', answers),
    ...pictures
  ]
  const head = {
    ...bundle.manifest,
    holds: { photos: true, positions: true, names: true },
    masked: { secrets: 0, positions: 0, names: 0 },
    changedEntries: []
  }
  await writeBundle(file, { head: () => head, parts, signal: new AbortController().signal })
}
