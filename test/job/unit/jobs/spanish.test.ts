import { afterEach, expect, it } from 'vitest'
import { AppError } from '../../../../preload/contract/errors.ts'
import type { Job, LiveStep } from '../../../../preload/contract/job/jobs.ts'
import { nameMessage, plainMessage, type Message } from '../../../../preload/contract/messages.ts'
import { createTexts } from '../../../../main/base/messages/texts.ts'
import { standardStep } from '../../../world/device/quickProfile.ts'
import { openVirtualJob, virtualImei, type VirtualJob } from '../../../world/device/virtualJob.ts'

let job: VirtualJob
afterEach(() => job.close())

const stepIds = [
  'identity',
  'external-power',
  'ignition',
  'position',
  'network',
  'delivered',
  'same-place',
  'inputs',
  'vehicle',
  'link',
  'sign-off'
]
/** Words that only English has. */
const english =
  /\b(the|is|are|was|not|and|of|with|this|that|its?|for|be|does|has|cannot|from|there|waits|device|power|old|seen|left|now|sent|step|label|host|missing|on|off)\b/i

function messagesOf(whole: Job, lives: LiveStep[]): Message[] {
  const steps = whole.steps.flatMap(({ title, instruction, summary, remedy, evidence }) => [
    title,
    instruction,
    summary,
    remedy,
    ...evidence.map(({ what }) => what)
  ])
  const shown = lives.flatMap(({ say, hint, meters, prompt }) => [
    say,
    hint,
    ...meters.flatMap(({ label, value, target }) => [label, value, target]),
    prompt?.text ?? null
  ])
  const all = [...steps, ...shown].filter((message) => message !== null)
  return [...new Map(all.map((message) => [nameMessage(message), message])).values()]
}

const away = 'No hay internet.'
const key = ['on', 'off', 'on', 'off', 'crank', 'on'] as const

it.each<[string, (bench: VirtualJob) => void]>([
  ['a whole job', () => undefined],
  [
    'a job without a gateway, in a vehicle where nothing moves',
    (bench) => (bench.gateway.isAway = new AppError('UNREACHABLE', plainMessage(away)))
  ]
])('%s says everything in Spanish, and nothing in plain words but names', async (what, make) => {
  job = openVirtualJob(stepIds.map((id) => standardStep(id)))
  job.answers = {
    imei: { value: virtualImei },
    choose: { choose: '7' },
    yesNo: { answer: true },
    arm: { armed: true },
    effect: { effect: true }
  }
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
    for (const id of stepIds) if (job.step(id).state === 'waiting') job.begin(id)
    await job.pass(1_000)
    lives.push(...job.jobs.live(job.id).steps)
  }
  const messages = messagesOf(job.jobs.show(job.id), lives)
  expect(messages.length).toBeGreaterThan(60)
  expect(
    messages
      .filter(({ id }) => id === 'plain.text')
      .map(nameMessage)
      .filter((text) => !/^(IN[1-7]|Truck 1|Linked.)$/.test(text) && text !== away)
  ).toEqual([])
  const { say } = createTexts({ language: 'es', units: 'metric', timeZone: 'UTC' })
  expect(
    messages
      .filter(({ id }) => id !== 'plain.text')
      .map(say)
      .filter((text) => english.test(text))
  ).toEqual([])
})
