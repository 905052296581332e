import { message } from '../../../preload/contract/messages.ts'
import type { Core } from '../../app/core.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { requireInput } from '../input/inputs.ts'
import { usageError } from '../output/usage.ts'

type Waiting = Core['waiting']

export const runOperations: Command = async (context, [verb, id], values) => {
  const { operations, stories, waiting } = await context.core()
  if (verb === 'list' || verb === undefined) {
    const waits = await stories.waits()
    const list = operations.list().map((row) => {
      const { id: rowId, kind, key, state, attempts, createdAt, reason, title, jobId, paused } = row
      const next = waits.get(rowId)
      // The terminal sends nothing automatically: the next move waits for a sync, and has no time.
      return {
        id: rowId,
        kind,
        key,
        state,
        attempts,
        createdAt,
        reason,
        title,
        jobId,
        waitsFor: next?.cause ?? null,
        nextAt: null,
        paused
      }
    })
    const { text } = context.terminal
    const plain =
      list.map((row) => `${row.id}  ${row.state}  ${text(row.title)}  ${text(row.reason)}`).join('\n') ||
      text(message('terminal.nothingWaits'))
    sayPause(context, waiting)
    context.terminal.result(list, plain)
    return exitCodes.done
  }
  if (verb === 'pause' || verb === 'resume') {
    waiting[verb](id ?? null)
    const paused = waiting.paused()
    context.terminal.result(
      { id: id ?? null, paused: id === undefined ? paused : (operations.get(id)?.paused ?? null) },
      message(verb === 'pause' ? 'terminal.paused' : 'terminal.resumed')
    )
    return exitCodes.done
  }
  if (verb !== 'retry' && verb !== 'drop' && verb !== 'close')
    throw usageError(
      message('terminal.takes', { what: 'operations', choices: 'list, retry, drop, close, pause, resume' })
    )
  const reason = requireInput(values.reason, '--reason')
  operations[verb](requireInput(id, message('terminal.theId')), reason)
  const row = operations.get(requireInput(id, message('terminal.theId')))
  context.terminal.result({ id, state: row?.state }, `${id}: ${row?.state}`)
  return exitCodes.done
}

function sayPause({ terminal }: Parameters<Command>[0], waiting: Waiting): void {
  const sentence = waiting.sentence()
  if (sentence) terminal.say(message('terminal.pausedWork', { sentence }))
}

/** Without --once it continues until nothing moves without a person. */
export const runSync: Command = async (context, _rest, values) => {
  const core = await context.core()
  const limit =
    context.common.timeoutMs === undefined
      ? context.signal
      : AbortSignal.any([context.signal, AbortSignal.timeout(context.common.timeoutMs)])
  const paused = core.waiting.paused()
  if (paused ? core.operations.hasWork() : core.operations.counts().waiting > 0 || core.jobs.hasDeferred()) {
    // Reported at once when there is no gateway or nobody is signed in, because nothing can move then.
    await (await core.connections.gateway.client()).user.own({}, { signal: limit })
  }
  sayPause(context, core.waiting)
  const counts = await core.sync(limit, values.once ? 'once' : 'settle')
  const result = paused ? { ...counts, paused } : counts
  context.terminal.result(
    result,
    message('terminal.syncDone', {
      done: result.done,
      waiting: result.waiting,
      needsAttention: result.needsAttention,
      failed: result.failed
    })
  )
  if (result.needsAttention + result.failed > 0) return exitCodes.attention
  if (result.waiting > 0 && !values.once && (await core.connections.gateway.status()).state === 'unreachable')
    return exitCodes.notReachable
  const unsent = paused
    ? 0
    : core.operations
        .list()
        .filter(
          ({ state, attempts, paused: alone }) =>
            (state === 'pending' || state === 'unknown') && attempts === 0 && alone === null
        ).length
  if (unsent > 0) context.terminal.say(message('terminal.syncUnsent', { n: unsent }))
  return unsent > 0 ? exitCodes.attention : exitCodes.done
}
