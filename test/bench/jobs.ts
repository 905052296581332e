import { spawn } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { ClientRequest } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { LiveStep, StepKind } from '../../preload/contract/job/jobs.ts'
import { answerFromFile } from '../../main/terminal/input/answers.ts'
import { createCore } from '../../main/app/core.ts'
import { isSettled } from '../../main/job/jobs/record/journal.ts'

/**
 * Standard installations side by side against simulated devices and a gateway in a process of their own: the time of
 * the processor that a check costs us, and that all jobs together cost, with that of the other side beside it; what a
 * person is asked in one of them; and how long all of them take until the last is done. The other side of that is one
 * job that runs alone before the others: so long one takes, and so many calls it makes, which the limits of the gateway
 * let go out for all jobs in so many minutes. `npm run bench -- jobs [jobs] [most seconds]`.
 */
const count = Number(process.argv[2] ?? 20)
const mostS = Number(process.argv[3] ?? 1_800)
const goals = { ownMsPerCheck: 200, cores: 1, actions: 14, ofTheLimits: 1.3 }
/** What the simulated gateway allows a user in a minute. */
const tiers = { data: 30, other: 100 }
const projectFolder = join(import.meta.dirname, '..', '..')

interface Yard {
  gateway: { url: string; user: string; password: string }
  devices: { host: string; port: number; imei: string; user: string; password: string }[]
}

const child = spawn(
  process.execPath,
  [
    join(projectFolder, 'bin', 'fitter'),
    'simulate',
    '--devices',
    String(count + 1),
    '--gateway',
    '--story',
    'installation-fast'
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] }
)
const [firstLine] = (await once(createInterface(child.stdout), 'line')) as [string]
const yard = JSON.parse(firstLine) as Yard
const [firstDevice] = yard.devices
if (!firstDevice) throw new Error('The bench needs a device')

const folder = mkdtempSync(join(tmpdir(), 'fitter-bench-jobs-'))
const faults: unknown[] = []
const core = createCore({
  dataFolder: folder,
  resourcesFolder: join(projectFolder, 'resources'),
  gatewayUrl: yard.gateway.url,
  profileId: 'short-holds',
  given: { gateway: yard.gateway, device: { user: firstDevice.user, password: firstDevice.password } },
  inMemorySecrets: true,
  reportFault: (fault) => faults.push(fault)
})
const ids = new Map<string, string>()
const answered = new Map<string, Set<string>>()

core.events.onEvent((name, payload) => {
  if (name !== 'jobs.live') return
  const { jobId, stepId, prompt } = payload as LiveStep
  const imei = ids.get(jobId)
  if (!prompt || imei === undefined) return
  const answers = {
    technician: 'bench',
    customer: '',
    steps: {
      identity: { value: imei },
      'output-1': { armed: true, effect: true },
      alignment: { answer: true },
      link: { choose: '' }
    }
  }
  const answer =
    prompt.kind === 'choose' && prompt.suggested
      ? { choose: String(prompt.suggested.id) }
      : answerFromFile(answers, stepId, prompt)
  if (!answer) return
  queueMicrotask(() => {
    const isAsked = core.jobs
      .live(jobId)
      .steps.some((step) => step.stepId === stepId && step.prompt?.kind === prompt.kind)
    if (!isAsked) return
    answered.set(jobId, (answered.get(jobId) ?? new Set()).add(`${stepId} ${prompt.kind}`))
    core.jobs.answer(jobId, stepId, answer)
  })
})

const calls = { data: 0, other: 0 }
const gatewayHost = new URL(yard.gateway.url).host
subscribe('http.client.request.start', (told) => {
  const { request } = told as { request: ClientRequest }
  if (request.getHeader('host') !== gatewayHost || request.path.startsWith('/api/login')) return
  calls[/^\/api\/(rawdata|trips|counters)/.test(request.path) ? 'data' : 'other'] += 1
})

const signal = new AbortController().signal
const alone = await finish(yard.devices.slice(0, 1))
// A window that the first job began is over before the others begin.
await new Promise((resolve) => setTimeout(resolve, 61_000))

const cpuBefore = process.cpuUsage()
const otherBeforeS = await otherSideS()
const together = await finish(yard.devices.slice(1))
const { wallS, jobs } = together
const { user, system } = process.cpuUsage(cpuBefore)
const ownS = (user + system) / 1e6
const otherS = (await otherSideS()) - otherBeforeS
const ended = jobs.flatMap(({ steps }) =>
  steps.filter(({ state }) => isSettled(state) || state === 'fail' || state === 'unreadable')
)
const byKind = Object.fromEntries(
  Object.entries(Object.groupBy(ended, ({ kind }) => kind)).map(([kind, steps]) => [
    kind as StepKind,
    Math.round((steps ?? []).reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0) / (steps?.length ?? 1))
  ])
)
const forCalls = (made: typeof calls, times: number): number =>
  Math.max(
    alone.wallS,
    ...(['data', 'other'] as const).map((tier) => (Math.ceil((made[tier] * times) / tiers[tier]) - 1) * 60)
  )
const allowedS = Math.min(forCalls(alone.calls, count), forCalls(together.calls, 1))

const result = {
  jobs: jobs.length,
  done: jobs.filter(({ state }) => isDone(state)).length,
  wallS: round1(wallS),
  aloneS: round1(alone.wallS),
  calls: { alone: alone.calls, together: together.calls },
  limitsAllowS: {
    callsOfOneTimesJobs: round1(forCalls(alone.calls, count)),
    callsMade: round1(forCalls(together.calls, 1))
  },
  ofTheLimits: round2(wallS / allowedS),
  /** When the first and the last job was done. */
  doneAfterS: together.doneAfterS,
  checks: ended.length,
  ownMsPerCheck: round1((ownS * 1000) / ended.length),
  cores: round2(ownS / wallS),
  otherSideCores: round2(otherS / wallS),
  questionsOfAJob: Math.max(...[...answered.values()].map((questions) => questions.size)),
  // The hand at the keyboard needs more than one action for some questions: test/e2e/job-by-hand.spec.ts counts them.
  goals,
  waitedMsByKind: byKind,
  faults: faults.map(String)
}
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
child.kill('SIGTERM')
await core.stop()
rmSync(folder, { recursive: true, force: true })

/** Works on each of these devices until its job is done. */
async function finish(devices: Yard['devices']) {
  const before = { ...calls }
  const beganMs = performance.now()
  const own: string[] = []
  const doneAfterS: number[] = []
  const stop = core.events.onEvent((name, payload) => {
    const { id, state } = payload as { id: string; state: string }
    if (name === 'jobs.state' && own.includes(id) && isDone(state))
      doneAfterS.push(round1((performance.now() - beganMs) / 1000))
  })
  await Promise.all(
    devices.map(async ({ host, port, imei }) => {
      const id = core.jobs.create({
        templateId: 'standard-installation',
        device: { imei, model: 'ft4', address: `${host}:${port}` },
        vehicleText: '',
        customer: ''
      })
      ids.set(id, imei)
      own.push(id)
      await core.jobs.start(id, signal, { goesOn: true })
    })
  )
  while (own.some((id) => !isDone(core.jobs.show(id).state)) && performance.now() - beganMs < mostS * 1000)
    await new Promise((resolve) => setTimeout(resolve, 250))
  stop()
  const made = { data: calls.data - before.data, other: calls.other - before.other }
  return {
    wallS: (performance.now() - beganMs) / 1000,
    calls: made,
    jobs: own.map((id) => core.jobs.show(id)),
    doneAfterS: [doneAfterS[0], doneAfterS.at(-1)]
  }
}

function isDone(state: string): boolean {
  return state === 'done' || state === 'installedAwaitingGateway'
}

/** What the processor has done for the other side so far; 0 where the system does not tell. */
async function otherSideS(): Promise<number> {
  const { readFile } = await import('node:fs/promises')
  const stat = await readFile(`/proc/${child.pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100
}

function round1(value: number): number {
  return Math.round(value * 10) / 10
}

function round2(value: number): number {
  return Math.round(value * 100) / 100
}
