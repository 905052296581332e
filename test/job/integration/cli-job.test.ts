// @module-tag long
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Job } from '../../../preload/contract/job/jobs.ts'
import { readZip } from '../../world/data/bundles/readZip.ts'
import { pushedToServer } from '../../world/team/keptByServer.ts'
import { fileFolder, makeYard } from '../../world/window/installation.ts'

/** Steps that only take time here: what they check is tested elsewhere. */
const slow = {
  'external-power': { waive: 'no time' },
  ignition: { waive: 'no time' },
  inputs: { waive: 'no time' },
  position: { waive: 'no time' }
}
const limit = { timeout: 720_000 }

const full = { yard: await makeYard({ seed: 5 }), folder: fileFolder() }
const away = { yard: await makeYard({ seed: 6 }), folder: fileFolder() }
const stopped = { yard: await makeYard({ seed: 7 }), folder: fileFolder() }
const killed = { yard: await makeYard({ seed: 8 }), folder: fileFolder() }
const silent = { yard: await makeYard({ seed: 9 }), folder: fileFolder() }
const chosen = { yard: await makeYard({ seed: 11 }), folder: fileFolder() }
const quick = { yard: await makeYard({ seed: 10 }), folder: fileFolder() }

function states(job: Job): Record<string, string> {
  return Object.fromEntries(job.steps.map((step) => [step.id, step.state]))
}

/** Every byte under a folder, as text. */
function allBytes(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}

test.concurrent(
  'a whole installation passes with a file of answers, and its report is sealed and free of secrets',
  limit,
  async () => {
    const { yard, folder } = full
    const id = await yard.newJob(folder, ['--vehicle', yard.vehicleName(), '--customer', 'Yard North'])
    const run = await yard.run(folder, ['job', 'run', id, '--answers', yard.answers(folder), '--json'])
    expect(run.stderr + run.stdout).toContain('"state":"done"')
    expect(run.code).toBe(0)
    const job = run.json<Job>()
    expect(job).toMatchObject({
      id,
      kind: 'installation',
      state: 'done',
      template: { id: 'standard-installation', version: 2 },
      device: { imei: yard.device.imei, model: yard.device.model, address: yard.address },
      vehicle: { name: yard.vehicleName() },
      operations: [{ kind: 'entities.link', state: 'done' }]
    })
    expect(Object.values(states(job)).filter((state) => state !== 'pass' && state !== 'warn')).toEqual([])
    for (const step of job.steps)
      expect(step).toEqual(
        expect.objectContaining({
          witness: expect.any(Array),
          attempts: expect.any(Number),
          waiver: null,
          evidence: expect.any(Array)
        })
      )

    // Device snapshots before and after; what came into the log after the signature is under its seal as well.
    const closed = await yard.show(folder, id)
    expect(closed.snapshots).toEqual(
      ['jobStart', 'signOff'].map((cause) =>
        expect.objectContaining({ cause, sha256: expect.stringMatching(/^[0-9a-f]{64}$/), silent: 0, why: null })
      )
    )

    const list = (await yard.run(folder, ['job', 'list', '--json', '--search', yard.device.imei])).json<object[]>()
    expect(list).toEqual([
      expect.objectContaining({
        id,
        kind: 'installation',
        state: 'done',
        template: 'standard-installation',
        updatedAt: expect.any(String)
      })
    ])
    expect((await yard.run(folder, ['job', 'list', '--json', '--state', 'draft'])).json()).toEqual([])

    const reports = join(folder, 'reports')
    for (const format of ['pdf', 'evidence', 'csv', 'json']) {
      const made = await yard.run(folder, [
        'job',
        'report',
        id,
        '--format',
        format,
        '--out',
        join(reports, `report.${format}`)
      ])
      expect([format, made.code, made.stderr]).toEqual([format, 0, ''])
    }
    // Beside the customer's page lie the evidence and the page that verifies the seal.
    for (const name of ['report.pdf', 'report-evidence.pdf', 'report.evidence'])
      expect([name, readFileSync(join(reports, name), 'latin1').slice(0, 5)]).toEqual([name, '%PDF-'])
    expect(readFileSync(join(reports, 'report.html'), 'utf8')).toContain('<html')
    // There is no keychain here, so no key has signed it.
    const verified = await yard.run(folder, ['job', 'verify', join(reports, 'report.json'), '--json'])
    expect([verified.code, verified.json()]).toEqual([1, expect.objectContaining({ ok: true, verdict: 'hashesOnly' })])
    const spanish = join(reports, 'informe.json')
    expect(
      (await yard.run(folder, ['job', 'report', id, '--format', 'json', '--language', 'es', '--out', spanish])).code
    ).toBe(0)
    expect(JSON.parse(readFileSync(spanish, 'utf8'))).toMatchObject({
      language: 'es',
      isTraining: false,
      texts: { title: 'Informe de instalación', verdict: expect.stringContaining('Correcto') }
    })
    writeFileSync(
      join(folder, 'changed.json'),
      readFileSync(join(reports, 'report.json'), 'utf8').replace('Yard North', 'Yard South')
    )
    expect((await yard.run(folder, ['job', 'verify', join(folder, 'changed.json'), '--json'])).code).toBe(1)
    expect((await yard.run(folder, ['data', 'check', '--json'])).json()).toEqual({ ok: true, findings: [] })

    const bundle = join(folder, 'bundle.zip')
    const written = await yard.run(folder, ['bundle', id, '--out', bundle, '--json'])
    expect([written.code, written.stderr]).toEqual([0, expect.any(String)])
    const opened = await yard.run(folder, ['open', bundle, '--json'])
    expect(opened.json()).toMatchObject({
      job: { id, state: 'done' },
      snapshots: expect.any(Array),
      versions: { node: expect.any(String) }
    })
    expect((await yard.run(folder, ['open', bundle])).stdout).toContain(
      `device ${yard.device.imei} (${yard.device.model})`
    )
    const [live, kept] = [
      await yard.run(folder, ['diagnose', yard.address, '--json']),
      await yard.run(folder, ['diagnose', '--bundle', bundle, '--json'])
    ]
    const walked = (run: typeof live) =>
      run.json<{ brokenAt: string | null; chain: { link: string; state: string }[] }>()
    expect([kept.code, walked(kept).brokenAt, walked(kept).chain.map(({ link, state }) => [link, state])]).toEqual([
      live.code,
      walked(live).brokenAt,
      walked(live).chain.map(({ link, state }) => [link, state])
    ])
    const inBundle = [...readZip(readFileSync(bundle)).values()].map((content) => content.toString('latin1')).join('\n')

    // A closed job is not run again.
    const again = await yard.run(folder, ['job', 'run', id, '--answers', yard.answers(folder), '--json'])
    expect([again.code, again.json()]).toMatchObject([
      2,
      {
        error: {
          code: 'INVALID_REQUEST',
          message: 'This job is closed. Make a new one for further work.',
          retryable: false
        }
      }
    ])

    // All of it goes to a team log, and every byte that its server keeps is looked at.
    const { entries, password, seen: atServer } = await pushedToServer(join(folder, 'data'), allBytes)
    expect(entries).toBeGreaterThan(20)
    expect(atServer).toContain(id)

    const everything = allBytes(folder) + inBundle + atServer + run.stdout + run.stderr + written.stdout + opened.stdout
    for (const secret of [
      yard.device.password,
      yard.gateway.password,
      password,
      'not-a-secret',
      ...yard.gateway.state.sessions.map(({ token }) => token)
    ]) {
      expect(secret.length).toBeGreaterThan(3)
      expect(everything.includes(secret), 'a secret is in the data folder, a report or the output').toBe(false)
    }
    expect(yard.simulation.violations()).toEqual([])
  }
)

test.concurrent(
  'an installation without the gateway waits for it, and "sync" finishes it when it is back',
  limit,
  async () => {
    const { yard, folder } = away
    const id = await yard.newJob(folder, ['--vehicle', yard.vehicleName()])
    yard.gateway.setOnline(false)
    const run = await yard.run(folder, [
      'job',
      'run',
      id,
      '--answers',
      yard.answers(folder, { ...slow, delivered: { waive: 'no gateway' }, 'same-place': { waive: 'no gateway' } }),
      '--json'
    ])
    expect([run.code, run.json<Job>().state]).toEqual([0, 'installedAwaitingGateway'])
    expect(states(run.json<Job>())).toMatchObject({
      vehicle: 'deferred',
      link: 'deferred',
      'output-1': 'pass',
      'sign-off': 'pass',
      position: 'waived'
    })
    expect(run.json<Job>().steps.find((step) => step.id === 'ignition')?.waiver).toMatchObject({
      reason: 'no time',
      by: 'Ana Ruiz'
    })

    const waiting = (await yard.run(folder, ['operations', 'list', '--json'])).json<Record<string, unknown>[]>()
    expect(waiting).toEqual([
      expect.objectContaining({
        id: expect.any(String),
        kind: 'entities.link',
        key: expect.stringMatching(/^vehicle:/),
        state: 'draft',
        attempts: 0,
        createdAt: expect.any(String),
        reason: expect.any(String)
      })
    ])
    const tooEarly = await yard.run(folder, ['sync', '--json'])
    expect([tooEarly.code, tooEarly.json<{ error: { code: string } }>().error.code]).toEqual([3, 'UNREACHABLE'])

    yard.gateway.setOnline(true)
    const sync = await yard.run(folder, ['sync', '--json'])
    expect(sync.json()).toMatchObject({ done: 1, waiting: 0, needsAttention: 0, failed: 0 })
    expect(sync.code).toBe(0)
    const job = await yard.show(folder, id)
    expect([job.state, job.operations]).toEqual(['done', [expect.objectContaining({ state: 'done' })]])
    expect(job.vehicle?.name).toBe(yard.vehicleName())
    expect(yard.gateway.state.links).toHaveLength(1)
    expect(yard.simulation.violations()).toEqual([])
  }
)

test.concurrent('Ctrl+C while an output is on switches it off first, and the log stays whole', limit, async () => {
  const { yard, folder } = stopped
  const id = await yard.newJob(folder, ['--vehicle', yard.vehicleName()])
  // Armed, and nobody says whether the relay works: the output stays on until the time is up.
  yard.device.setFault('slow', false)
  const run = yard.start(folder, [
    'job',
    'run',
    id,
    '--answers',
    yard.answers(folder, { ...slow, 'output-1': { armed: true } }),
    '--json'
  ])
  // Read back as well: before that nobody knows whether "on" may still take effect, and the output is watched for
  // longer.
  await run.saw('OUT1 is on. It goes off when you answer')
  expect(yard.device.vehicle.state().outputs.OUT1).toBe(true)
  run.kill('SIGINT')
  const ended = await run.ended
  expect(yard.device.vehicle.state().outputs.OUT1).toBe(false)
  expect([ended.code, ended.signal]).toEqual([1, null])
  expect(ended.json<Job>()).toMatchObject({ id, state: 'running' })
  expect((await yard.run(folder, ['data', 'check', '--json'])).json()).toEqual({ ok: true, findings: [] })
  const step = (await yard.show(folder, id)).steps.find((candidate) => candidate.id === 'output-1')
  expect(step?.state).toBe('waiting')
  expect(step?.evidence.map(({ what }) => what)).toContain('OUT1 is off again')
})

test.concurrent('a job that was killed in the middle goes on where it was and finishes', limit, async () => {
  const { yard, folder } = killed
  const id = await yard.newJob(folder, ['--vehicle', yard.vehicleName()])
  const answers = yard.answers(folder, slow)
  const first = yard.start(folder, ['job', 'run', id, '--answers', answers, '--json'])
  await expect.poll(() => yard.device.vehicle.state().outputs.OUT1, { timeout: limit.timeout, interval: 10 }).toBe(true)
  first.kill('SIGKILL')
  expect((await first.ended).signal).toBe('SIGKILL')
  const between = await yard.show(folder, id)
  expect(states(between)).toMatchObject({ identity: 'pass', 'output-1': 'waiting' })
  expect((await yard.run(folder, ['data', 'check', '--json'])).json()).toEqual({ ok: true, findings: [] })

  const second = await yard.run(folder, ['job', 'run', id, '--answers', answers, '--json'])
  expect([second.code, second.json<Job>().state]).toEqual([0, 'done'])
  expect(yard.device.vehicle.state().outputs.OUT1).toBe(false)
  const identity = second.json<Job>().steps.find((step) => step.id === 'identity')
  expect([identity?.attempts, identity?.evidence.length]).toEqual([1, between.steps[0]?.evidence.length])
  expect(yard.gateway.state.links).toHaveLength(1)
})

test.concurrent(
  'a device that stops answering in the middle of a job ends it with what to do, and nothing seen is lost',
  limit,
  async () => {
    const { yard, folder } = silent
    const id = await yard.newJob(folder, ['--vehicle', yard.vehicleName()])
    const run = yard.start(folder, [
      'job',
      'run',
      id,
      '--answers',
      yard.answers(folder, { 'output-1': { waive: 'no relay' }, alignment: { waive: 'no time' } }),
      '--json'
    ])
    await run.saw('PASS     Identity')
    yard.device.setFault('hang', true)
    const ended = await run.ended
    expect(ended.code).toBe(3)
    const job = ended.json<Job>()
    expect(job.state).toBe('running')
    expect(states(job)).toMatchObject({ identity: 'pass', 'sign-off': 'waiting' })
    const lost = job.steps.filter((step) => step.state === 'unreadable')
    expect(lost.length).toBeGreaterThan(0)
    for (const step of lost) expect(step.remedy).not.toBe('')
    expect((await yard.run(folder, ['data', 'check', '--json'])).json()).toEqual({ ok: true, findings: [] })
  }
)

test.concurrent(
  'the vehicle that the file of answers names is the one that is checked, whatever the job was made for',
  limit,
  async () => {
    const { yard, folder } = chosen
    const other = yard.gateway.state.vehicles.find(
      (vehicle) => String(vehicle.device) !== yard.device.imei && vehicle.groups.includes(1)
    )
    const waived = Object.fromEntries(
      ['alignment', 'delivered', 'same-place', 'output-1'].map((step) => [step, { waive: 'no time' }])
    )
    const right = yard.gateway.state.vehicles.find((vehicle) => String(vehicle.device) === yard.device.imei)
    const id = await yard.newJob(folder, ['--vehicle', other?.name ?? ''])
    const run = await yard.run(folder, [
      'job',
      'run',
      id,
      '--answers',
      yard.answers(folder, { ...slow, ...waived, link: undefined, vehicle: { choose: right?.id } }),
      '--json'
    ])
    expect([run.code, states(run.json<Job>())['vehicle'], run.json<Job>().vehicle?.id]).toEqual([0, 'pass', right?.id])

    const wrong = await yard.newJob(folder, ['--vehicle', right?.name ?? ''])
    const failed = await yard.run(folder, [
      'job',
      'run',
      wrong,
      '--answers',
      yard.answers(folder, { ...slow, ...waived, link: undefined, vehicle: { choose: other?.name } }),
      '--json'
    ])
    expect([failed.code, states(failed.json<Job>())['vehicle']]).toEqual([1, 'fail'])
  }
)

test.concurrent(
  'a step without an answer ends the run with exit code 1 and says which, also with --quiet',
  limit,
  async () => {
    const { yard, folder } = quick
    const id = await yard.newJob(folder)
    const run = await yard.run(folder, [
      'job',
      'run',
      id,
      '--answers',
      yard.answers(folder, { identity: undefined }),
      '--json',
      '--quiet'
    ])
    expect(run.code).toBe(1)
    expect(run.stderr).toContain('The step “Identity” (identity) needs a person and has no answer.')
    expect(run.json<Job>().steps[0]).toMatchObject({ id: 'identity', state: 'waiting' })

    const wrong = await yard.run(folder, [
      'job',
      'run',
      id,
      '--answers',
      yard.answers(folder, { identity: { value: '356938035643800' } }),
      '--json'
    ])
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toContain(
      'The step “Identity” (identity) did not accept its answer: “356938035643800” is not a valid IMEI'
    )

    const other = await yard.run(folder, [
      'job',
      'run',
      id,
      '--answers',
      yard.answers(folder, { identity: { value: '490154203237518' } }),
      '--json'
    ])
    expect([other.code, states(other.json<Job>()).identity]).toEqual([1, 'fail'])

    writeFileSync(join(folder, 'broken.json'), '{"steps": {"identity": {"valeu": 1}}}')
    const broken = await yard.run(folder, ['job', 'run', id, '--answers', join(folder, 'broken.json'), '--json'])
    expect([broken.code, broken.json<{ error: { code: string } }>().error.code]).toEqual([2, 'INVALID_REQUEST'])
  }
)
