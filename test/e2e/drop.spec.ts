import type { Page } from '@playwright/test'
import { jpegPicture } from '../world/data/pictures.ts'
import { callCore, expect, test } from './support/fitter.ts'
import { expectStep, giveImei, prepareWorkplace, showStep, stage } from './support/work.ts'

test.describe.configure({ timeout: 120_000 })

interface Dropped {
  name: string
  type?: string
  content: string | Buffer
}

/** Drags files over the window, and lets them go unless `isHeld`. */
async function drag(page: Page, files: Dropped[], isHeld = false): Promise<void> {
  const carried = files.map(({ name, type = '', content }) => ({
    name,
    type,
    base64: Buffer.from(content).toString('base64')
  }))
  await page.evaluate(
    ({ carried, isHeld }) => {
      const dataTransfer = new DataTransfer()
      for (const { name, type, base64 } of carried)
        dataTransfer.items.add(
          new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], name, { type })
        )
      const target = document.querySelector('main') ?? document.body
      const send = (name: string) =>
        target.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }))
      send('dragenter')
      send('dragover')
      if (!isHeld) send('drop')
    },
    { carried, isHeld }
  )
}

const place = (page: Page) => page.evaluate(() => window.location.hash)
const veil = (page: Page) => page.locator('.drop-veil')
/** A ZIP archive with the name of a manifest in its list: not a whole bundle, but what one begins and ends with. */
const likeBundle = Buffer.concat([
  Buffer.from([0x50, 0x4b, 3, 4]),
  Buffer.alloc(2_000, 7),
  Buffer.from('manifest.json')
])
const checklist = JSON.stringify({
  id: 'dropped',
  version: 1,
  kind: 'installation',
  name: { en: 'Dropped', es: 'Soltada' },
  description: { en: 'Short', es: 'Corta' },
  steps: [
    {
      id: 'identity',
      kind: 'identity',
      title: { en: 'Identity', es: 'Identidad' },
      instruction: { en: 'Scan.', es: 'Escanee.' }
    },
    {
      id: 'photo',
      kind: 'photo',
      title: { en: 'Photo', es: 'Foto' },
      instruction: { en: 'Take it.', es: 'Tómela.' },
      purpose: 'mounting',
      minPhotos: 2
    },
    {
      id: 'sign-off',
      kind: 'signOff',
      title: { en: 'Sign-off', es: 'Firma' },
      instruction: { en: 'Sign.', es: 'Firme.' }
    }
  ]
})

test(
  'a file that is dragged over the window is told what happens to it, and what is dropped is judged by its content, whatever its name',
  { tag: '@daily' },
  async ({ openFitter }) => {
    const { page } = await openFitter()
    await expect.poll(() => page.evaluate(() => document.querySelector('main > .screen') !== null)).toBe(true)

    await drag(page, [{ name: 'a.csv', type: 'text/csv', content: 'x' }], true)
    await expect(veil(page)).toHaveText('Prepare jobs from this table')
    await page.evaluate(() => window.dispatchEvent(new DragEvent('dragleave', { relatedTarget: null })))
    await expect(veil(page)).toHaveCount(0)

    // A table under the name of a picture.
    await drag(page, [
      {
        name: 'photo.jpg',
        type: 'image/jpeg',
        content:
          'imei,vehicle,customer\n861234084830002,Unit 0001,Customer One\n861234084830010,Unit 0002,Customer One\n'
      }
    ])
    await expect.poll(() => place(page)).toBe('#/batch')
    await expect(page.locator('main')).toContainText('2 vehicles')

    // A support bundle under the name of a text: the core, which reads all of it, refuses it in its dialog.
    await drag(page, [{ name: 'notes.txt', type: 'text/plain', content: likeBundle }])
    const bundle = page.getByRole('dialog', { name: 'Open a support bundle' })
    await expect(bundle.getByRole('alert')).toBeVisible()
    // Nothing is dropped through an open dialog.
    await drag(page, [{ name: 'checklist.json', content: checklist }])
    await expect(page.locator('.toast').getByRole('alert')).toContainText('Close this dialog first')
    await page
      .locator('.toast')
      .getByRole('button', { name: 'Close' })
      .evaluate((button: HTMLElement) => button.click())
    await page.keyboard.press('Escape')

    await drag(page, [{ name: 'checklist.txt', content: checklist }])
    await expect.poll(() => place(page)).toBe('#/templates')
    await expect(page.getByRole('link', { name: /Dropped/ })).toBeVisible()

    await drag(page, [{ name: 'work.json', content: '{"fitter":"handover","version":1}\n{"broken":' }])
    await expect.poll(() => place(page)).toBe('#/jobs')
    await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
    await page.keyboard.press('Escape')

    await drag(page, [
      {
        name: 'join.json',
        content: JSON.stringify({ fitter: 'team', version: 1, team: 'Team One', host: 'team.example.com' })
      }
    ])
    await expect.poll(() => place(page)).toBe('#/settings/team')
    await expect(page.getByText('Join Team One, on team.example.com?')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('Join Team One')).toHaveCount(0)
  }
)

test(
  'everything else is refused in one sentence, and the page never goes elsewhere',
  { tag: '@daily' },
  async ({ openFitter }) => {
    const { page } = await openFitter()
    await expect.poll(() => page.evaluate(() => document.querySelector('main > .screen') !== null)).toBe(true)
    const url = page.url()
    const toast = page.locator('.toast')
    const refused: [Dropped[], string][] = [
      [
        [{ name: 'jobs.csv', type: 'text/csv', content: Buffer.from([0x4d, 0x5a, 0x90, 0, 3, 0]) }],
        'Fitter cannot read this file.'
      ],
      [[{ name: 'empty.csv', type: 'text/csv', content: '' }], 'Fitter cannot read this file.'],
      [
        [
          {
            name: 'archive.zip',
            type: 'application/zip',
            content: Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), Buffer.alloc(100)])
          }
        ],
        'Fitter cannot read this file.'
      ],
      [[{ name: 'large.json', content: `{"steps":"${'x'.repeat(9_000_000)}"}` }], 'Fitter cannot read this file.'],
      [
        [
          { name: 'a.csv', content: 'a,b\n1,2\n' },
          { name: 'b.csv', content: 'a,b\n1,2\n' }
        ],
        'Drop one file at a time.'
      ],
      [Array.from({ length: 40 }, (_, n) => ({ name: `${n}.jpg`, content: 'x' })), 'Drop at most 12 photos at a time.'],
      [
        [{ name: 'photo.jpg', type: 'image/jpeg', content: jpegPicture(32, 32, () => 90) }],
        'Photos are added in a step that asks for them.'
      ]
    ]
    for (const [files, why] of refused) {
      await drag(page, files)
      await expect(toast.getByRole('alert')).toContainText(why)
      expect(page.url()).toBe(url)
      await toast.getByRole('button', { name: 'Close' }).click()
      await expect(toast).toHaveCount(0)
    }
    // A link that is dragged in from another program.
    const isHeldBack = await page.evaluate(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.setData('text/uri-list', 'https://example.com/')
      const [over, drop] = ['dragover', 'drop'].map(
        (name) => new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true })
      )
      document.body.dispatchEvent(over as DragEvent)
      document.body.dispatchEvent(drop as DragEvent)
      return over?.defaultPrevented && drop?.defaultPrevented && dataTransfer.dropEffect === 'none'
    })
    expect(isHeldBack).toBe(true)
    expect(page.url()).toBe(url)
  }
)

test('a file that is dropped before all texts are there is refused in words', async ({ openFitter }) => {
  const { page } = await openFitter()
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\.rest-[^/]*\.js$/, async (route) => {
    await held
    await route.continue()
  })
  const asked = page.waitForRequest(/\.rest-[^/]*\.js$/)
  await page.reload()
  await asked
  await expect.poll(() => page.evaluate(() => document.querySelector('main > .screen') !== null)).toBe(true)
  const judge = page.waitForResponse(/takeDropped-[^/]*\.js$/)
  // So many are judged without being read: at once, when the script is there.
  await drag(
    page,
    Array.from({ length: 40 }, (_, n) => ({ name: `${n}.jpg`, content: 'x' }))
  )
  await page.evaluate(
    async (url) => {
      await import(url)
      await new Promise(requestAnimationFrame)
    },
    (await judge).url()
  )
  release()
  await expect(page.locator('.toast').getByRole('alert')).toContainText('Drop at most 12 photos at a time.')
})

test('photos dropped anywhere on the window are added to the step that asks for them', async ({
  openFitter,
  simulate
}) => {
  const yard = await simulate({ seed: 97 })
  const { page } = await openFitter()
  await prepareWorkplace(page, yard)
  await callCore(page, 'templates.import', { text: checklist })
  const made = await callCore(page, 'jobs.create', {
    templateId: 'dropped',
    deviceKey: yard.device.imei,
    customer: 'Customer One'
  })
  const id = made.outcome === 'created' ? made.id : ''
  await page.evaluate((id) => (window.location.hash = `#/job/${id}`), id)
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await giveImei(page, yard.device.imei)
  await expectStep(page, 'Identity', 'passed')
  await showStep(page, 'Photo')
  await expect(stage(page).getByRole('button', { name: 'Choose pictures' })).toBeVisible()
  const photos = [1, 2].map((n) => ({
    name: `${n}.dat`,
    type: 'image/jpeg',
    content: jpegPicture(64, 48, (x, y) => (x * n + y) % 255)
  }))
  await drag(page, photos, true)
  await expect(veil(page)).toHaveText('Add 2 photos to the step')
  await drag(page, photos)
  await expect.poll(async () => (await callCore(page, 'jobs.show', { id })).attachments?.length ?? 0).toBe(2)
  await expect(veil(page)).toHaveCount(0)
})
