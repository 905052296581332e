import type { OperationsPort } from '../../job/jobs/engine/ports.ts'
import type { Operations } from '../../gateway/waitingWork/engine.ts'
import { counterKey, setGlobalKind, setGlobalTitle } from '../../gateway/waitingWork/kinds/counters.ts'
import { linkKey, linkKind, linkTitle } from '../../gateway/waitingWork/kinds/entitiesLink.ts'
import { ibuttonKey, ibuttonsCreateKind, ibuttonTitle } from '../../gateway/waitingWork/kinds/ibuttonsCreate.ts'

/** The gateway work that checklist steps may add and read. */
export function operationsPort(operations: Operations): OperationsPort {
  return {
    addLink({ jobId, ...payload }) {
      const { primary, secondary, copied = [] } = payload
      const draft = primary.id === null || secondary.id === null || copied.length > 0
      return operations.add({ kind: linkKind, key: linkKey(primary), title: linkTitle(payload), payload, jobId, draft })
    },
    addKey({ jobId, ...payload }) {
      return operations.add({
        kind: ibuttonsCreateKind,
        key: ibuttonKey(payload.id),
        title: ibuttonTitle(payload),
        payload,
        jobId,
        draft: payload.assetId === null || (payload.copied ?? []).length > 0
      })
    },
    addCounter({ jobId, ...payload }) {
      return operations.add({
        kind: setGlobalKind,
        key: counterKey(payload),
        title: setGlobalTitle(payload),
        payload,
        jobId,
        draft: payload.vid === null || (payload.copied ?? []).length > 0
      })
    },
    sendNow: (work) => operations.sendNow(work),
    endLive: (id, end) => operations.endLive(id, end),
    ofJob: (jobId) => operations.ofJob(jobId),
    settled: (id, signal) => operations.settled(id, signal)
  }
}
