import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Attachment } from '../../../preload/contract/job/attachments.ts'
import type { SeenRow } from '../../../preload/contract/job/jobSeen.ts'
import type { Answer, Prompt } from '../../../preload/contract/job/jobs.ts'
import { message, plainMessage } from '../../../preload/contract/messages.ts'
import { useJobs } from '../../../renderer/base/shell/jobs.store.ts'
import { pathOf, pointIn, signaturesOf } from '../../../renderer/job/run/prompts/strokes.ts'
import SeenRows from '../../../renderer/job/run/evidence/SeenRows.vue'
import StagePrompt from '../../../renderer/job/run/prompts/StagePrompt.vue'
import { readyReasons } from '../../../renderer/job/run/readyReasons.ts'
import ReasonDialog from '../../../renderer/base/ui/overlays/ReasonDialog.vue'
import { createFakeBridge, type FakeBridge } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'
import CameraView from '../../../renderer/device/devices/label/CameraView.vue'
import VehicleCamera from '../../../renderer/device/devices/label/VehicleCamera.vue'

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
  core = createFakeBridge({
    'attachments.read': () => ({ mediaType: 'image/jpeg', sizeBytes: 3, base64: 'AAAA', isLast: true }),
    ...own
  })
  window.fitter = core
  given = []
  await useJobs().show(data.jobId)
  screen = mount(StagePrompt, {
    props: {
      jobId: data.jobId,
      stepId: 'plate',
      prompt,
      said: '',
      inputs: [],
      send: async (answer: Answer) => void given.push(answer)
    },
    attachTo: document.body
  })
  await flushPromises()
}

/** The words of a button, without its shortcut. */
function wordsOf(button: ReturnType<VueWrapper['find']>): string {
  const caps = button.find('.caps')
  return button
    .text()
    .replace(caps.exists() ? caps.text() : '', '')
    .trim()
}

async function press(words: string): Promise<void> {
  const found = screen.findAll('button').find((one) => wordsOf(one) === words)
  if (!found) throw new Error(`No button "${words}" in: ${screen.text()}`)
  await found.trigger(found.attributes('type') === 'submit' ? 'submit' : 'click')
  await flushPromises()
}

const isOff = (words: string): boolean =>
  screen
    .findAll('button')
    .find((one) => wordsOf(one) === words)
    ?.attributes('disabled') !== undefined

beforeEach(() => setActivePinia(createPinia()))
afterEach(() => screen.unmount())

it('a choice is one of its buttons, an answer in words is typed, and being ready is a button with its own word', async () => {
  await ask({
    kind: 'choice',
    text,
    choices: [
      { id: 'left', text: plainMessage('Left') },
      { id: 'right', text: plainMessage('Right') }
    ]
  })
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
  await ask(
    { ...prompt, attached: [] },
    {
      'attachments.add': ({ from, totalBytes }) =>
        from + 480_000 < totalBytes ? { outcome: 'more' } : { outcome: 'kept', attachment: kept }
    }
  )
  expect(isOff('That’s all of them')).toBe(true)
  const input = screen.get<HTMLInputElement>('input[type=file]')
  Object.defineProperty(input.element, 'files', {
    value: [new File([new Uint8Array(1_000_000)], 'plate.jpg', { type: 'image/jpeg' })],
    configurable: true
  })
  await input.trigger('change')
  await expect
    .poll(() =>
      core.made
        .filter(({ name }) => name === 'attachments.add')
        .map(({ input: made }) => (made as { from: number }).from)
    )
    .toEqual([0, 480_000, 960_000])

  core.emit('jobs.attached', { jobId: data.jobId, attachment: kept })
  useJobs().receiveAttached({ jobId: data.jobId, attachment: kept })
  await screen.setProps({ prompt: { ...prompt, attached: [kept.sha256] } })
  await flushPromises()
  expect(screen.find('img').attributes('alt')).toContain('Plate')
  await press('That’s all of them')
  expect(given).toEqual([{ answer: true }])
})

it('a picture that is refused says so by its name, and nothing is counted', async () => {
  await ask(
    { kind: 'photo', text, purpose: 'plate', minPhotos: 1, attached: [] },
    { 'attachments.add': () => ({ outcome: 'refused', reason: message('photos.truncated') }) }
  )
  const input = screen.get<HTMLInputElement>('input[type=file]')
  Object.defineProperty(input.element, 'files', { value: [new File(['x'], 'half.jpg')], configurable: true })
  await input.trigger('change')
  await expect
    .poll(() => screen.find('[role=alert]').exists() && screen.get('[role=alert]').text())
    .toContain('half.jpg: This picture is incomplete')
  expect(isOff('That’s all of them')).toBe(true)
})

it('a picture of the vehicle is shown large, to be accepted or refused', async () => {
  await ask({ kind: 'picture', text, sha256: 'c'.repeat(64) })
  expect(screen.find('img').exists()).toBe(true)
  await press('Refuse')
  expect(given).toEqual([{ answer: false }])
})

it('Enter takes the vehicle that is called so, or the only one that is found', async () => {
  const unit = (id: number, name: string, plate: string) => ({
    id,
    name,
    plate,
    imei: null,
    kind: 'vehicle' as const,
    assetType: null
  })
  const all = [unit(7, 'Unit 0007', 'HLD 007'), unit(70, 'Unit 00070', 'HLD 070')]
  await ask(
    { kind: 'choose', text: plainMessage('Which one?'), entity: 'vehicle', optional: false },
    {
      'gateway.findEntities': ({ text }) => ({ entities: text.startsWith('unit') ? all : all.slice(1), complete: true })
    }
  )
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
    const pad = screen
      .findAll('[role=group]')
      .find((one) => one.attributes('aria-label') === `Signature of the ${name}`)
    await pad
      ?.findAll('button')
      .find((one) => one.text() === 'Type the name instead')
      ?.trigger('click')
    await pad?.get('input').setValue(`${name} one`)
  }
  expect(isOff('Sign off')).toBe(false)
  await screen.get('form').trigger('submit')
  await flushPromises()
  expect(given).toMatchObject([
    { signatures: { technician: { typed: 'technician one' }, customer: { typed: 'customer one' } } }
  ])
})

it('offers the customers of the latest jobs, and asks an absent customer for no signature', async () => {
  await ask({ kind: 'signOff', text, blockers: [] })
  expect(screen.findAll('datalist option').map((one) => one.attributes('value'))).toEqual([data.listedJob.customer])
  await screen.get('input[autocomplete=name]').setValue('Technician One')
  const pad = () =>
    screen.findAll('[role=group]').find((one) => one.attributes('aria-label') === 'Signature of the customer')
  await pad()
    ?.findAll('button')
    .find((one) => one.text() === 'Type the name instead')
    ?.trigger('click')
  await pad()?.get('input').setValue('Somebody')
  await screen
    .findAll('input[type=radio]')
    .find((one) => one.element.parentElement?.textContent === 'Not present')
    ?.trigger('change')
  expect(pad()).toBeUndefined()
  expect(screen.text()).toContain('The report says that the customer did not sign.')
  await screen.get('form').trigger('submit')
  await flushPromises()
  expect(given[0]).not.toHaveProperty('signatures')
})

it('shows what is signed: the counts without the sign-off itself, the skipped steps, and the photos that are missing', async () => {
  const steps = [
    data.step('a', 'Ignition', {
      state: 'waived',
      waiver: { reason: 'No wire ordered', by: 'Technician', at: data.at(2) }
    }),
    data.step('s', 'S', { kind: 'signOff', state: 'running' })
  ]
  const counts = {
    waiting: 0,
    running: 1,
    pass: 3,
    sent: 0,
    warn: 0,
    fail: 0,
    unreadable: 0,
    waived: 1,
    deferred: 0,
    notApplicable: 0
  }
  const added: unknown[] = []
  await ask(
    { kind: 'signOff', text, blockers: [] },
    {
      'jobs.show': () => ({ ...data.job, steps, counts, attachments: [{ ...kept, stepId: null }] }),
      'attachments.add': (input) => {
        added.push(input)
        return { outcome: 'refused', reason: plainMessage('Too dark') }
      }
    }
  )
  expect(screen.get('.tally').text()).toMatch(/^3 passed\s*1 skipped\s*0 not applicable$/)
  expect(screen.text()).toContain('“No wire ordered”')
  expect(screen.text()).toContain('Photos, 1 of 4')
  expect(screen.text()).toContain('Your signature confirms this summary: 3 passed, 1 skipped.')
  const add = screen.findAll('button').filter((one) => one.attributes('aria-label')?.startsWith('Add photo: '))
  expect(add.map((one) => one.attributes('aria-label'))).toEqual([
    'Add photo: Device label',
    'Add photo: Mounting',
    'Add photo: Wiring'
  ])
  await add[0]?.trigger('click')
  const chooser = screen.get<HTMLInputElement>('input[type=file]')
  Object.defineProperty(chooser.element, 'files', { value: [new File(['abc'], 'label.jpg')] })
  await chooser.trigger('change')
  await vi.waitFor(() => expect(screen.text()).toContain('Too dark'), 15_000)
  expect(added).toMatchObject([{ purpose: 'label', stepId: null, source: 'file' }])
})

it('a frequent reason fills the field with one press', async () => {
  const reasons: string[] = []
  screen = mount(ReasonDialog, {
    props: {
      title: 'Skip',
      text: '',
      confirm: 'Skip it',
      ready: readyReasons('skip'),
      work: async (reason: string) => void reasons.push(reason)
    },
    attachTo: document.body
  }) as VueWrapper
  const inDialog = (words: string) =>
    [...document.querySelectorAll('button')].find((one) => one.textContent?.trim() === words)
  inDialog('The part comes with the next visit')?.click()
  await flushPromises()
  inDialog('Skip it')?.click()
  await flushPromises()
  expect(reasons).toEqual(['The part comes with the next visit'])
})

it('strokes stand in a field of 1000 by 1000 whatever its size, and come back as a path', () => {
  const field = { left: 100, top: 50, width: 400, height: 100 }
  expect(pointIn({ clientX: 300, clientY: 75 }, field)).toEqual([500, 250])
  expect(pointIn({ clientX: 900, clientY: 0 }, field)).toEqual([1000, 0])
  expect(
    pathOf([
      [0, 0, 10, 20],
      [5, 5]
    ])
  ).toBe('M0 0L10 20M5 5l0 1')
})

it('only what a log holds as a signature is drawn', () => {
  const signed = (raw: object) =>
    signaturesOf({
      steps: [
        data.step('s', 'S', {
          kind: 'signOff',
          state: 'pass',
          evidence: [
            {
              seq: 1,
              at: data.at(1),
              attempt: 1,
              witness: 'person',
              what: plainMessage('Signed'),
              raw: raw as never,
              thresholds: null,
              hash: ''
            }
          ]
        })
      ]
    })
  expect(
    signed({ technician: 'One', customer: 'Two', signatures: { technician: [[1, 2]], customer: { typed: 'Two' } } })
  ).toEqual([
    { who: 'technician', name: 'One', signature: [[1, 2]] },
    { who: 'customer', name: 'Two', signature: { typed: 'Two' } }
  ])
  expect(signed({ technician: 'One', signatures: { technician: ['x'] } })).toEqual([])
  expect(signed({ technician: 'One' })).toEqual([])
})

it('rows say in words and by shape how what was wanted stands against what each witness says', () => {
  const row = (label: string, verdict: SeenRow['verdict'], more: Partial<SeenRow> = {}): SeenRow => ({
    label: plainMessage(label),
    wanted: plainMessage('20'),
    device: plainMessage('19'),
    gateway: null,
    verdict,
    ...more
  })
  screen = mount(SeenRows, {
    props: {
      rows: [
        row('Left', 'agrees'),
        row('Right', 'differs', { note: plainMessage('Swapped with the left one') }),
        row('Spare', 'notOrdered', { wanted: null })
      ]
    },
    attachTo: document.body
  })
  const rows = screen.findAll('tbody tr').map((one) => one.text().replace(/\s+/g, ' '))
  expect(rows).toEqual([
    expect.stringMatching(/^Left ?20 ?19 ?– ?agrees$/),
    expect.stringContaining('Swapped with the left one'),
    expect.stringMatching(/^Spare ?– ?19 ?– ?not ordered$/)
  ])
  expect(screen.findAll('[data-shape]').map((one) => one.attributes('data-shape'))).toEqual(['pass', 'fail', 'warn'])
})

it('searches for the vehicle whose VIN the camera reads, and keeps the photo of a plate in the job at once', async () => {
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: () => 'data:image/png;base64,AAAA', revokeObjectURL: () => undefined })
  )
  const sent: unknown[] = []
  const found = {
    kind: 'vehicle' as const,
    id: 9,
    name: 'Unit 0009',
    plate: 'KXG 214',
    imei: null,
    ownImei: null,
    assetType: null,
    copiedAt: null
  }
  await ask(
    { kind: 'choose', text, entity: 'vehicle', optional: false },
    {
      'gateway.findEntities': ({ text: wanted }) => ({
        entities: wanted === '1M8GDM9AXKP042788' ? [found] : [],
        complete: true
      }),
      'attachments.add': (input) => {
        sent.push([input.purpose, input.stepId, input.source])
        return { outcome: 'kept', attachment: kept }
      }
    }
  )
  const openCamera = async () => {
    await screen.get('button[aria-label="Use camera for VIN or plate"]').trigger('click')
    await vi.dynamicImportSettled()
    await flushPromises()
    return screen.getComponent(VehicleCamera)
  }
  ;(await openCamera()).vm.$emit('plate', new Blob([new Uint8Array([1])], { type: 'image/jpeg' }))
  await vi.dynamicImportSettled()
  await flushPromises()
  expect(screen.find('img[alt="Photo of the plate"]').exists()).toBe(true)
  expect(sent).toEqual([['plate', null, 'webcam']])
  ;(await openCamera()).getComponent(CameraView).vm.$emit('read', '1M8GDM9AXKP042788')
  await vi.waitFor(() => expect(screen.text()).toContain('Unit 0009'), 15_000)
  expect(screen.text()).toContain('Its check digit agrees.')
  expect(screen.findComponent(CameraView).exists()).toBe(false)
  await screen.get('input').setValue('KXG 214')
  expect(screen.text()).not.toContain('check digit')
})

it('has no camera where a trailer or driver is looked for', async () => {
  await ask(
    { kind: 'choose', text, entity: 'asset', optional: true },
    { 'gateway.findEntities': () => ({ entities: [], complete: true }) }
  )
  expect(screen.find('button[aria-label="Use camera for VIN or plate"]').exists()).toBe(false)
})
