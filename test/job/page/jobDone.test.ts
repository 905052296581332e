import { flushPromises, mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import ReportFacts from '../../../renderer/job/run/done/ReportFacts.vue'
import DonePanel from '../../../renderer/job/run/done/DonePanel.vue'
import { useApp } from '../../../renderer/base/shell/app.store.ts'
import { useToasts } from '../../../renderer/base/shell/toasts.store.ts'
import { createFakeBridge, type FakeBridge } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'

let core: FakeBridge
const pdf = { fileName: 'report.pdf', mediaType: 'application/pdf', base64: 'AAAA' }
const saved: string[] = []

async function open(own: Parameters<typeof createFakeBridge>[0], frontEnd: 'desktop' | 'browser' = 'browser') {
  core = createFakeBridge({ 'jobs.report': () => pdf, ...own })
  window.fitter = core
  setActivePinia(createPinia())
  await useApp().load()
  const app = useApp()
  if (app.info) app.info = { ...app.info, frontEnd }
  return mount(ReportFacts, { props: { job: data.job } })
}

const press = async (page: Awaited<ReturnType<typeof open>>, words: string) => {
  await page
    .findAll('button')
    .find((one) => one.text() === words)
    ?.trigger('click')
  await flushPromises()
}
const toasts = () => useToasts().toasts.map(({ text }) => text)
const made = (name: string) => core.made.filter((one) => one.name === name).map(({ input }) => input)

beforeEach(() => {
  saved.length = 0
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  URL.createObjectURL = () => 'blob:x'
})
afterEach(() => {
  vi.restoreAllMocks()
  Reflect.deleteProperty(navigator, 'canShare')
  Reflect.deleteProperty(navigator, 'share')
})

it('hands the report to the share sheet of the system, in the language of its reader', async () => {
  const shared: File[] = []
  Object.assign(navigator, {
    canShare: () => true,
    share: ({ files }: { files: File[] }) => Promise.resolve(void shared.push(...files))
  })
  const page = await open({})
  await page
    .findAll('input[type=radio]')
    .find((one) => one.element.parentElement?.textContent === 'Español')
    ?.trigger('change')
  await press(page, 'Send report')
  expect(shared.map(({ name }) => name)).toEqual(['report.pdf'])
  expect(made('jobs.report')).toMatchObject([{ format: 'pdf', language: 'es' }])
  expect([saved, made('app.writeMail')]).toEqual([[], []])
  await page
    .findAll('input[type=radio]')
    .find((one) => one.element.parentElement?.textContent === 'English')
    ?.trigger('change')
})

it('saves it and opens a mail where nothing can be shared, and says that it must be attached', async () => {
  const page = await open({ 'app.writeMail': () => ({ opened: true }) }, 'desktop')
  await press(page, 'Send report')
  expect(saved).toEqual(['report.pdf'])
  expect(made('app.writeMail')).toMatchObject([
    { subject: 'Report: Unit 0007', text: 'Please find the report of Unit 0007 attached.' }
  ])
  expect(toasts()).toEqual(['report.pdf is saved. Attach it to the mail.'])
})

it('is saved, and nothing more is said, where there is no mail program; a share that was closed saves nothing', async () => {
  await press(await open({}), 'Send report')
  expect([saved, toasts()]).toEqual([['report.pdf'], ['Report report.pdf created']])
  Object.assign(navigator, { canShare: () => true, share: () => Promise.reject(new DOMException('', 'AbortError')) })
  saved.length = 0
  await press(await open({}), 'Send report')
  expect([saved, toasts()]).toEqual([[], []])
  Object.assign(navigator, { share: () => Promise.reject(new DOMException('', 'NotAllowedError')) })
  await press(await open({}), 'Send report')
  expect(saved).toEqual(['report.pdf'])
})

it('shows the saved file in its folder on a desktop, and says so when nothing was saved', async () => {
  expect((await open({})).text()).not.toContain('Show in folder')
  await press(await open({ 'app.showDownload': () => ({ shown: true }) }, 'desktop'), 'Show in folder')
  expect([made('app.showDownload').length, toasts()]).toEqual([1, []])
  await press(await open({}, 'desktop'), 'Show in folder')
  expect(toasts()).toEqual(['No file was saved in this window yet.'])
})

it('names the device that the next job is for', async () => {
  await open({})
  const panel = (nextImei: string | null) =>
    mount(DonePanel, { props: { job: { ...data.job, state: 'done' }, nextImei } }).text()
  expect(panel('867698040023056')).toContain('New job for …023056')
  expect(panel(null)).toContain('Devices near you')
})
