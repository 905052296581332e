import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, expect, it, vi } from 'vitest'
import { readCatalogue } from '../../../bin/messageTypes.ts'
import { checkTemplate, limitsOfProfile } from '../../../main/job/jobs/checklists/checkTemplate.ts'
import { previewSteps } from '../../../main/job/jobs/checklists/handlers.ts'
import { formSchemas } from '../../../main/job/jobs/checklists/schema.ts'
import { shippedOrderNames } from '../../../main/job/jobs/checklists/templates.ts'
import { order as orderSchema } from '../../../preload/contract/job/orders.ts'
import type { Json } from '../../../preload/contract/define.ts'
import OrderDialog from '../../../renderer/job/run/orders/OrderDialog.vue'
import OrderPart from '../../../renderer/job/run/orders/OrderPart.vue'
import { emptyOrder } from '../../../renderer/job/run/orders/useOrderThings.ts'
import { fieldsOf, isCode, kindsOf, namesOf } from '../../../renderer/job/checklists/schemaFields.ts'
import TemplateEditor from '../../../renderer/job/checklists/TemplateEditor.vue'
import { createFakeBridge, holdAnswers, type FakeBridge } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'
import { ownChecklist } from '../../world/data/ownChecklist.ts'
import { quickShipped } from '../../world/device/quickProfile.ts'

const shipped = quickShipped()
const schemas = formSchemas()
const ground = { profile: shipped.standardProfile, hasText: () => true, orderNames: shippedOrderNames(shipped) }
let core: FakeBridge
let wrapper: VueWrapper | undefined
afterEach(() => {
  wrapper?.unmount()
  vi.useRealTimers()
})

/** The core's own functions behind the bridge; what is kept is looked at in the calls that were made. */
function openCore(): void {
  core = createFakeBridge({
    'templates.open': () => ({ template: ownChecklist() as Json, origin: 'own' }),
    'templates.schema': () => ({ ...schemas, thresholds: limitsOfProfile(shipped.standardProfile) }),
    'templates.check': ({ template }) => ({ findings: checkTemplate(template, ground).findings }),
    'templates.preview': ({ template, order }) =>
      previewSteps(checkTemplate(template, ground).template, order === null ? null : orderSchema.parse(order)),
    'orders.change': () => ({}),
    'templates.save': ({ basedOn }) => ({ outcome: 'kept', id: 'our-vans', version: (basedOn ?? 0) + 1, findings: [] })
  })
  window.fitter = core
  setActivePinia(createPinia())
}

async function openEditor(): Promise<VueWrapper> {
  openCore()
  wrapper = mount(TemplateEditor, { props: { id: 'our-vans' }, attachTo: document.body })
  await flushPromises()
  return wrapper
}

const shown = (page: VueWrapper) => page.findAll('.preview li').map((line) => line.text())
const button = (page: VueWrapper, text: string) => page.findAll('button').find((one) => one.text() === text)

/** The check waits until the person has stopped typing. */
async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(1_000)
  await flushPromises()
}

it('a step is added, moved and removed, and the steps that a job would have follow', async () => {
  vi.useFakeTimers()
  const page = await openEditor()
  expect(shown(page)).toEqual(['1 Identity', '2 Damage', '3 Why only after a certain answer', '4 Sign-off'])
  await page.get('.add select').setValue('position')
  await button(page, 'Add')?.trigger('click')
  await settle()
  expect(shown(page)).toHaveLength(5)
  await button(page, 'Move up')?.trigger('click')
  await settle()
  expect(shown(page)[2]).toContain('Position')
  await page.get('.steps, nav .scroll').trigger('keydown', { key: 'ArrowUp', altKey: true })
  await settle()
  await button(page, 'Remove')?.trigger('click')
  await settle()
  expect(shown(page)).toHaveLength(4)
})

it('a step says where it is connected: wires by line and pin, and a picture that is small enough', async () => {
  vi.useFakeTimers()
  const page = await openEditor()
  await page
    .findAll('.steps button, nav button')
    .find((one) => one.text().includes('Damage'))
    ?.trigger('click')
  await button(page, 'Add wire')?.trigger('click')
  await page.get('.wire input[maxlength="6"]').setValue('IGN')
  await page.get('.wire input[maxlength="4"]').setValue('3')
  await page.get('.wire fieldset input').setValue('black and blue')
  Object.assign(globalThis, { createImageBitmap: () => Promise.reject(new Error('No picture')) })
  const chooser = page
    .findAll<HTMLInputElement>('input[type=file]')
    .find((one) => one.attributes('aria-label') === 'Choose picture')
  Object.defineProperty(chooser?.element, 'files', { value: [new File(['x'], 'x.jpg')] })
  await chooser?.trigger('change')
  await settle()
  expect(page.text()).toContain('This picture cannot be used.')
  await button(page, 'Save as new version')?.trigger('click')
  await flushPromises()
  const saved = core.made.findLast(({ name }) => name === 'templates.save')?.input as {
    template: { steps: { id: string; guide?: unknown }[] }
  }
  expect(saved.template.steps.find(({ id }) => id === 'damage')?.guide).toEqual({
    wires: [{ line: 'IGN', pin: '3', wire: { en: 'black and blue' } }]
  })
})

it('what is wrong stands beside its field and keeps it from being saved; put right it is saved as the next version', async () => {
  vi.useFakeTimers()
  const page = await openEditor()
  const save = () => button(page, 'Save as new version')
  await page
    .findAll('nav .list-row')
    .find((row) => row.text().includes('Starter'))
    ?.trigger('click')
  const engineOff = () => page.findAll('label.field').find((label) => label.text().startsWith('Engine off'))
  await engineOff()?.get('select').setValue('')
  await settle()
  expect(engineOff()?.text()).toContain('Set whether the engine must be off')
  expect(page.get('.preview').text()).toContain('Preview from before the current error.')
  expect(save()?.attributes('disabled')).toBeDefined()
  await engineOff()?.get('select').setValue('false')
  await settle()
  expect(engineOff()?.find('.hint').exists()).toBe(false)
  await save()?.trigger('click')
  await flushPromises()
  expect(core.made.filter(({ name }) => name === 'templates.save')).toMatchObject([
    { input: { basedOn: 1, template: { id: 'our-vans', steps: { 2: { id: 'starter', engineOff: false } } } } }
  ])
})

it('an order that is tried out shows the steps that it would bring', async () => {
  vi.useFakeTimers()
  const page = await openEditor()
  await page.get('.preview select').setValue('starterRelay')
  await settle()
  expect(shown(page)).toContain('3 Starter')
})

it('an order is typed thing by thing, and what no step checks is told', async () => {
  openCore()
  let order = emptyOrder
  wrapper = mount(OrderPart, {
    props: {
      order,
      templateId: 'our-vans',
      onChange: (next: typeof order | null) => void wrapper?.setProps({ order: (order = next ?? emptyOrder) })
    },
    attachTo: document.body
  })
  await flushPromises()
  for (const thing of ['Starter relay', 'Inputs']) {
    await button(wrapper, 'Add an item')?.trigger('click')
    await wrapper
      .findAll('.drop-panel button')
      .find((one) => one.text() === thing)
      ?.trigger('click')
    await flushPromises()
  }
  const things = wrapper.findAll('li').map((one) => one.get('b').text())
  expect(things).toEqual(['Starter relay', 'Inputs'])
  expect(wrapper.text()).toContain('No step of this checklist checks this')
  await wrapper.get('.value').trigger('click')
  await wrapper
    .findAll('label.field')
    .find((label) => label.text().startsWith('Line'))
    ?.get('select')
    .setValue('OUT2')
  expect(order.items).toMatchObject([{ kind: 'output', as: 'starterRelay', output: 'OUT2' }, { kind: 'inputs' }])
})

it('offers nothing of the checklist before while another one is being read', async () => {
  openCore()
  wrapper = mount(OrderPart, { props: { order: null, templateId: 'our-vans' }, attachTo: document.body })
  await flushPromises()
  await button(wrapper, 'Add an item')?.trigger('click')
  const offered = () => wrapper?.findAll('.drop-panel button').map((one) => one.text()) ?? []
  expect(offered()).toContain('Starter relay')
  holdAnswers(core, 'templates.open')
  await wrapper.setProps({ templateId: 'another' })
  await flushPromises()
  expect(offered()).not.toContain('Starter relay')
})

it('the order of a job is changed as it was written, and its steps follow', async () => {
  openCore()
  const items = orderSchema.parse({
    reference: 'A1',
    items: [{ kind: 'output', as: 'starterRelay', name: { en: 'Relay', es: 'Relé' }, output: 'OUT2' }]
  })
  wrapper = mount(OrderDialog, { props: { job: { ...data.job, order: items } }, attachTo: document.body })
  await flushPromises()
  await wrapper.get('[aria-label="Order number"]').setValue('A2')
  await wrapper.get('form').trigger('submit')
  await flushPromises()
  expect(core.made.filter(({ name }) => name === 'orders.change')).toMatchObject([
    {
      input: {
        id: data.job.id,
        order: { reference: 'A2', items: [{ kind: 'output', name: { en: 'Relay', es: 'Relé' }, output: 'OUT2' }] }
      }
    }
  ])
  expect(wrapper.emitted('close')).toHaveLength(1)
})

it('every blank of every kind has a name in the catalogue', () => {
  const texts = readCatalogue('en')
  const names = new Set(
    [schemas.step, schemas.item].flatMap((schema) =>
      kindsOf(schema).flatMap((kind) => namesOf(fieldsOf(schema, kind, ['when', 'perItem', 'requires', 'as', 'guide'])))
    )
  )
  expect([...names].filter((name) => !isCode(name) && !texts.has(`windowTemplates.field.${name}`))).toEqual([])
  expect(kindsOf(schemas.step).filter((kind) => !texts.has(`kinds.${kind}`))).toEqual([])
})
