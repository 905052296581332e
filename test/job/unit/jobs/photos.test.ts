import { afterEach, describe, expect, it } from 'vitest'
import { createPhotoPieces } from '../../../../main/job/jobs/photos/photoPieces.ts'
import type { Answer, Prompt } from '../../../../preload/contract/job/jobs.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { stepOfWords } from '../../../world/window/english.ts'
import { jpegPicture } from '../../../world/data/pictures.ts'
import { standardStep } from '../../../world/device/quickProfile.ts'
import { openVirtualJob, type VirtualJob } from '../../../world/device/virtualJob.ts'

let job: VirtualJob
afterEach(() => job.close())

const plate = stepOfWords({
  id: 'plate',
  kind: 'photo',
  title: 'Plate',
  instruction: 'Take the plate.',
  purpose: 'plate',
  minPhotos: 2
})
const mounted = {
  ...stepOfWords({ id: 'mounted', kind: 'question', title: 'Mounted', instruction: 'Is it screwed down?' }),
  requires: { photos: 1 }
}
const [first, second] = [jpegPicture(40, 30), jpegPicture(50, 30)]

async function connect(...steps: Parameters<typeof openVirtualJob>[0]): Promise<void> {
  job = openVirtualJob(steps)
  await job.connect()
}

async function give(bytes: Uint8Array, stepId = 'plate') {
  const given = job.jobs.attach(job.id, stepId, { bytes, purpose: 'plate', source: 'file' })
  // Where the device is has to be asked first, and its clock stands still without this.
  await job.pass(100)
  return given
}

async function answer(stepId: string, given: Answer): Promise<void> {
  job.jobs.answer(job.id, stepId, given)
  await job.pass(50)
}

function promptOf(stepId: string): Prompt | null {
  return job.jobs.live(job.id).steps.find((step) => step.stepId === stepId)?.prompt ?? null
}

describe('A step that asks for pictures', () => {
  it('counts those that were kept, tells each at once, and passes only with enough of them', async () => {
    await connect(plate)
    job.begin('plate')
    await job.pass(50)
    expect(promptOf('plate')).toMatchObject({ kind: 'photo', purpose: 'plate', minPhotos: 2, attached: [] })
    await answer('plate', { answer: true })
    expect(job.live('plate')?.hint).toBe('2 more photos are needed.')

    const one = await give(first)
    expect(one).toMatchObject({
      outcome: 'kept',
      attachment: {
        stepId: 'plate',
        attempt: 1,
        source: 'file',
        mediaType: 'image/jpeg',
        width: 40,
        height: 30,
        placeSource: 'device'
      }
    })
    expect(promptOf('plate')).toMatchObject({ attached: [expect.any(String)] })
    // The same picture again is still one.
    await give(first)
    await answer('plate', { answer: true })
    expect(job.live('plate')?.hint).toBe('One more photo is needed.')

    await give(second)
    await answer('plate', { answer: true })
    expect(job.step('plate')).toMatchObject({ state: 'pass', witness: ['person'], summary: '2 photos saved' })
    expect(job.told.filter(({ name }) => name === 'jobs.attached')).toHaveLength(2)
  })

  it('keeps bytes and entry through a restart, with the place of the device, and the copy for reports beside them', async () => {
    await connect(plate)
    job.begin('plate')
    await job.pass(50)
    await give(first)
    const before = job.jobs.show(job.id).attachments
    const { fix } = job.vehicle.state()
    expect(before).toMatchObject([
      {
        latitude: fix.latitude,
        longitude: fix.longitude,
        keptAt: expect.stringMatching(/^2026-11-20T/) as string,
        takenAt: null
      }
    ])
    job.restart()
    expect(job.jobs.show(job.id).attachments).toEqual(before)
    const [kept] = before ?? []
    expect(Buffer.compare(job.store.attachments.read(kept?.sha256 ?? ''), first)).toBe(0)
    expect(job.store.attachments.facts(kept?.reportSha256 ?? '')).toMatchObject({ mediaType: 'image/jpeg' })
    expect(await job.store.check({ newest: 1 })).toMatchObject({ ok: true })
  })

  it('has nothing of a picture that was refused', async () => {
    await connect(plate)
    job.begin('plate')
    await job.pass(50)
    expect(await give(Buffer.from('<html>'))).toMatchObject({
      outcome: 'refused',
      reason: { id: 'photos.unknownForm' }
    })
    expect(job.jobs.show(job.id).attachments).toEqual([])
    expect(promptOf('plate')).toMatchObject({ attached: [] })
  })

  it('takes no place from a device that has no fix', async () => {
    await connect(plate)
    job.spoil('gps.position', (raw) => ({ ...raw, extras: { fix: 0 } }))
    await job.pass(2_000)
    expect(await give(first)).toMatchObject({ attachment: { latitude: null, longitude: null, placeSource: null } })
  })
})

describe('A pass that needs a picture', () => {
  it('counts only with one of the same attempt', async () => {
    await connect(mounted)
    for (const picture of [first, second]) {
      job.begin('mounted')
      await job.pass(50)
      await answer('mounted', { answer: true })
      expect(job.step('mounted').state).toBe('running')
      expect(promptOf('mounted')).toMatchObject({ kind: 'photo', minPhotos: 1, attached: [] })
      await give(picture, 'mounted')
      await answer('mounted', { answer: true })
      expect(job.step('mounted')).toMatchObject({ state: 'pass', summary: 'yes' })
    }
    expect(job.jobs.show(job.id).attachments?.map(({ attempt }) => attempt)).toEqual([1, 2])
  })

  it('asks for none when the step failed', async () => {
    await connect(mounted)
    job.answers = { yesNo: { answer: false } }
    expect(await job.run('mounted')).toMatchObject({ state: 'fail' })
  })
})

describe('A picture and the signature', () => {
  it('is not taken any more once the job is signed', async () => {
    await connect(standardStep('sign-off'))
    job.answers = { signOff: { value: 'Technician One' } }
    await job.run('sign-off')
    await expect(
      job.jobs.attach(job.id, null, { bytes: first, purpose: 'other', source: 'file' })
    ).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  })

  const signOff = (signatures: 'technician' | 'both') => ({ ...standardStep('sign-off'), signatures })
  const drawn = [[10, 10, 500, 900, 990, 20]]

  it.each([
    ['technician', {}, 'The signature of the technician is missing'],
    ['both', { technician: drawn }, 'The signature of the customer is missing']
  ] as const)('fails without the signature that the checklist wants (%s)', async (wanted, signatures, summary) => {
    await connect(signOff(wanted) as never)
    job.answers = { signOff: { value: 'Technician One', choose: 'Customer One', signatures: signatures as never } }
    expect(await job.run('sign-off')).toMatchObject({ state: 'fail', summary })
  })

  it('stands in the evidence as it was drawn or typed; names are enough where none is wanted', async () => {
    await connect(signOff('both') as never)
    job.answers = {
      signOff: {
        value: 'Technician One',
        choose: 'Customer One',
        signatures: { technician: drawn, customer: { typed: 'Customer One' } }
      }
    }
    expect(await job.run('sign-off')).toMatchObject({ state: 'pass' })
    expect(job.jobs.show(job.id).steps[0]?.evidence.at(-1)?.raw).toEqual({
      technician: 'Technician One',
      customer: 'Customer One',
      signatures: { technician: drawn, customer: { typed: 'Customer One' } }
    })
  })
})

describe('A question', () => {
  const ask = (more: object) =>
    stepOfWords({ id: 'asked', kind: 'question', title: 'Asked', instruction: 'What is it?', ...more } as never)
  const choices = [
    { id: 'left', text: plainMessage('Left') },
    { id: 'none', text: plainMessage('Nowhere'), passes: false }
  ]

  it.each([
    [{ form: 'text' }, { value: ' behind the seat ' }, { state: 'received', summary: 'behind the seat' }],
    [{ form: 'number', unit: 'bar', min: 2, max: 3 }, { value: '2,5' }, { state: 'pass', summary: '2.5 bar' }],
    [
      { form: 'number', unit: 'bar', min: 2, max: 3 },
      { value: 3.2 },
      { state: 'fail', summary: '3.2 bar: over 3 bar' }
    ],
    [{ form: 'choice', choices }, { choose: 'left' }, { state: 'pass', summary: 'Left' }],
    [{ form: 'choice', choices }, { choose: 'none' }, { state: 'fail', summary: 'Nowhere' }],
    [{ form: 'choice' }, {}, { state: 'unreadable' }]
  ] as const)('%o answered by %o', async (plan, given, wanted) => {
    await connect(ask(plan))
    job.begin('asked')
    await job.pass(50)
    if (Object.keys(given).length > 0) await answer('asked', given)
    expect(job.step('asked')).toMatchObject(wanted)
  })

  it.each([
    [{ form: 'text' }, { value: '  ' }, 'Enter an answer.'],
    [{ form: 'choice', choices }, { choose: 'right' }, 'Choose one of the answers.'],
    [{ form: 'number' }, { value: '' }, 'Enter a number.']
  ] as const)('%o is asked again after %o', async (plan, given, hint) => {
    await connect(ask(plan))
    job.begin('asked')
    await job.pass(50)
    await answer('asked', given)
    expect(job.live('asked')).toMatchObject({ hint })
    expect(promptOf('asked')).not.toBeNull()
  })
})

describe('Pieces of a picture', () => {
  const piece = (from: number, bytes: Uint8Array, upload = 'upload-1', totalBytes = first.length) =>
    ({
      jobId: job.id,
      stepId: null,
      purpose: 'other',
      source: 'file',
      upload,
      totalBytes,
      from,
      base64: Buffer.from(bytes).toString('base64')
    }) as const

  async function pieces() {
    await connect(plate)
    return createPhotoPieces({ jobs: job.jobs, attachments: job.store.attachments })
  }

  it('make the whole, which is read back piece by piece, by its job alone', async () => {
    const { add, read } = await pieces()
    expect(await add(piece(0, first.subarray(0, 300)))).toEqual({ outcome: 'more' })
    const ended = add(piece(300, first.subarray(300)))
    await job.pass(100)
    const kept = await ended
    if (kept.outcome !== 'kept') throw new Error('not stored')
    const { sha256 } = kept.attachment
    expect(Buffer.compare(Buffer.from(read({ jobId: job.id, sha256, piece: 0 }).base64, 'base64'), first)).toBe(0)
    expect(read({ jobId: job.id, sha256, piece: 0 })).toMatchObject({ mediaType: 'image/jpeg', isLast: true })
    expect(() => read({ jobId: job.id, sha256, piece: 1 })).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
    const other = job.jobs.create({
      templateId: 'some-steps',
      device: job.jobs.show(job.id).device,
      vehicleText: '',
      customer: ''
    })
    expect(() => read({ jobId: other, sha256, piece: 0 })).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
  })

  it('out of order, too many, or of something too large are refused', async () => {
    const { add } = await pieces()
    const refused = { outcome: 'refused', reason: { id: 'photos.incomplete' } }
    expect(await add(piece(100, first.subarray(100)))).toMatchObject(refused)
    expect(await add(piece(0, first.subarray(0, 100), 'upload-2', 50))).toMatchObject(refused)
    await add(piece(0, first.subarray(0, 100)))
    expect(await add(piece(99, first.subarray(99)))).toMatchObject(refused)
    expect(await add(piece(0, first.subarray(0, 100), 'upload-3', 1e9))).toMatchObject({
      outcome: 'refused',
      reason: { id: 'photos.tooLarge' }
    })
  })
})
