import { createAccessoryHandlers } from '../job/accessories/handlers.ts'
import { createVisitHandlers } from '../support/diagnosis/visits.ts'
import {
  createDiagnosisHandlers,
  createToleranceHandlers,
  createSnapshotHandlers,
  createBundleHandlers
} from '../support/diagnosis/handlers.ts'
import { createCopyHandlers } from '../gateway/localCopy/copies.ts'
import { createDataHandlers, type PickDataPath } from '../data/backups/handlers.ts'
import { createCabHandlers, noCab, type BundleViewerCalls } from '../support/bundleViewer/handlers.ts'
import { createConnectionHandlers } from '../gateway/accounts/handlers.ts'
import { createInternetHandlers } from '../gateway/accounts/internetHandlers.ts'
import { readerOf } from '../../preload/base/messages/settings.ts'
import { createDiscoveryHandlers } from '../device/discovery/handlers.ts'
import { createEventHandlers } from '../gateway/events/handlers.ts'
import { createJobHandlers, createOrderHandlers, createTransferHandlers } from '../job/jobs/handlers.ts'
import { createKnowledgeHandlers } from '../support/knowledge/handlers.ts'
import { createReportHandlers } from '../job/reports/handlers.ts'
import { createTemplateHandlers } from '../job/jobs/checklists/handlers.ts'
import { createMapHandlers, type PickMapFile } from './maps/handlers.ts'
import { createReportFontHandlers, type PickFontFile } from '../job/reports/reportFontHandlers.ts'
import { createOperationHandlers } from '../gateway/waitingWork/handlers.ts'
import { createOutputHandlers } from '../job/outputs/handlers.ts'
import type { Incoming } from '../data/store/backups/copies.ts'
import { createTeamHandlers } from '../team/handlers.ts'
import { createHoldingHandlers } from '../team/holding/holdingHandlers.ts'
import type { Exercises } from '../job/training/exercises.ts'
import type { Training } from '../job/training/training.ts'
import { createTrainingHandlers } from '../job/training/handlers.ts'
import { createUpdateHandlers } from '../base/updates/updates.ts'
import { createVehicleHandlers } from '../gateway/vehicles/handlers.ts'
import { createDeviceProfileHandlers } from '../support/deviceSession/deviceProfiles/handlers.ts'
import { createWorkspaceHandlers } from '../support/deviceSession/handlers.ts'
import { badInput, refusal } from './frontEnd.ts'
import { createAppHandlers, type AppHandlerParts } from './handlers.ts'
import { recordAnswers } from '../support/bundleViewer/record.ts'
import type { Core } from './core.ts'
import { version } from './version.ts'
import type { Json } from '../../preload/contract/define.ts'
import { calls, type CallName, type Handlers } from '../../preload/contract/index.ts'
import { AppError, type CallResult } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'

export interface HandlerParts extends AppHandlerParts {
  training: Training | null
  exercises?: Exercises | null
  pickMapFile?: PickMapFile | undefined
  pickFontFile?: PickFontFile | undefined
  pickDataPath?: PickDataPath | undefined
  /** Receives support bundles from a window; missing for a front end without windows. */
  cab?: BundleViewerCalls | undefined
  /** Closes the workplace, replaces its data with a file, and opens it again. */
  takePlace(incoming: Incoming): Promise<void>
  reportFault(error: unknown): void
}

export function createHandlers(parts: HandlerParts): Handlers {
  const { core, training, exercises } = parts
  const { connections, jobs, operations, store } = core
  const handlers: Handlers = {
    ...createAppHandlers(parts),
    ...core.activity.handlers,
    ...createDiscoveryHandlers(connections.discovery, core.networks, core.memory),
    ...createConnectionHandlers({
      connections,
      accounts: core.accounts,
      findEntities: (input, signal) => core.vehicles.findEntities(input, signal)
    }),
    ...createBundleHandlers(core.bundles),
    ...createCopyHandlers(core.copies),
    ...createTeamHandlers(core.teamLog),
    ...createHoldingHandlers(core.teamLog),
    ...createInternetHandlers(core),
    ...createVehicleHandlers(core),
    ...createAccessoryHandlers(core.accessories),
    ...createSnapshotHandlers(core.snapshots),
    ...createEventHandlers(core.eventLogs),
    ...createJobHandlers({
      jobs,
      attachments: store.attachments,
      connections,
      technician: () => store.settings.get().technician,
      facets: (filter, signal) => store.jobFacets(filter, { signal }),
      prepared: core.teamLog.assignments
    }),
    ...createReportHandlers({ report: (wish) => core.report(wish), exports: core.exports, numbers: core.numbers }),
    ...createKnowledgeHandlers(),
    ...createOrderHandlers(jobs),
    ...createTemplateHandlers(core.templates, core.shipped.standardProfile),
    ...createDataHandlers({
      backups: core.backups,
      pick: parts.pickDataPath,
      takePlace: (incoming) => parts.takePlace(incoming)
    }),
    ...createMapHandlers(core.maps, parts.pickMapFile),
    ...createReportFontHandlers(core.reportFont, parts.pickFontFile),
    ...createOperationHandlers({
      operations,
      stories: core.stories,
      waiting: core.waiting,
      sync: (signal) => core.sync(signal)
    }),
    ...createOutputHandlers(core.outputs),
    ...createDiagnosisHandlers(core.diagnosis),
    ...createWorkspaceHandlers(core.workspaceDevices, { connections, compare: (key) => core.diagnosis.compare(key) }),
    ...createDeviceProfileHandlers(core.workspaceDevices.deviceProfiles),
    ...createToleranceHandlers(core.tolerances),
    ...createVisitHandlers({
      cases: store.diagnosisCases,
      gatewayUrl: () => store.settings.get().gatewayUrl,
      technician: () => store.settings.get().technician
    }),
    ...createTransferHandlers({ transfers: core.transfers, files: core.transferFiles }),
    ...createTrainingHandlers({
      training,
      exercises: exercises ?? null,
      async print(at) {
        // Loaded only here: nobody prints in the real workplace.
        const [{ drawTrainingResults }, { exerciseList }, { createTexts }] = await Promise.all([
          import('../job/reports/trainingResults.ts'),
          import('../job/training/exerciseList.ts'),
          import('../base/messages/texts.ts')
        ])
        const results = (exercises?.results() ?? []).filter((one) => at === undefined || one.at === at)
        return drawTrainingResults({
          results,
          list: exerciseList,
          company: core.policy.values['company.name'] ?? '',
          generatedAt: new Date().toISOString(),
          appVersion: version,
          reader: createTexts(readerOf(store.settings.get())).settings
        })
      }
    }),
    ...createUpdateHandlers(parts.updates),
    ...createCabHandlers(parts.cab ?? noCab)
  }
  // A support bundle contains the answers that a screen gets, so it asks like one.
  core.answerBundlesWith(
    async (subject, signal, told) =>
      (await recordAnswers(
        { ask: (call, input) => routeCall(handlers, call, input, parts.reportFault), subject, asking: told },
        signal
      )) as unknown as Json[]
  )
  return handlers
}

/** The calls for a command, without those that need a window. */
export function createTerminalHandlers(
  core: Core,
  { dataFolder, reportFault }: Pick<HandlerParts, 'dataFolder' | 'reportFault'>
): Handlers {
  const inWindow = (): Promise<never> => Promise.reject(new AppError('INVALID_REQUEST', message('app.onlyInWindow')))
  return createHandlers({
    core,
    dataFolder,
    reportFault,
    training: null,
    frontEnd: 'terminal',
    version,
    workplace: 'real',
    enter: inWindow,
    openPage: inWindow,
    takePlace: inWindow
  })
}

const callLimitMs = 60_000

/**
 * The only way into the core: unknown names and invalid inputs are refused first, outputs are checked, and only data
 * crosses.
 */
export async function routeCall(
  handlers: Handlers,
  name: string,
  input: unknown,
  reportFault: (error: unknown) => void
): Promise<CallResult<unknown>> {
  if (!Object.hasOwn(calls, name)) return refusal(message('app.noSuchCall', { name: name.slice(0, 60) }))
  const callName = name as CallName
  const definition = calls[callName]
  const parsed = definition.input.safeParse(input ?? {})
  if (!parsed.success) return badInput(callName, parsed.error)
  try {
    const handler = handlers[callName] as (input: unknown, signal: AbortSignal) => unknown
    const value = await handler(parsed.data, AbortSignal.timeout(callLimitMs))
    return { ok: true, value: definition.output.parse(value === undefined ? {} : value) }
  } catch (error) {
    if (error instanceof AppError && error.code !== 'INTERNAL') return { ok: false, error: error.toData() }
    reportFault(error)
    return { ok: false, error: { code: 'INTERNAL', message: message('app.fault'), retryable: false } }
  }
}
