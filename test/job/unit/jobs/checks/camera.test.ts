import { describe, expect, it } from 'vitest'
import { checkCamera } from '../../../../../main/job/jobs/checks/camera.ts'
import { AppError } from '../../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../../preload/contract/messages.ts'
import { rowsInWords, runCheck, type Surroundings } from '../../../../world/device/checkBench.ts'

// "Photo status numbers": 0 to 3 under way, 4 ready, 5 the camera is silent, 7 it did not understand.
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]).toString('base64')
const ready = (source: number, id = 1) => ({ source, status_no: 4, photo_id: id, epoch: 1_763_629_200, b64data: jpeg })
const status = (source: number, status_no: number) => ({ source, status_no })
const old = { photos: [ready(0, 9)] }
const views = { views: [{ source: 0, name: 'Road' }] }
const accept: Surroundings['answer'] = (_ms, { kind }) => (kind === 'picture' ? { answer: true } : undefined)
/** What came before, then under way for four seconds, then this. */
const after =
  (...photos: object[]): NonNullable<Surroundings['photos']> =>
  (ms, captures) =>
    captures === 0 ? old : ms < 4_000 ? { photos: [status(0, 3)] } : { photos }
const run = (photos: Surroundings['photos'], more: Surroundings = {}) =>
  runCheck(checkCamera, { plan: views, answer: accept, ...(photos && { photos }), ...more })

describe("The picture of a vehicle's camera", () => {
  it('is taken once, shown, and passes when the person accepts it', async () => {
    const { state, summary, asked, rows, captures, ended } = await run(after(ready(0)))
    expect({ state, summary, captures, ended }).toEqual({
      state: 'pass',
      summary: 'Accepted: Camera 1 (Road)',
      captures: 1,
      ended: ['done']
    })
    expect(asked).toEqual(['Camera 1 (Road): does the picture show what it should?'])
    expect(rowsInWords(rows)).toMatchObject([{ label: 'Camera 1 (Road)', gateway: 'accepted', verdict: 'agrees' }])
  })

  it('is refused by the person, or called dark before the question', async () => {
    const refuse: Surroundings['answer'] = (_ms, { kind }) => (kind === 'picture' ? { answer: false } : undefined)
    expect(await run(after(ready(0)), { answer: refuse })).toMatchObject({
      state: 'fail',
      summary: 'The picture of Camera 1 (Road) was refused'
    })
    const dark = { brightness: { mean: 2, spread: 1 } }
    const covered = await run(after(ready(0)), { ...dark, answer: refuse })
    expect(covered).toMatchObject({ state: 'fail', summary: 'The picture of Camera 1 (Road) was refused' })
    expect(covered.shown.at(-1)?.hint).toBe(
      'The picture of Camera 1 (Road) is dark and flat: the lens is covered, or it is night'
    )
    expect(await run(after(ready(0)), dark)).toMatchObject({
      state: 'warn',
      summary: 'Accepted, but dark: Camera 1 (Road)'
    })
  })

  it.each<[string, NonNullable<Surroundings['photos']>, string, string, number]>([
    ['the camera is silent', after(status(0, 5)), 'fail', 'Camera 1 (Road): the camera does not answer', 1],
    [
      'the camera did not understand, twice',
      after(status(0, 7)),
      'fail',
      'Camera 1 (Road): the camera did not understand the command',
      2
    ],
    ['only another camera answers', after(ready(1)), 'fail', 'No picture arrived from Camera 1 (Road)', 1],
    ['nothing but the last picture is there', () => old, 'fail', 'No picture arrived from Camera 1 (Road)', 1],
    [
      'it is still under way when the time is over',
      (_ms, captures) => (captures === 0 ? old : { photos: [status(0, 2)] }),
      'fail',
      'No picture arrived from Camera 1 (Road)',
      1
    ],
    [
      'it is no picture',
      after({ ...ready(0), b64data: Buffer.from('text').toString('base64') }),
      'unreadable',
      'The picture of Camera 1 (Road) cannot be opened',
      1
    ],
    [
      'it is cut off',
      after({ ...ready(0), b64data: Buffer.from([0xff, 0xd8]).toString('base64') }),
      'unreadable',
      'The picture of Camera 1 (Road) cannot be opened: It is cut off.',
      1
    ]
  ])('does not pass when %s', async (_what, photos, state, summary, captures) => {
    expect(await run(photos)).toMatchObject({ state, summary: expect.stringContaining(summary) as string, captures })
  })

  it('that is under way already is followed instead of taking another one', async () => {
    expect(await run((ms) => ({ photos: [ms < 4_000 ? status(0, 3) : ready(0)] }))).toMatchObject({
      state: 'pass',
      captures: 0
    })
  })

  it('of every camera that answers is shown and received where nothing was ordered', async () => {
    expect(await run(after(ready(0), ready(1)), { plan: {} })).toMatchObject({
      state: 'received',
      summary: 'Accepted: Camera 1 and Camera 2',
      asked: [expect.any(String), expect.any(String)]
    })
  })

  it('waits for the gateway or for the device, and blames no camera for them', async () => {
    const gone = new AppError('UNREACHABLE', plainMessage('Gone.'), { fate: 'away' })
    expect(await run(() => gone)).toMatchObject({ state: 'unreadable', captures: 0 })
    expect(await run(() => old, { captured: { deviceIsOnline: false } })).toMatchObject({
      state: 'unreadable',
      summary: 'The device is not connected to the gateway, so its cameras cannot take a picture now'
    })
    expect(
      await run(() => old, {
        captured: new AppError('NOT_PERMITTED', plainMessage('Not allowed.'), { fate: 'refused' })
      })
    ).toMatchObject({ state: 'fail', summary: 'Not allowed.' })
  })
})
