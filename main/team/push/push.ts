import type { ClientBase } from 'pg'
import { message } from '../../../preload/contract/messages.ts'
import type { AttachmentFacts, AttachmentStore } from '../../data/store/jobs/attachments.ts'
import type { TeamAcknowledgedStore } from '../../data/store/team/teamAcknowledged.ts'
import { keepChecklist } from './checklists.ts'
import { isLocked, isOutOfTime, refusalOf } from '../server/failures.ts'
import { sendParts, partOf, type SendOutcome, type PushStore, type Part } from './sendParts.ts'
import { giveAgainWhatIsLost } from './giveAgain.ts'
import { keepRest } from '../holding/forkCopies.ts'
import { createPace, type CallSize } from './pace.ts'
import { pushPictures } from './pushPictures.ts'
import { takeOverAgain } from '../holding/takeOverAgain.ts'

export interface PushParts {
  store: { teamAcknowledged: TeamAcknowledgedStore; attachments: AttachmentStore } & PushStore
  signal: AbortSignal
  /** Called after each call. */
  progress?: ((far: PushResult) => void) | undefined
}

export interface PushResult {
  jobs: number
  entries: number
  pictures: number
  /** Jobs that do not continue automatically. */
  stopped: number
}

const lookedUpAtOnce = 400
/** With more failures than this, the problem is not a single job. */
const mostLocked = 3
const ofOneJob = { entries: 500, bytes: 4_000_000 }

/**
 * Sends the team log what it lacks, many jobs in one call, each in order. Jobs that change during the push come first,
 * then the newest. Acknowledgements are stored after each call; a lost one is requested and given again. One call after
 * the other over one connection.
 */
export async function push(client: ClientBase, { store, signal, progress }: PushParts): Promise<PushResult> {
  const { teamPush } = store
  const result: PushResult = { jobs: 0, entries: 0, pictures: 0, stopped: 0 }
  const written = new Set<string>()
  const pace = createPace()
  await giveAgainWhatIsLost(client, store)
  teamPush.tryHeldAgain()
  let queue: string[] = []
  let last: string | undefined
  let isAtEnd = false
  /** The changed jobs of the last call. */
  let overtaking: string[] = []
  /** Jobs that someone keeps locked: they wait for the next push, as reported at the end of this one. */
  const locked = new Map<string, unknown>()
  for (;;) {
    signal.throwIfAborted()
    // Colleagues see today's job within a second while years of old ones are uploaded; alternating, so that the old
    // ones progress.
    const atHand =
      overtaking.length > 0
        ? []
        : teamPush.takeAddedTo().filter((jobId) => teamPush.isWaiting(jobId) && !locked.has(jobId))
    if (queue.length < pace.size().jobs && !isAtEnd) {
      // Continues from its position: acknowledged jobs are not read a thousand times.
      const page = teamPush.waiting(lookedUpAtOnce, last)
      const next = page.filter((jobId) => !locked.has(jobId))
      isAtEnd = page.length < lookedUpAtOnce
      if (next.length + queue.length + atHand.length === 0 && last === undefined && isAtEnd)
        return endOf(result, locked)
      last = isAtEnd ? undefined : page.at(-1)
      queue.push(...next)
    }
    queue = [...new Set([...atHand, ...queue])]
    if (queue.length === 0) {
      // What was added in front of it in the meantime.
      isAtEnd = false
      continue
    }
    // A job that changes during each call is never done: it gives way to the others like one that is.
    const others = queue.filter((jobId) => !overtaking.includes(jobId))
    overtaking = atHand
    const { parts, pictures, ended } = collect(
      store,
      [atHand, others, queue].find(({ length }) => length > 0) ?? [],
      pace.size()
    )
    result.stopped += ended.filter((jobId) => stopUnreadable(store, jobId)).length
    const done = new Set(ended)
    if (parts.length > 0) {
      for (const { from, entries } of parts) if (from.seq === 0) await keepChecklist(client, entries[0], written)
      result.pictures += await pushPictures(client, store.attachments, pictures, signal)
      const answers = await giveInTime(parts)
      if (answers === 'less') continue
      if (answers === 'tooMuch') {
        teamPush.stop(parts[0]?.jobId ?? '', message('teamPush.tooMuch'))
        result.stopped += 1
        queue = queue.filter((jobId) => jobId !== parts[0]?.jobId)
        continue
      }
      for (const [index, part] of parts.entries()) {
        const { entries, outcome } = await finish(client, store, part, answers[index] ?? 'again', signal)
        result.entries += entries
        if (outcome === 'more') continue
        done.add(part.jobId)
        result[outcome === 'given' ? 'jobs' : 'stopped'] += 1
      }
      progress?.({ ...result })
    }
    queue = queue.filter((jobId) => !done.has(jobId))
  }

  /** One call; smaller the next time if the server had no time or space for it. */
  async function giveInTime(parts: readonly Part[]): Promise<SendOutcome[] | 'less' | 'tooMuch'> {
    const startedMs = performance.now()
    try {
      const answers = await sendParts(client, store, parts, new Date().toISOString())
      pace.took(performance.now() - startedMs)
      return answers
    } catch (error) {
      const isTooMuch = refusalOf(error) === 'tooMuch'
      if ((isTooMuch || isOutOfTime(error)) && pace.less()) return 'less'
      // The smallest call carries one job.
      const [only] = parts
      if (only && isLocked(error) && locked.size < mostLocked) {
        locked.set(only.jobId, error)
        queue = queue.filter((jobId) => jobId !== only.jobId)
        return 'less'
      }
      // A single entry larger than a call.
      if (isTooMuch) return 'tooMuch'
      throw error
    }
  }
}

/** @throws what prevented a job from being sent, after all others are sent. */
function endOf(result: PushResult, locked: ReadonlyMap<string, unknown>): PushResult {
  for (const error of locked.values()) throw error
  return result
}

/** Sends the team log what it lacks of these jobs only. */
export async function pushJobs(
  client: ClientBase,
  { store, signal }: PushParts,
  jobIds: readonly string[]
): Promise<void> {
  for (const jobId of jobIds) {
    await pushPictures(client, store.attachments, store.attachments.ofJob(jobId), signal)
    await pushWhole(client, store, jobId, signal)
  }
}

/** The parts of these jobs in one call, in order. `ended`: nothing of it waits. */
function collect(
  store: PushParts['store'],
  jobIds: readonly string[],
  size: CallSize
): { parts: Part[]; pictures: AttachmentFacts[]; ended: string[] } {
  const parts: Part[] = []
  const pictures: AttachmentFacts[] = []
  const ended: string[] = []
  const room = { entries: size.entries, bytes: size.bytes }
  for (const jobId of jobIds) {
    if (parts.length >= size.jobs || room.entries <= 0 || room.bytes <= 0) break
    const part = partOf(store, jobId, size)
    if (!part) {
      ended.push(jobId)
      continue
    }
    const own = store.attachments.ofJob(jobId)
    const bytes = own.reduce((sum, { sizeBytes }) => sum + sizeBytes, part.bytes)
    if (parts.length > 0 && (part.entries.length > room.entries || bytes > room.bytes)) break
    parts.push(part)
    pictures.push(...own)
    room.entries -= part.entries.length
    room.bytes -= bytes
  }
  return { parts, pictures, ended }
}

/**
 * It still waits but has nothing to send, because its recorded end differs from its log. Returns whether that was so.
 */
function stopUnreadable({ teamPush }: PushStore, jobId: string): boolean {
  if (!teamPush.isWaiting(jobId)) return false
  teamPush.stop(jobId, message('team.logDamaged'))
  return true
}

/** Completes a part that the server did not simply accept. `more`: it was accepted, and more of the job waits. */
async function finish(
  client: ClientBase,
  store: PushParts['store'],
  part: Part,
  given: SendOutcome,
  signal: AbortSignal
): Promise<{ entries: number; outcome: 'given' | 'stopped' | 'more' }> {
  const { jobId, last, isNew } = part
  const entries = isNew ? part.entries.length : 0
  switch (given) {
    case 'given':
      return {
        entries,
        outcome: store.teamPush.entriesAfter(jobId, last.seq, { entries: 1, bytes: 1 }).length > 0 ? 'more' : 'given'
      }
    case 'stopped':
      await keepRest(client, store.teamPush, jobId, last)
      return { entries: 0, outcome: 'stopped' }
    case 'held':
      return { entries: 0, outcome: 'stopped' }
    case 'heldByOther':
      if (!(await takeOverAgain(client, store, jobId))) {
        store.teamPush.hold(jobId, message('team.heldByOther'))
        return { entries: 0, outcome: 'stopped' }
      }
      return pushWhole(client, store, jobId, signal)
    case 'again':
      return pushWhole(client, store, jobId, signal)
  }
}

/** Sends one job until nothing of it waits. */
async function pushWhole(
  client: ClientBase,
  store: PushParts['store'],
  jobId: string,
  signal: AbortSignal
): Promise<{ entries: number; outcome: 'given' | 'stopped' }> {
  let sent = 0
  for (;;) {
    signal.throwIfAborted()
    const part = partOf(store, jobId, ofOneJob)
    if (!part) return { entries: sent, outcome: 'given' }
    const [given = 'again'] = await sendParts(client, store, [part])
    const { entries, outcome } = await finish(client, store, part, given, signal)
    sent += entries
    if (outcome === 'stopped') return { entries: sent, outcome }
    if (given !== 'given') return { entries: sent, outcome: 'given' }
  }
}
