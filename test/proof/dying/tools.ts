import { createGatewayClient } from '../../../main/gateway/client/client.ts'
import { createJobLogs, type JobLogs } from '../../../main/job/jobs/record/jobLogs.ts'
import { createSealing } from '../../../main/job/jobs/record/sealing.ts'
import { createOperations, type Operations } from '../../../main/gateway/waitingWork/engine.ts'
import { movesByItself } from '../../../main/gateway/waitingWork/transitions.ts'
import { openStore, type Store } from '../../../main/data/store/index.ts'
import { makeSigner } from '../../world/data/sealedJob.ts'
import { realKinds } from '../../world/gateway/operations/queuedKinds.ts'

export interface GatewayAccess {
  url: string
  user: string
  password: string
  /** How often each process does everything. */
  rounds: number
  /** What the operations are about. */
  vehicle: { id: number; name: string }
}

/** The real store, logs and engine over one folder, before a gateway that is asked over real HTTP. */
export interface Tools {
  folder: string
  store: Store
  logs: JobLogs
  sealing: ReturnType<typeof createSealing>
  operations: Operations
  gateway: GatewayAccess
  close(): Promise<void>
}

const waits = { graceMs: 40, cacheLagMs: 1, lookEveryMs: 5 }

export function openTools(folder: string, gateway: GatewayAccess): Tools {
  const store = openStore(folder)
  const now = () => new Date()
  const reportFault = () => undefined
  const logs = createJobLogs({
    log: store.jobs,
    operations: { ofJob: () => [] },
    events: { tell: () => undefined },
    now,
    worked: () => undefined,
    isActive: () => true
  })
  const sealing = createSealing({
    logs,
    journal: (id) => store.jobs.journal(id),
    sign: makeSigner().sign,
    now,
    reportFault
  })
  const client = createGatewayClient({
    url: gateway.url,
    credentials: () => Promise.resolve({ user: gateway.user, password: gateway.password }),
    timeoutMs: 2_000
  })
  const operations = createOperations({
    rows: store.operations,
    kinds: realKinds(() => Promise.resolve(client)),
    clockDifferenceMs: () => (client.clockDifferenceS() ?? 0) * 1000,
    ...waits,
    changed: () => undefined,
    reportFault
  })
  return {
    folder,
    store,
    logs,
    sealing,
    operations,
    gateway,
    async close() {
      await operations.stop()
      await sealing.idle()
      client.close()
      store.close()
    }
  }
}

/** Passes until nothing moves without a person. */
export async function untilRest({ operations, store }: Tools): Promise<void> {
  const untilMs = performance.now() + 20_000
  while (store.operations.unfinished().some(({ state }) => movesByItself(state))) {
    if (performance.now() > untilMs)
      throw new Error(
        `Not at rest: ${store.operations
          .unfinished()
          .map(({ kind, state, reason }) => `${kind} ${state} (${reason.id})`)
          .join(', ')}`
      )
    await operations.pass(new AbortController().signal)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
