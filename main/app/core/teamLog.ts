import { refuseTeamServer } from '../policy/policy.ts'
import { createOffice } from '../../team/admin/office.ts'
import { createAssignments } from '../../team/reading/assignments.ts'
import { createTeamBackground } from '../../team/background.ts'
import { createEarlier } from '../../team/reading/earlier.ts'
import { createHolding } from '../../team/holding/holding.ts'
import { createTeamCopy } from '../../team/reading/localCopy.ts'
import { createTeamNews } from '../../team/reading/news.ts'
import { createTeamReport } from '../../team/reading/report.ts'
import { createTakings } from '../../team/holding/takings.ts'
import { createTeam } from '../../team/team.ts'
import type { DeviceWork } from './deviceWork.ts'
import type { CoreOptions, Foundation } from './foundation.ts'
import type { GatewayWork } from './gatewayWork.ts'
import { transferFolder, type WorkFiles } from './workFiles.ts'

export interface TeamLogParts
  extends
    Pick<DeviceWork, 'jobs' | 'snapshots'>,
    Pick<GatewayWork, 'operations' | 'sendSoon'>,
    Pick<WorkFiles, 'transfers' | 'reportOfCopy'> {
  options: CoreOptions
}

/** How long a connection is kept after its last use. */
const idleMs = 10_000

export function buildTeamLog(
  { store, connectionRule, connections, events, templates }: Foundation,
  { options, jobs, snapshots, operations, transfers, reportOfCopy, sendSoon }: TeamLogParts
) {
  const { reportFault } = options
  /** A command pushes nothing automatically, and a read-only folder has nothing to push. */
  const isByItself = options.background === true && store.readOnly === null
  const refuseServer = (host: string): void => refuseTeamServer(connectionRule, host)
  const team = createTeam({
    store,
    secrets: connections.secrets,
    given: options.teamPassword,
    onSecret: (password) => connections.redactor.add(password),
    idleMs,
    refuseServer
  })
  const kept = createTeamCopy({
    team,
    kept: store.teamCopies,
    away: () => (news.live().state === 'away' ? news.live().why : null)
  })
  const assignments = createAssignments({ team, store, templates })
  const earlier = createEarlier({
    team,
    store,
    own: (search, limit) => jobs.list({ search, limit, isCounted: false }).jobs
  })
  const holding = createHolding({
    team,
    store,
    transfers,
    jobs,
    operations,
    snapshot: (jobId, sha256) => snapshots.named(jobId, sha256),
    folder: transferFolder(options.dataFolder),
    now: () => new Date(),
    told(pulled) {
      events.tell('team.pulled', pulled)
      // A command sends nothing that it was not asked to send.
      if (options.background) sendSoon()
    }
  })
  const background = createTeamBackground({
    team,
    holding,
    copies: [(signal) => assignments.renew(signal), (signal) => kept.refresh(signal)],
    changed: (work) => events.tell('team.changed', work),
    reportFault
  })
  const takings = createTakings({
    tell: (taking) => events.tell('team.taking', taking),
    // Others see the new holder soon.
    ended: () => background.soon(),
    reportFault
  })
  const news = createTeamNews({
    source: team,
    live: (live) => events.tell('team.live', live),
    news(told) {
      events.tell('team.news', told)
      if (isByItself) background.noticeArrivals()
    },
    reportFault
  })
  const stopListening = isByItself
    ? events.onEvent((name) => (isOfLogs(name) ? background.soon() : undefined))
    : undefined
  if (isByItself) background.renew()
  return {
    teamLog: {
      team,
      background,
      news,
      kept,
      assignments,
      earlier,
      holding,
      takings,
      report: createTeamReport({ team, make: reportOfCopy }),
      office: createOffice({ team, store, refuseServer, onSecret: (password) => connections.redactor.add(password) })
    },
    /** The server may be reachable again. */
    isBack(): void {
      if (isByItself) background.renew()
      news.renew()
    },
    /** From now on nothing starts automatically. */
    rest: () => stopListening?.(),
    async stop(): Promise<void> {
      await Promise.all([takings.stop(), background.stop(), news.stop()])
      await team.close()
    }
  }
}

export type TeamLog = ReturnType<typeof buildTeamLog>['teamLog']

function isOfLogs(event: string): boolean {
  return (
    (event.startsWith('jobs.') && event !== 'jobs.live' && event !== 'jobs.lines') || event === 'operations.changed'
  )
}
