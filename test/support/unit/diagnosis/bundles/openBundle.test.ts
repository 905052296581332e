import fs from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openBundle } from '../../../../../main/support/diagnosis/bundles/openBundle.ts'
import { makeBundleFile, someEvidence } from '../../../../world/data/bundles/bundleFile.ts'
import { jpegPicture } from '../../../../world/data/pictures.ts'
import { readZip } from '../../../../world/data/bundles/readZip.ts'
import { sealedJobId } from '../../../../world/data/sealedJob.ts'
import { tempFolder } from '../../../../world/tempFolder.ts'

const { signal } = new AbortController()

async function opened(file: string) {
  const bundle = await openBundle(file, { signal })
  onTestFinished(() => bundle.close())
  return bundle
}

test('what was written into a support bundle is read out of it', async () => {
  const bundle = await opened(await makeBundleFile(tempFolder()))
  expect(bundle.manifest.subject.jobId).toBe(sealedJobId)
  expect(bundle.job?.id).toBe(sealedJobId)
  expect(bundle.evidence).toEqual(someEvidence)
  expect(bundle.versions.node).toBe('24.21.0')
  const entries = await bundle.entries()
  expect(entries.at(-1)?.hash).toBe(bundle.job?.seal)
  expect(await bundle.timeline()).toHaveLength(entries.length)
  expect(await bundle.snapshots()).toEqual([{ format: 'fitter-snapshot', version: 1 }])
  const [photo] = bundle.photos
  expect(Buffer.from((await bundle.photo(photo!.sha256)).bytes)).toEqual(jpegPicture())
  expect([await bundle.operations(), await bundle.answers(), await bundle.recording()]).toEqual([[], [], null])
})

test('a support bundle is a plain archive, in which every part stands under its name', async () => {
  const files = readZip(fs.readFileSync(await makeBundleFile(tempFolder())))
  expect([...files.keys()].filter((name) => !name.startsWith('photos/'))).toEqual([
    'README.txt',
    'versions.json',
    'job.json',
    'journal.jsonl',
    'evidence.json',
    'timeline.jsonl',
    'snapshots/1.json',
    'manifest.json'
  ])
  expect(JSON.parse(String(files.get('evidence.json')))).toEqual(someEvidence)
})

test('a part is shown as text piece by piece, and no character is cut in two', async () => {
  const text = '€ñ'.repeat(100_000)
  const parts = [{ kind: 'about' as const, name: 'README.txt', pieces: [text] }]
  const versions = {
    fitter: '',
    frontEnd: '',
    system: '',
    release: '',
    processor: '',
    node: '',
    schema: 1,
    language: 'en',
    timeZone: ''
  }
  const file = await makeBundleFile(tempFolder(), {
    head: { subject: { jobId: null, imei: null, model: null, vehicleId: 7, vehicleName: null } },
    parts: [...parts, { kind: 'versions', name: 'versions.json', pieces: [JSON.stringify(versions)] }]
  })
  const bundle = await opened(file)
  let read = ''
  for (let from: number | null = 0; from !== null;) {
    const piece: { text: string; next: number | null } = await bundle.text('README.txt', from)
    read += piece.text
    from = piece.next
  }
  expect(read === text).toBe(true)
})

test('a bundle of the first form, as it was written then, is read today', async () => {
  const bundle = await opened(path.join(import.meta.dirname, 'form-1.zip'))
  expect(bundle.manifest).toMatchObject({ version: 1, fitter: '0.1.0', subject: { jobId: sealedJobId } })
  expect(bundle.job?.state).toBe('done')
  expect((await bundle.entries()).at(-1)?.type).toBe('sealed')
  expect(bundle.evidence).toEqual(someEvidence)
  expect(bundle.photos).toHaveLength(1)
})
