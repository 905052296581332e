import { afterEach, describe, expect, it } from 'vitest'
import { redactLog, withoutSecrets } from '../../../../main/job/reports/redact.ts'
import { createRedactor } from '../../../../main/base/secrets/redact.ts'
import { checkSeals, fingerprintOf, type Signature } from '../../../../main/data/store/jobs/signature.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { makeSigner } from '../../../world/data/sealedJob.ts'
import { openVirtualJob, type VirtualJob } from '../../../world/device/virtualJob.ts'

let job: VirtualJob
afterEach(() => job.close())

const steps = [
  {
    id: 'position',
    kind: 'position' as const,
    title: plainMessage('Position'),
    instruction: plainMessage('Outdoors.')
  },
  { id: 'delivered', kind: 'delivered' as const, title: plainMessage('Delivered'), instruction: plainMessage('Wait.') },
  { id: 'sign-off', kind: 'signOff' as const, title: plainMessage('Sign-off'), instruction: plainMessage('Sign.') }
]
const types = () => job.store.jobs.journal(job.id).map(({ type }) => type)

describe('The log of a job', () => {
  it('is sealed with the key when it is signed off, and again when the gateway has vouched for the rest', async () => {
    const key = makeSigner()
    job = openVirtualJob(steps, undefined, { sign: key.sign })
    job.answers = { signOff: { value: 'Technician One' } }
    job.gateway.isAway = new AppError('UNREACHABLE', plainMessage('No network.'), { retryable: true })
    await job.connect()
    await job.run('position')
    await job.run('delivered', 600_000)
    expect((await job.run('sign-off')).state).toBe('pass')
    await job.jobs.seal(job.id)
    expect(job.jobs.show(job.id)).toMatchObject({
      state: 'installedAwaitingGateway',
      sealed: { fingerprint: fingerprintOf(key.publicKey) }
    })
    expect(types().at(-1)).toBe('sealed')

    job.gateway.isAway = null
    const finished = job.jobs.finishDeferred(new AbortController().signal)
    await job.pass(60_000)
    await finished
    expect(job.jobs.show(job.id).state).toBe('done')
    expect(types().filter((type) => type === 'sealed')).toHaveLength(2)
    const log = job.store.jobs.journal(job.id)
    expect(log.at(-1)?.type).toBe('sealed')
    expect(checkSeals(job.id, log)).toMatchObject({
      faults: [],
      kind: 'signed',
      open: 0,
      publicKey: key.publicKey,
      proved: log.length - 1
    })
    expect(job.jobs.show(job.id).seal).toBe(log.at(-1)?.hash)
  })

  it('holds no secret where a report cannot black it out: the reason of a skipped step is written without it', async () => {
    const key = makeSigner()
    const redactor = createRedactor()
    redactor.add('S3cret-word')
    job = openVirtualJob(steps.slice(1), undefined, {
      sign: key.sign,
      withoutSecrets: (entry) => withoutSecrets(entry, (text) => redactor.text(text))
    })
    job.answers = { signOff: { value: 'Technician One' } }
    await job.connect()
    await job.jobs.waive(job.id, 'delivered', 'The password S3cret-word did not work', 'Technician One')
    await job.run('sign-off')
    await job.jobs.seal(job.id)
    const entries = job.store.jobs.journal(job.id)
    expect(JSON.stringify(entries)).not.toContain('S3cret-word')
    expect(job.jobs.show(job.id).steps[0]?.waiver?.reason).toBe('The password [hidden] did not work')
    expect(redactLog(entries, (text) => redactor.text(text))).toMatchObject({ unproved: [], redactions: [] })
  })

  it('is sealed at its real end when something was written while the keychain took its time', async () => {
    const key = makeSigner()
    let open = (): void => undefined
    const opened = new Promise<void>((resolve) => (open = resolve))
    job = openVirtualJob(steps.slice(2), undefined, { sign: (text) => opened.then(() => key.sign(text)) })
    job.answers = { signOff: { value: 'Technician One' } }
    await job.connect()
    job.begin('sign-off')
    await job.pass(1_000)
    const before = job.jobs.show(job.id)
    expect(before).toMatchObject({ state: 'done' })
    expect(types()).not.toContain('sealed')
    await job.pass(30_000)
    open()
    await job.jobs.seal(job.id)
    const log = job.store.jobs.journal(job.id)
    expect(checkSeals(job.id, log)).toMatchObject({ faults: [], kind: 'signed', open: 0 })
    // The time of the last entry is the signed one, however long the keychain took.
    expect(log.at(-1)!.at).toBe((log.at(-1)!.data as { at: string }).at)
    expect(log[0]!.data).toMatchObject({ isTraining: false })
  })

  it('says that it is sealed by its hashes only where there is no keychain', async () => {
    job = openVirtualJob(steps.slice(2))
    job.answers = { signOff: { value: 'Technician One' } }
    await job.connect()
    await job.run('sign-off')
    await job.jobs.seal(job.id)
    expect(job.jobs.show(job.id).sealed).toEqual({ at: expect.any(String) as string, fingerprint: null })
    expect(checkSeals(job.id, job.store.jobs.journal(job.id)).kind).toBe('hashOnly')
  })

  it('is sealed after all by the next who relies on it when the process ended before', async () => {
    let isLocked = true
    const key = makeSigner()
    job = openVirtualJob(steps.slice(2), undefined, {
      sign: (text) => (isLocked ? Promise.reject(new Error('gone')) : key.sign(text)) as Promise<Signature>
    })
    job.answers = { signOff: { value: 'Technician One' } }
    await job.connect()
    await job.run('sign-off')
    await job.pass(100)
    expect(types()).not.toContain('sealed')
    expect(job.faults.length).toBeGreaterThan(0)
    isLocked = false
    job.restart()
    await job.jobs.seal(job.id)
    expect(types().at(-1)).toBe('sealed')
  })

  it('keeps the time of what was seen by all three clocks', async () => {
    job = openVirtualJob(steps, undefined, { clockDifferenceMs: () => 2_000 })
    await job.connect()
    await job.run('position')
    const { evidence } = job.jobs.show(job.id).steps[0]!
    const [seen] = evidence.filter(({ witness }) => witness === 'device').slice(-1)
    expect(Date.parse(seen!.clocks!.gateway!) - Date.parse(seen!.at)).toBe(2_000)
    expect(Math.abs(Date.parse(seen!.clocks!.device!) - Date.parse(seen!.at))).toBeLessThan(3_000)
  })
})
