import type { HandlersOf } from '../../preload/contract/index.ts'
import type { Operations } from './engine.ts'
import { lineOf } from './states.ts'

export interface OperationHandlerParts {
  operations: Operations
  sync(signal: AbortSignal): ReturnType<Operations['pass']>
}

/** The calls of gateway work that waits. */
export function createOperationHandlers({ operations, sync }: OperationHandlerParts): HandlersOf<'operations'> {
  return {
    'operations.list': (page) => operations.page(page),
    'operations.ofJob': ({ jobId }) => ({ operations: operations.ofJob(jobId).map(lineOf) }),
    'operations.show': ({ id }) => operations.show(id),
    'operations.sync': (_input, signal) => sync(signal),
    'operations.retry': ({ id, reason }) => {
      operations.retry(id, reason)
      return {}
    },
    'operations.drop': ({ id, reason }) => {
      operations.drop(id, reason)
      return {}
    },
    'operations.close': ({ id, reason }) => {
      operations.close(id, reason)
      return {}
    },
    'operations.choose': ({ id, entityId }) => {
      operations.choose(id, entityId)
      return {}
    }
  }
}
