import { message } from '../../../preload/contract/messages.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../exitCodes.ts'
import { required } from '../inputs.ts'
import { usageError } from '../usage.ts'

export const runOperations: Command = async (context, [verb, id], values) => {
  const { operations } = await context.core()
  if (verb === 'list' || verb === undefined) {
    const list = operations.list().map((row) => {
      const { id: rowId, kind, key, state, attempts, createdAt, reason, title, jobId } = row
      return { id: rowId, kind, key, state, attempts, createdAt, reason, title, jobId }
    })
    const { text } = context.terminal
    const plain = list.map((row) => `${row.id}  ${row.state}  ${text(row.title)}  ${text(row.reason)}`).join('\n') || text(message('terminal.nothingWaits'))
    context.terminal.result(list, plain)
    return exitCodes.done
  }
  if (verb !== 'retry' && verb !== 'drop' && verb !== 'close') throw usageError(message('terminal.takes', { what: 'operations', choices: 'list, retry, drop, close' }))
  const reason = required(values.reason, '--reason')
  operations[verb](required(id, message('terminal.theId')), reason)
  const row = operations.get(required(id, message('terminal.theId')))
  context.terminal.result({ id, state: row?.state }, `${id}: ${row?.state}`)
  return exitCodes.done
}

/** Without --once it goes on until nothing moves without a person any more. */
export const runSync: Command = async (context, _rest, values) => {
  const core = await context.core()
  const limit = context.common.timeoutMs === undefined ? context.signal : AbortSignal.any([context.signal, AbortSignal.timeout(context.common.timeoutMs)])
  if (core.operations.counts().waiting > 0 || core.jobs.hasDeferred()) {
    // Said at once when there is no gateway, or no one is signed in: then nothing can move.
    await (await core.connections.gateway.client()).user.own({}, { signal: limit })
  }
  const result = await core.sync(limit, values.once ? 'once' : 'settle')
  context.terminal.result(result, message('terminal.syncDone', { done: result.done, waiting: result.waiting, needsAttention: result.needsAttention, failed: result.failed }))
  if (result.needsAttention + result.failed > 0) return exitCodes.attention
  return result.waiting > 0 && !values.once && (await core.connections.gateway.status()).state === 'unreachable' ? exitCodes.notReachable : exitCodes.done
}
