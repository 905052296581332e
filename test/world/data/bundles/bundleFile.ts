import path from 'node:path'
import type { BundlePartKind } from '../../../../preload/contract/support/bundles.ts'
import { writeBundle, type ManifestHead, type NewPart } from '../../../../main/support/diagnosis/bundles/writeBundle.ts'
import { sourceResourcesFolder } from '../../../../main/app/core.ts'
import { openBundle } from '../../../../main/support/diagnosis/bundles/openBundle.ts'
import { createRedaction } from '../../../../main/support/diagnosis/bundles/redaction.ts'
import { seenIn } from '../../../../main/support/diagnosis/bundles/evidenceIn.ts'
import { diagnose } from '../../../../main/support/diagnosis/diagnosis.ts'
import { diagnosisLimits } from '../../../../main/support/diagnosis/limits.ts'
import { loadShipped } from '../../../../main/job/jobs/checklists/shipped.ts'
import { createRedactor } from '../../../../main/base/secrets/redact.ts'
import { sha256Hex } from '../../../../main/data/store/jobs/seal.ts'
import type { Json } from '../../../../preload/contract/define.ts'
import type { Verdicts } from '../../../../preload/contract/support/diagnosis.ts'
import type { Evidence } from '../../../../preload/contract/support/evidence.ts'
import { jpegPicture } from '../pictures.ts'
import { makeSealedJob, makeSigner, sealedJobId } from '../sealedJob.ts'

export const bundleHead: ManifestHead = {
  writtenAt: '2026-11-20T16:30:00.000Z',
  fitter: '0.1.0',
  subject: { jobId: sealedJobId, imei: '867698040023056', model: 'ft4', vehicleId: 7, vehicleName: 'Unit 7' },
  by: 'Technician One',
  isTraining: false,
  holds: { photos: true, positions: true, names: true }
}

export const nothingMasked = { masked: { secrets: 0, positions: 0, names: 0 }, changedEntries: [] }

export const someEvidence: Evidence = {
  at: '2026-11-20T16:29:58.000Z',
  imei: '867698040023056',
  vehicleText: null,
  device: { state: 'answers', why: null, host: '192.168.8.1:80', readings: {}, lately: null },
  gateway: null,
  expected: { apn: null, simId: null, from: null }
}

const versions = {
  fitter: '0.1.0',
  frontEnd: 'terminal',
  system: 'linux',
  release: '6.1',
  processor: 'x64',
  node: '24.21.0',
  schema: 18,
  language: 'en',
  timeZone: 'UTC'
}

function jsonPart(kind: BundlePartKind, name: string, value: unknown): NewPart {
  return { kind, name, pieces: [`${JSON.stringify(value)}\n`] }
}

/** The parts of a bundle of a signed job with one photo. */
export async function bundleParts(): Promise<NewPart[]> {
  const { job, entries } = await makeSealedJob(makeSigner().sign)
  const picture = jpegPicture()
  return [
    { kind: 'about', name: 'README.txt', pieces: ['This is a support bundle.\n'] },
    jsonPart('versions', 'versions.json', versions),
    jsonPart('job', 'job.json', job),
    { kind: 'journal', name: 'journal.jsonl', pieces: entries.map((entry) => `${JSON.stringify(entry)}\n`) },
    jsonPart('evidence', 'evidence.json', someEvidence),
    {
      kind: 'timeline',
      name: 'timeline.jsonl',
      pieces: entries.map(
        ({ at, type, stepId }) =>
          `${JSON.stringify({ at, source: 'log', kind: type, stepId, what: { id: 'plain.text', values: { text: type } } })}\n`
      )
    },
    jsonPart('snapshot', 'snapshots/1.json', { format: 'fitter-snapshot', version: 1 }),
    { kind: 'photo', name: `photos/${sha256Hex(picture)}.jpg`, pieces: [picture] }
  ]
}

/**
 * What evidence comes to when it went through a support bundle: redacted, written, read, and held against the limits of
 * its writer.
 */
export async function diagnosedInBundle(folder: string, evidence: Evidence): Promise<Verdicts> {
  const { standardProfile } = loadShipped(sourceResourcesFolder)
  const measures = { limits: diagnosisLimits(standardProfile), tolerances: standardProfile.comparison }
  const redaction = createRedaction({ redactor: createRedactor(), holds: { positions: true, names: true }, people: [] })
  const parts = [
    jsonPart('versions', 'versions.json', versions),
    jsonPart('evidence', 'evidence.json', redaction.json(evidence as unknown as Json)),
    jsonPart('limits', 'limits.json', measures)
  ]
  const file = await makeBundleFile(folder, { parts, head: { subject: { ...bundleHead.subject, jobId: null } } })
  const bundle = await openBundle(file, { signal: new AbortController().signal })
  const seen = await seenIn(bundle, measures)
  await bundle.close()
  if (!seen) throw new Error('Nothing was seen')
  return diagnose(seen.evidence, seen.measures)
}

/** Writes such a bundle; `change` may exchange parts and what its manifest says. */
export async function makeBundleFile(
  folder: string,
  change: { parts?: NewPart[]; head?: Partial<ManifestHead>; name?: string } = {}
): Promise<string> {
  const file = path.join(folder, change.name ?? 'bundle.zip')
  await writeBundle(file, {
    head: () => ({ ...bundleHead, ...nothingMasked, ...change.head }),
    parts: change.parts ?? (await bundleParts()),
    signal: new AbortController().signal
  })
  return file
}
