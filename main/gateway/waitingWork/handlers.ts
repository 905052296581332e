import type { HandlersOf } from '../../../preload/contract/index.ts'
import type { Operations } from './engine.ts'
import { lineOf } from './transitions.ts'
import type { Stories } from './stories/stories.ts'
import type { Waiting } from './stories/waiting.ts'

export interface OperationHandlerParts {
  operations: Operations
  stories: Stories
  waiting: Waiting
  sync(signal: AbortSignal): ReturnType<Operations['pass']>
}

export function createOperationHandlers({
  operations,
  stories,
  waiting,
  sync
}: OperationHandlerParts): HandlersOf<'operations'> {
  return {
    'operations.list': (page) => operations.page(page),
    'operations.ofJob': ({ jobId }) => ({ operations: operations.ofJob(jobId).map(lineOf) }),
    'operations.show': ({ id }) => operations.show(id),
    'operations.sync': (_input, signal) => sync(signal),
    'operations.stories': async ({ id, jobId, ...place }) => {
      const page =
        id !== null ? await stories.one(id) : jobId !== null ? await stories.ofJob(jobId) : await stories.page(place)
      return { ...page, counts: operations.counts(), paused: waiting.paused() }
    },
    'operations.paused': () => ({ paused: waiting.paused(), counts: operations.counts() }),
    'operations.pause': ({ id }) => waiting.pause(id),
    'operations.resume': ({ id }) => waiting.resume(id),
    'operations.tryNow': ({ id }, signal) => waiting.tryNow(id, signal),
    'operations.retry': ({ id, reason }) => operations.retry(id, reason),
    'operations.drop': ({ id, reason }) => operations.drop(id, reason),
    'operations.close': ({ id, reason }) => operations.close(id, reason),
    'operations.choose': ({ id, entityId }) => operations.choose(id, entityId)
  }
}
