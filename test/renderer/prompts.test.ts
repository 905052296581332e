import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Attachment } from '../../preload/contract/jobs/attachments.ts'
import type { SeenRow } from '../../preload/contract/jobs/jobSeen.ts'
import type { Answer, Prompt } from '../../preload/contract/jobs/jobs.ts'
import { message, plainMessage } from '../../preload/contract/messages.ts'
import { useJobs } from '../../renderer/features/job/jobs.store.ts'
import { pathOf, pointIn, signaturesOf } from '../../renderer/features/job/prompts/strokes.ts'
import SeenRows from '../../renderer/features/job/evidence/SeenRows.vue'
import StagePrompt from '../../renderer/features/job/prompts/StagePrompt.vue'
import { createFakeBridge, type FakeBridge } from '../support/fakeBridge.ts'
import * as data from '../support/fakeData.ts'

const text = plainMessage('What is it?')
let core: FakeBridge
let screen: VueWrapper
let given: Answer[]

const kept: Attachment = {
  seq: 7,
  stepId: 'plate',
  attempt: 1,
  sha256: 'a'.repeat(64),
  mediaType: 'image/jpeg',
  bytes: 900_000,
  width: 40,
  height: 30,
  purpose: 'plate',
  takenAt: null,
  keptAt: data.at(5),
  source: 'file',
  latitude: null,
  longitude: null,
  placeSource: null,
  reportSha256: 'b'.repeat(64)
}

async function ask(prompt: Prompt, own: Parameters<typeof createFakeBridge>[0] = {}): Promise<void> {
  core = createFakeBridge({ 'attachments.read': () => ({ mediaType: 'image/jpeg', sizeBytes: 3, base64: 'AAAA', isLast: true }), ...own })
  window.fitter = core
  given = []
  await useJobs().show(data.jobId)
  screen = mount(StagePrompt, { props: { jobId: data.jobId, stepId: 'plate', prompt, said: '', inputs: [], send: async (answer: Answer) => void given.push(answer) }, attachTo: document.body })
  await flushPromises()
}

async function press(words: string): Promise<void> {
  const found = screen.findAll('button').find((one) => one.text() === words)
  if (!found) throw new Error(`No button "${words}" in: ${screen.text()}`)
  await found.trigger(found.attributes('type') === 'submit' ? 'submit' : 'click')
  await flushPromises()
}

const isOff = (words: string): boolean => screen.findAll('button').find((one) => one.text() === words)?.attributes('disabled') !== undefined

beforeEach(() => setActivePinia(createPinia()))
afterEach(() => screen.unmount())

it('a choice is one of its buttons, an answer in words is typed, and being ready is a button with its own word', async () => {
  await ask({ kind: 'choice', text, choices: [{ id: 'left', text: plainMessage('Left') }, { id: 'right', text: plainMessage('Right') }] })
  await press('Right')
  expect(given).toEqual([{ choose: 'right' }])
  screen.unmount()

  await ask({ kind: 'text', text, maxLength: 200 })
  expect(isOff('Use this answer')).toBe(true)
  await screen.get('textarea').setValue(' behind the seat ')
  await press('Use this answer')
  expect(given).toEqual([{ value: 'behind the seat' }])
  screen.unmount()

  await ask({ kind: 'ready', text, button: plainMessage('The trip begins') })
  await press('The trip begins')
  expect(given).toEqual([{ answer: true }])
})

it('a number goes as it was typed: the check asks where it can mean two', async () => {
  await ask({ kind: 'value', text, unit: 'km' })
  expect(isOff('Use this value')).toBe(true)
  await screen.get('input').setValue(' 123,456 ')
  await press('Use this value')
  expect(given).toEqual([{ value: '123,456' }])
})

it('a value says between which limits it should be', async () => {
  await ask({ kind: 'value', text, unit: 'bar', min: 2, max: 3 })
  expect(screen.text()).toContain('2 to 3 bar')
})

it('a chosen picture goes piece by piece, is shown when it is kept, and only then the step can be ended', async () => {
  const prompt = { kind: 'photo', text, purpose: 'plate', minPhotos: 1, attached: [] } as const satisfies Prompt
  await ask({ ...prompt, attached: [] }, { 'attachments.add': ({ from, totalBytes }) => (from + 480_000 < totalBytes ? { outcome: 'more' } : { outcome: 'kept', attachment: kept }) })
  expect(isOff('That’s all of them')).toBe(true)
  const input = screen.get<HTMLInputElement>('input[type=file]')
  Object.defineProperty(input.element, 'files', { value: [new File([new Uint8Array(1_000_000)], 'plate.jpg', { type: 'image/jpeg' })], configurable: true })
  await input.trigger('change')
  await expect.poll(() => core.made.filter(({ name }) => name === 'attachments.add').map(({ input: made }) => (made as { from: number }).from)).toEqual([0, 480_000, 960_000])

  core.emit('jobs.attached', { jobId: data.jobId, attachment: kept })
  useJobs().takeAttached({ jobId: data.jobId, attachment: kept })
  await screen.setProps({ prompt: { ...prompt, attached: [kept.sha256] } })
  await flushPromises()
  expect(screen.find('img').attributes('alt')).toContain('Plate')
  await press('That’s all of them')
  expect(given).toEqual([{ answer: true }])
})

it('a picture that is refused says so by its name, and nothing is counted', async () => {
  await ask({ kind: 'photo', text, purpose: 'plate', minPhotos: 1, attached: [] }, { 'attachments.add': () => ({ outcome: 'refused', reason: message('photos.truncated') }) })
  const input = screen.get<HTMLInputElement>('input[type=file]')
  Object.defineProperty(input.element, 'files', { value: [new File(['x'], 'half.jpg')], configurable: true })
  await input.trigger('change')
  await expect.poll(() => screen.find('[role=alert]').exists() && screen.get('[role=alert]').text()).toContain('half.jpg: This picture is incomplete')
  expect(isOff('That’s all of them')).toBe(true)
})

it('a picture of the vehicle is shown large, to be accepted or refused', async () => {
  await ask({ kind: 'picture', text, sha256: 'c'.repeat(64) })
  expect(screen.find('img').exists()).toBe(true)
  await press('Refuse')
  expect(given).toEqual([{ answer: false }])
})

it('Enter takes the vehicle that is called so, or the only one that is found', async () => {
  const unit = (id: number, name: string, plate: string) => ({ id, name, plate, imei: null, kind: 'vehicle' as const, assetType: null })
  const all = [unit(7, 'Unit 0007', 'HLD 007'), unit(70, 'Unit 00070', 'HLD 070')]
  await ask({ kind: 'choose', text: plainMessage('Which one?'), entity: 'vehicle', optional: false }, { 'gateway.findEntities': ({ text }) => ({ entities: text.startsWith('unit') ? all : all.slice(1), complete: true }) })
  const field = screen.get('input')
  for (const typed of ['unit', 'unit 0007', 'HLD070']) {
    await field.setValue(typed)
    await field.trigger('keydown', { key: 'Enter' })
    await flushPromises()
  }
  expect(given).toEqual([{ choose: '7' }, { choose: '70' }])
})

it('signs with names alone where nothing more is wanted, and with both signatures where they are', async () => {
  await ask({ kind: 'signOff', text, blockers: [] })
  await screen.get('input[autocomplete=name]').setValue('Technician One')
  await screen.get('form').trigger('submit')
  await flushPromises()
  expect(given).toMatchObject([{ answer: true, value: 'Technician One' }])
  expect(given[0]).not.toHaveProperty('signatures')
  screen.unmount()

  await ask({ kind: 'signOff', text, blockers: [], signatures: 'both' })
  await screen.get('input[autocomplete=name]').setValue('Technician One')
  expect(isOff('Sign off')).toBe(true)
  for (const name of ['technician', 'customer']) {
    const pad = screen.findAll('[role=group]').find((one) => one.attributes('aria-label') === `Signature of the ${name}`)
    await pad?.findAll('button').find((one) => one.text() === 'Type the name instead')?.trigger('click')
    await pad?.get('input').setValue(`${name} one`)
  }
  expect(isOff('Sign off')).toBe(false)
  await screen.get('form').trigger('submit')
  await flushPromises()
  expect(given).toMatchObject([{ signatures: { technician: { typed: 'technician one' }, customer: { typed: 'customer one' } } }])
})

it('strokes stand in a field of 1000 by 1000 whatever its size, and come back as a path', () => {
  const field = { left: 100, top: 50, width: 400, height: 100 }
  expect(pointIn({ clientX: 300, clientY: 75 }, field)).toEqual([500, 250])
  expect(pointIn({ clientX: 900, clientY: 0 }, field)).toEqual([1000, 0])
  expect(pathOf([[0, 0, 10, 20], [5, 5]])).toBe('M0 0L10 20M5 5l0 1')
})

it('only what a log holds as a signature is drawn', () => {
  const signed = (raw: object) => signaturesOf({ steps: [data.step('s', 'S', { kind: 'signOff', state: 'pass', evidence: [{ seq: 1, at: data.at(1), attempt: 1, witness: 'person', what: plainMessage('Signed'), raw: raw as never, thresholds: null, hash: '' }] })] })
  expect(signed({ technician: 'One', customer: 'Two', signatures: { technician: [[1, 2]], customer: { typed: 'Two' } } })).toEqual([
    { who: 'technician', name: 'One', signature: [[1, 2]] },
    { who: 'customer', name: 'Two', signature: { typed: 'Two' } }
  ])
  expect(signed({ technician: 'One', signatures: { technician: ['x'] } })).toEqual([])
  expect(signed({ technician: 'One' })).toEqual([])
})

it('rows say in words and by shape how what was wanted stands against what each witness says', () => {
  const row = (label: string, verdict: SeenRow['verdict'], more: Partial<SeenRow> = {}): SeenRow => ({ label: plainMessage(label), wanted: plainMessage('20'), device: plainMessage('19'), gateway: null, verdict, ...more })
  screen = mount(SeenRows, { props: { rows: [row('Left', 'agrees'), row('Right', 'differs', { note: plainMessage('Swapped with the left one') }), row('Spare', 'notOrdered', { wanted: null })] }, attachTo: document.body })
  const rows = screen.findAll('tbody tr').map((one) => one.text().replace(/\s+/g, ' '))
  expect(rows).toEqual([expect.stringMatching(/^Left ?20 ?19 ?– ?agrees$/), expect.stringContaining('Swapped with the left one'), expect.stringMatching(/^Spare ?– ?19 ?– ?not ordered$/)])
  expect(screen.findAll('[data-shape]').map((one) => one.attributes('data-shape'))).toEqual(['pass', 'fail', 'warn'])
})
