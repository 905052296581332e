import type { SystemPage, Workplace } from '../../preload/contract/app/app.ts'
import type { ShownBundle } from '../../preload/contract/support/openedBundle.ts'
import type { HandlersOf, CallOutput, CallParsed } from '../../preload/contract/index.ts'
import { changeSettings } from './changeSettings.ts'
import type { Core } from './core.ts'
import { readPolicyText, showPolicy } from './policy/policy.ts'
import type { Updates } from '../base/updates/updates.ts'
import { sayLedger } from '../job/outputs/sayLedger.ts'
import { dayOfWork } from './dayOfWork.ts'
import { quicklyChecked, runDoctor } from './doctor.ts'

export interface AppHandlerParts {
  core: Core
  frontEnd: 'desktop' | 'browser' | 'terminal'
  version: string
  workplace: Workplace
  /** What a window shows instead of the workplace. */
  bundle?: ShownBundle | undefined
  dataFolder: string
  enter(workplace: Workplace): Promise<void>
  openPage(page: 'documentation' | 'licences'): Promise<void>
  /** Missing for commands and opened support bundles. */
  updates?: Updates | undefined
  /** Only the desktop window has them. */
  desktopFiles?: DesktopFiles | undefined
}

export interface DesktopFiles {
  /** Shows the file that was saved last; false when none was. */
  showDownload(): boolean
  writeMail(mail: { subject: string; text: string }): Promise<void>
  /** Whether this system has settings pages that can be opened. */
  canOpenSystem: boolean
  /** Opens a page of the system's settings; false when there is none. */
  openSystemPage(page: SystemPage): Promise<boolean>
}

export function createAppHandlers({
  core,
  ...context
}: AppHandlerParts): HandlersOf<'app' | 'day' | 'find' | 'losses' | 'policy' | 'settings'> {
  const { store } = core
  return {
    'app.info': async () => ({
      version: context.version,
      ...(context.bundle
        ? {}
        : {
            runtime: process.versions['electron']
              ? `Electron ${process.versions['electron']}`
              : `Node.js ${process.versions.node}`
          }),
      frontEnd: context.frontEnd,
      workplace: context.workplace,
      dataFolder: context.dataFolder,
      readOnly: store.readOnly,
      bundle: context.bundle ?? null,
      notices: await core.notices()
    }),
    // The workplace is open here; main/app/workplace.ts answers before.
    'app.opening': () => ({ state: 'open' }),
    'app.openAgain': () => ({ state: 'open' }),
    'app.enter': ({ workplace }) => context.enter(workplace),
    'app.selfTest': async ({ parts }) => ({
      findings: await runDoctor(core.connections, {
        parts,
        dataFolder: context.dataFolder,
        isTraining: context.workplace === 'training',
        canOpenSystem: context.desktopFiles?.canOpenSystem ?? false,
        checkData: () => store.check({ newest: quicklyChecked }),
        mayBeOn: () => sayLedger(core.outputs.ledger()),
        disk: store.disk,
        team: () => core.teamLog.background.work(),
        updates: context.updates?.state()
      })
    }),
    'app.settingOrigins': () => core.settingOrigins(),
    'app.openSystemPage': async ({ page }) => ({ opened: (await context.desktopFiles?.openSystemPage(page)) ?? false }),
    'app.openPage': ({ page }) => context.openPage(page),
    'app.showDownload': () => ({ shown: context.desktopFiles?.showDownload() ?? false }),
    'app.writeMail': async (mail) => {
      await context.desktopFiles?.writeMail(mail)
      return { opened: context.desktopFiles !== undefined }
    },
    'losses.list': () => ({ losses: store.lossRecords(), putAside: store.putAside() }),
    'losses.acknowledge': async ({ key }) => {
      store.acknowledgeLoss(key, store.settings.get().technician)
      core.events.tell('app.notices', { notices: await core.notices() })
    },
    'day.work': (input) => dayOfWork(core, input),
    'find.kept': (input) => findKept(core, input),
    'settings.get': () => store.settings.get(),
    'settings.change': (change) => {
      const settings = changeSettings(store.settings, change)
      core.events.tell('settings.changed', settings)
      return settings
    },
    'policy.get': () => showPolicy(core.policy),
    'policy.text': () => ({ text: readPolicyText(core.policy.file) }),
    'settings.profiles': () => ({
      inUse: core.profileInUse(),
      profiles: [...core.shipped.profiles.values()].map(({ id, name, version }) => ({ id, name, version }))
    })
  }
}

export async function findKept(
  { jobs, vehicles, store }: Pick<Core, 'jobs' | 'vehicles' | 'store'>,
  { text, limit }: CallParsed<'find.kept'>
): Promise<CallOutput<'find.kept'>> {
  const page = jobs.list({ search: text, limit })
  // An exact number, or a plate in one piece, comes before partial matches.
  const hasShortNumber = /(?<![\p{L}\p{N}])\d{1,2}(?![\p{L}\p{N}])/u.test(text)
  const best = jobs.list({ search: hasShortNumber ? text : text.replace(/[^\p{L}\p{N}]+/gu, ''), limit, isExact: true })
  const found = new Map([best, page].flatMap((one) => one.jobs.map((job) => [job.id, job] as const)))
  const [kept, copy] = await Promise.all([vehicles.copy.find(text, limit), vehicles.copy.status()])
  return {
    jobs: {
      found: [...found.values()].slice(0, limit),
      n: page.total,
      isMore: page.isMore,
      total: Object.values(page.counts).reduce((sum, n) => sum + n, 0),
      isSimilar: page.isSimilar
    },
    vehicles: {
      found: kept.records,
      states: kept.states,
      isMore: kept.more,
      total: copy.count,
      copiedAt: copy.copiedAt,
      instead: kept.instead
    },
    devices: store.knownDevices.search(text, limit)
  }
}
