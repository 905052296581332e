import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readFile } from '../../../../../main/job/jobs/handover/readFile.ts'
import { hashOfPayload } from '../../../../../main/gateway/waitingWork/handover/handedOver.ts'
import { sealEntry } from '../../../../../main/data/store/jobs/seal.ts'
import { message, plainMessage } from '../../../../../preload/contract/messages.ts'
import { openLaptop, type Laptop } from '../../../../world/team/laptop.ts'
import { nameSnapshot } from '../../../../world/data/bundles/namedSnapshot.ts'
import { tempFolder } from '../../../../world/tempFolder.ts'

type Line = Record<string, unknown> & {
  job?: Record<string, unknown>
  entry?: Record<string, unknown> & { data: Record<string, unknown> }
  operation?: Record<string, unknown>
  snapshot?: { job: string; text: string }
  end?: unknown
}

function laptop(): Laptop {
  const opened = openLaptop({ folder: tempFolder() })
  onTestFinished(() => opened.end())
  return opened
}

async function goodLines(): Promise<Line[]> {
  const from = laptop()
  const job = from.makeJob()
  from.operations.add({
    kind: 'scripted',
    key: 'vehicle:1',
    title: plainMessage('first'),
    payload: { name: 'first' },
    jobId: job,
    draft: false
  })
  nameSnapshot(from, job, 'jobStart')
  nameSnapshot(from, job, 'signOff')
  const file = path.join(tempFolder(), 'good')
  await from.transfers.give({ jobIds: [job], to: '', file }, new AbortController().signal)
  return fs
    .readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

/** A file with a right end, whatever stands in it: whoever changes a file can do that as well. */
function fileOf(lines: readonly (Line | string)[]): string {
  const body = lines
    .filter((line) => typeof line === 'string' || !('end' in line))
    .map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
  const file = path.join(tempFolder(), 'changed')
  const end = { lines: body.length, sha256: createHash('sha256').update(body.join('')).digest('hex') }
  fs.writeFileSync(file, `${body.join('')}${JSON.stringify({ end })}\n`)
  return file
}

/** The log with a seal before its end, in a chain that fits. */
function withSeal(
  lines: readonly Line[],
  seal: (before: string, seq: number) => Record<string, string | number | null>
): Line[] {
  const left = lines.find(({ entry }) => entry?.['type'] === 'movedAway')!.entry!
  const [seq, at] = [Number(left['seq']), String(left['at'])]
  const before = String(lines.find(({ entry }) => entry?.['seq'] === seq - 1)?.entry?.['hash'])
  const sealed = sealEntry(before, { seq, at, type: 'sealed', stepId: null, data: seal(before, seq) })
  const end = sealEntry(sealed.hash, {
    seq: seq + 1,
    at,
    type: 'movedAway',
    stepId: null,
    data: left.data as Record<string, string>
  })
  return lines.flatMap((line): Line[] => {
    if (line.entry === left) return [{ entry: sealed as never }, { entry: end as never }]
    return [line.job ? { job: { ...line.job, entries: seq + 1, head: end.hash } } : line]
  })
}
const hashOnly = { at: '2026-11-20T16:00:00.000Z', algorithm: 'hashOnly', publicKey: null, signature: null }

const changed: [string, (lines: Line[]) => (Line | string)[], string][] = [
  ['another version', ([head, ...rest]) => [{ ...head, version: 2 }, ...rest], 'transfer.newer'],
  [
    'a changed log',
    (lines) =>
      lines.map((line) =>
        line.entry?.['type'] === 'jobCreated'
          ? { entry: { ...line.entry, data: { ...line.entry.data, customer: 'Customer Two' } } }
          : line
      ),
    'transfer.forged'
  ],
  [
    'a log whose leaving was cut off',
    (lines) => lines.filter(({ entry }) => entry?.['type'] !== 'movedAway'),
    'transfer.forged'
  ],
  [
    'a log that was sealed anew by another',
    (lines) => {
      const left = lines.find(({ entry }) => entry?.['type'] === 'movedAway')?.entry
      const before = lines.find(({ entry }) => entry?.['seq'] === Number(left?.['seq']) - 1)?.entry
      const entry = sealEntry(String(before?.['hash']), {
        seq: Number(left?.['seq']),
        at: String(left?.['at']),
        type: 'movedAway',
        stepId: null,
        data: { id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', to: '', at: '' }
      })
      return lines.map((line) =>
        line.entry === left
          ? { entry: { ...entry } as never }
          : line.job
            ? { job: { ...line.job, head: entry.hash } }
            : line
      )
    },
    'transfer.forged'
  ],
  [
    'a seal of another log',
    (lines) => withSeal(lines, (_before, seq) => ({ ...hashOnly, head: '0'.repeat(64), entries: seq - 1 })),
    'transfer.forged'
  ],
  [
    'a seal that nobody signed with its key',
    (lines) =>
      withSeal(lines, (head, seq) => ({
        ...hashOnly,
        head,
        entries: seq - 1,
        algorithm: 'ECDSA-P256-SHA256',
        publicKey: 'AAAA',
        signature: 'AAAA'
      })),
    'transfer.forged'
  ],
  ...['constructor', '__proto__', 'toString', 'remoteOutput'].map(
    (kind): [string, (lines: Line[]) => Line[], string] => [
      `work of the kind ${kind}`,
      (lines) => lines.map((line) => (line.operation ? { operation: { ...line.operation, kind } } : line)),
      'transfer.broken'
    ]
  ),
  [
    'work of a kind that is sent at once and that nobody knows',
    (lines) =>
      lines.map((line) =>
        line.operation
          ? {
              operation: {
                ...line.operation,
                isLive: true,
                state: 'done',
                kind: 'anything',
                evidence: [{ at: '', what: 'seen', raw: null }]
              }
            }
          : line
      ),
    'transfer.broken'
  ],
  [
    'work that was sent at once and whose payload is none of its kind',
    (lines) =>
      lines.map((line) =>
        line.operation
          ? {
              operation: {
                ...line.operation,
                isLive: true,
                state: 'done',
                kind: 'navUnit.message',
                evidence: [{ at: '', what: 'seen', raw: null }]
              }
            }
          : line
      ),
    'transfer.broken'
  ],
  [
    'work whose payload is none of its kind',
    (lines) =>
      lines.map((line) =>
        line.operation ? { operation: { ...line.operation, payload: 7, payloadHash: hashOfPayload(7) } } : line
      ),
    'transfer.broken'
  ],
  [
    'work that is done without evidence',
    (lines) =>
      lines.map((line) => (line.operation ? { operation: { ...line.operation, state: 'done', evidence: [] } } : line)),
    'transfer.broken'
  ],
  [
    'work with another payload',
    (lines) =>
      lines.map((line) => (line.operation ? { operation: { ...line.operation, payload: { name: 'another' } } } : line)),
    'transfer.broken'
  ],
  [
    'work of a job that is not in it',
    (lines) =>
      lines.map((line) =>
        line.operation ? { operation: { ...line.operation, jobId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' } } : line
      ),
    'transfer.broken'
  ],
  [
    'work that needs what is not in it',
    (lines) =>
      lines.map((line) =>
        line.operation
          ? { operation: { ...line.operation, needs: [{ id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', part: '' }] } }
          : line
      ),
    'transfer.broken'
  ],
  [
    'a state that does not exist',
    (lines) => lines.map((line) => (line.operation ? { operation: { ...line.operation, state: 'sent' } } : line)),
    'transfer.broken'
  ],
  [
    'the same work twice',
    (lines) => lines.flatMap((line) => (line.operation ? [line, line] : [line])),
    'transfer.broken'
  ],
  [
    'a picture that no log names',
    (lines) => [
      ...lines,
      {
        attachment: {
          sha256: 'a'.repeat(64),
          mediaType: 'image/jpeg',
          sizeBytes: 0,
          keptAt: '',
          jobs: [lines.find(({ job }) => job)?.job?.['id']]
        }
      }
    ],
    'transfer.broken'
  ],
  [
    'a snapshot in which a byte was changed',
    (lines) =>
      lines.map((line) =>
        line.snapshot ? { snapshot: { ...line.snapshot, text: line.snapshot.text.replace('12600', '12700') } } : line
      ),
    'transfer.broken'
  ],
  [
    'a snapshot that is not there',
    (lines) => lines.filter((line) => line.snapshot?.text.includes('signOff') !== true),
    'transfer.broken'
  ],
  [
    'the same snapshot twice',
    ([head, ...rest]) => [
      { ...head, snapshots: 3 },
      ...rest.flatMap((line) => (line.snapshot?.text.includes('signOff') ? [line, line] : [line]))
    ],
    'transfer.broken'
  ],
  [
    'a snapshot of a job that is not in it',
    (lines) =>
      lines.map((line) =>
        line.snapshot ? { snapshot: { ...line.snapshot, job: '01ARZ3NDEKTSV4RRFFQ69G5FAV' } } : line
      ),
    'transfer.broken'
  ],
  [
    'a snapshot that is larger than any',
    (lines) =>
      lines.map((line) => (line.snapshot ? { snapshot: { ...line.snapshot, text: 'x'.repeat(1_000_001) } } : line)),
    'transfer.broken'
  ],
  [
    'more snapshots than a file may hold',
    ([head, ...rest]) => [{ ...head, snapshots: 4_001 }, ...rest],
    'transfer.broken'
  ],
  ['more snapshots than its head names', ([head, ...rest]) => [{ ...head, snapshots: 0 }, ...rest], 'transfer.broken'],
  ['an unknown line', (lines) => [...lines, { path: '../../etc/passwd' }], 'transfer.broken'],
  [
    'brackets without end',
    ([head, ...rest]) => [JSON.stringify(head), `${'['.repeat(100_000)}${']'.repeat(100_000)}`, ...rest],
    'transfer.broken'
  ],
  ['no JSON', () => ['this is no JSON'], 'transfer.notOurs'],
  ['another kind of JSON', () => [{ fitter: 'template' }], 'transfer.notOurs']
]

describe('A file of work that was handed over', () => {
  it('names work by what will be sent, whatever it calls it', async () => {
    const to = laptop()
    const payload = { name: 'another asset' }
    const file = fileOf(
      (await goodLines()).map((line) =>
        line.operation ? { operation: { ...line.operation, payload, payloadHash: hashOfPayload(payload) } } : line
      )
    )
    expect(await to.transfers.look(file)).toMatchObject({ operations: [{ title: plainMessage('another asset') }] })
    await to.transfers.take(file)
    expect(to.operations.list()).toMatchObject([{ title: plainMessage('another asset'), payload }])
  })

  it('names work that was sent at once by what was sent, whatever the file calls it', async () => {
    const to = laptop()
    const payload = { vehicleId: 7, type: 'inbox', text: 'Come back' }
    const live = {
      isLive: true,
      state: 'done',
      kind: 'navUnit.message',
      payload,
      payloadHash: hashOfPayload(payload),
      evidence: [{ at: '', what: 'seen', raw: null }]
    }
    await to.transfers.take(
      fileOf((await goodLines()).map((line) => (line.operation ? { operation: { ...line.operation, ...live } } : line)))
    )
    expect(to.operations.list()).toMatchObject([{ title: message('navUnit.message', { text: 'Come back' }), payload }])
  })

  it('is taken with a seal that fits its log', async () => {
    const to = laptop()
    const file = fileOf(withSeal(await goodLines(), (head, seq) => ({ ...hashOnly, head, entries: seq - 1 })))
    expect(await to.transfers.take(file)).toMatchObject({ outcome: 'taken' })
  })

  it.each(changed)('is refused with %s, and nothing of it is taken', async (_what, change, refusal) => {
    const to = laptop()
    const file = fileOf(change(await goodLines()))
    await expect(to.transfers.take(file)).rejects.toMatchObject({ code: 'INVALID_REQUEST', sentence: { id: refusal } })
    expect({ jobs: to.jobs.list({ limit: 1 }).jobs, work: to.operations.list() }).toEqual({ jobs: [], work: [] })
  })

  it('is refused when it was cut anywhere, or a byte of it was changed', async () => {
    const to = laptop()
    const whole = fs.readFileSync(fileOf(await goodLines()))
    const file = path.join(tempFolder(), 'damaged')
    for (let at = 1; at < whole.length - 1; at += Math.ceil(whole.length / 60)) {
      fs.writeFileSync(file, whole.subarray(0, at))
      await expect(to.transfers.take(file)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
      const flipped = Buffer.from(whole)
      flipped[at] = (flipped[at] ?? 0) ^ 1
      fs.writeFileSync(file, flipped)
      await expect(to.transfers.take(file)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    }
    expect(to.jobs.list({ limit: 1 }).jobs).toEqual([])
  })

  it.each<[string, Parameters<typeof nameSnapshot>[3], string]>([
    ['of another job', { jobId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }, 'transfer.broken'],
    ['of a form that is not known here', { version: 2 as 1 }, 'snapshots.newer']
  ])('is refused with a snapshot %s, also where the log names it', async (_what, more, refusal) => {
    const [from, to] = [laptop(), laptop()]
    const job = from.makeJob()
    nameSnapshot(from, job, 'signOff', more)
    const file = path.join(tempFolder(), 'named')
    await from.transfers.give({ jobIds: [job], to: '', file }, new AbortController().signal)
    for (const way of [to.transfers.look, to.transfers.take])
      await expect(way(file)).rejects.toMatchObject({ code: 'INVALID_REQUEST', sentence: { id: refusal } })
    expect(to.jobs.list({ limit: 1 }).jobs).toEqual([])
  })

  it('without an end is left as soon as it is longer than any of ours', async () => {
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) yield Buffer.alloc(1 << 20, '[')
    }
    await expect(readFile(endless())).rejects.toMatchObject({ sentence: { id: 'transfer.notOurs' } })
  })

  it('that its sender did not finish is nothing yet', async () => {
    const lines = await goodLines()
    const file = fileOf(lines)
    const whole = fs.readFileSync(file, 'utf8')
    const end = whole.trimEnd().split('\n').at(-1) ?? ''
    fs.writeFileSync(file, whole.replace(end, ' '.repeat(end.length)))
    await expect(laptop().transfers.take(file)).rejects.toMatchObject({ sentence: { id: 'transfer.notFinished' } })
  })
})
