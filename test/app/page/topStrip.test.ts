import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, expect, it, vi } from 'vitest'
import TopStrip from '../../../renderer/app/frame/TopStrip.vue'
import { showLanguage } from '../../../renderer/base/say.ts'
import StatusShape from '../../../renderer/base/ui/StatusShape.vue'
import { useGateway } from '../../../renderer/base/shell/gateway.store.ts'
import { useJobs } from '../../../renderer/base/shell/jobs.store.ts'
import { createFakeBridge } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'

const nowMs = Date.parse('2026-11-20T12:00:00Z')
const ago = (seconds: number) => new Date(nowMs - seconds * 1_000).toISOString()

let strip: VueWrapper
afterEach(() => {
  strip.unmount()
  vi.useRealTimers()
})

async function open(prepare: () => void): Promise<void> {
  await showLanguage('en')
  vi.useFakeTimers({ now: nowMs })
  window.fitter = createFakeBridge({})
  const pinia = createPinia()
  setActivePinia(pinia)
  prepare()
  strip = mount(TopStrip, { global: { plugins: [pinia] } })
  await flushPromises()
}

/** The parts of the strip with their shapes. */
const said = (word: string) => {
  const part = strip.findAll('.part').find((one) => one.text().includes(word))
  return [part?.findComponent(StatusShape).props('shape'), part?.text().replace(/\s+/g, ' ')]
}

const answered = (seconds: number) => () => {
  useGateway().status = { ...data.gateway, state: 'reachable', hindrance: null, answeredAt: ago(seconds) }
}

it('the gateway has its tick while its last answer is young', async () => {
  await open(answered(12))
  expect(said('reachable')).toEqual(['pass', expect.stringMatching(/^Gateway reachable(?!.* ago)/)])
})

it('an old answer has its age, and no tick', async () => {
  await open(answered(70))
  expect(said('reachable')).toEqual(['wait', expect.stringContaining('Gateway reachable · 1 min ago')])
})

it('the device of a job that stopped answering is grey with its age, whatever discovery still says', async () => {
  await open(() => {
    const jobs = useJobs()
    jobs.job = data.job
    jobs.lostSinceMs = nowMs - 6_000
  })
  const { imei } = data.job.device
  expect(said(imei.slice(-6))).toEqual(['unknown', expect.stringMatching(/^Device .+ · 6\s?s ago/)])
})
