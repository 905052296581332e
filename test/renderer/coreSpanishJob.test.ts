import { afterEach, expect, it } from 'vitest'
import { AppError } from '../../preload/contract/errors.ts'
import type { Job, LiveStep } from '../../preload/contract/jobs.ts'
import { findSpanish, translateCore } from '../../renderer/locales/core/index.ts'
import { standardStep } from '../support/quickProfile.ts'
import { openVirtualJob, virtualImei, type VirtualJob } from '../support/virtualJob.ts'

let job: VirtualJob
afterEach(() => job.close())

const stepIds = ['identity', 'external-power', 'ignition', 'position', 'network', 'delivered', 'same-place', 'inputs', 'output-1', 'alignment', 'vehicle', 'link', 'sign-off']
/** Words that only English has. */
const english = /\b(the|is|are|was|not|and|of|with|this|that|its?|for|be|does|has|cannot|from|there|waits|device|power|old|seen|left|now|sent|step|label|host|missing|on|off)\b/i

function textsOf(whole: Job, lives: LiveStep[]): string[] {
  const steps = whole.steps.flatMap(({ title, instruction, summary, remedy, evidence }) => [title, instruction, summary, remedy, ...evidence.map(({ what }) => what)])
  const shown = lives.flatMap(({ say, hint, meters, prompt }) => [
    say,
    hint,
    ...meters.flatMap(({ label, value, unit, target }) => [label, value, unit, target]),
    prompt?.text ?? ''
  ])
  return [...new Set([...steps, ...shown])].filter((text) => text !== '')
}

const key = ['on', 'off', 'on', 'off', 'crank', 'on'] as const

it.each<[string, (bench: VirtualJob) => void]>([
  ['a whole job', () => undefined],
  ['a job without a gateway, in a vehicle where nothing moves', (bench) => (bench.gateway.isAway = new AppError('UNREACHABLE', 'Nothing answers at the gateway address. Check the address.'))]
])('%s shows no English sentence in the Spanish window', async (what, make) => {
  job = openVirtualJob(stepIds.map((id) => standardStep(id)))
  job.answers = { imei: { value: virtualImei }, choose: { choose: '7' }, yesNo: { answer: true }, arm: { armed: true }, effect: { effect: true } }
  make(job)
  await job.connect()
  job.begin('identity')
  await job.pass(500)
  const lives: LiveStep[] = []
  for (let second = 0; second < 40; second += 1) {
    if (what === 'a whole job' && second < 12) {
      job.vehicle.turnKey(key[second % key.length] ?? 'off')
      job.vehicle.setInput('IN1', second % 2 === 0)
    }
    if (second === 14) job.vehicle.turnKey('off')
    for (const id of stepIds) if (job.step(id).state === 'waiting' && (second > 15 || id !== 'output-1')) job.begin(id)
    await job.pass(1_000)
    lives.push(...stepIds.flatMap((id) => job.live(id) ?? []))
  }
  const texts = textsOf(job.jobs.show(job.id), lives)
  expect(texts.length).toBeGreaterThan(100)
  const left = texts.filter((text) => english.test(translateCore(text, 'es')) || (/[a-z]{3,} [a-z]{3,}/i.test(text) && findSpanish(text) === undefined))
  expect(left).toEqual([])
})
