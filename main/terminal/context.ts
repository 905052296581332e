import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '../../preload/contract/errors.ts'
import { message, type Message } from '../../preload/contract/messages.ts'
import type { Core } from '../app/core.ts'
import { findDataFolder } from '../app/dataFolder.ts'
import { listLanguages } from '../base/messages/catalogue.ts'
import { readerOf, type ReaderSettings } from '../../preload/base/messages/settings.ts'
import { isInsecure } from '../gateway/client/transport/address.ts'
import type { Connections } from '../gateway/accounts/connections.ts'
import type { KeptInternet } from '../gateway/accounts/internet.ts'
import type { Policy } from '../app/policy/policy.ts'
import { policyPath } from '../app/policy/policyPath.ts'
import { databaseFileName } from '../data/store/file/fileNames.ts'
import type { openStore } from '../data/store/index.ts'
import { sayLedger } from '../job/outputs/sayLedger.ts'
import type { LedgerRow } from '../data/store/work/outputLedger.ts'
import { givenCredentials, takeTeamPassword } from './input/environmentCredentials.ts'
import type { Terminal } from './output/terminal.ts'

export interface CommonOptions {
  json: boolean
  quiet: boolean
  /** The language of everything that the terminal prints; by default the system's. */
  language: string | undefined
  dataFolder: string
  gatewayUrl: string | undefined
  timeoutMs: number | undefined
}

/** The environment of a command. The data folder is opened only by commands that need it. */
export type CommandContext = ReturnType<typeof createContext>

export function createContext(
  common: CommonOptions,
  terminal: Terminal,
  ending: AbortController,
  onReach: (connections: Connections) => void
) {
  let fault: unknown
  let connections: Connections | undefined
  let core: Core | undefined
  let policy: Policy | undefined
  let settings:
    | (KeptInternet & { gatewayUrl: string; gatewayUser: string; deviceModels: string[]; gatewayCalls: number | null })
    | undefined

  /**
   * The company's policy; undefined without one. Read once, and only when there is a file: the schemas of a policy take
   * longer to load than most commands. REFUSED when the command line names a gateway that the policy does not allow.
   */
  async function companyPolicy(): Promise<Policy | undefined> {
    const file = policyPath()
    if (!fs.existsSync(file)) return undefined
    const { readPolicy, refuseGateway } = await import('../app/policy/policy.ts')
    policy ??= readPolicy(file)
    if (common.gatewayUrl !== undefined) refuseGateway(policy, common.gatewayUrl)
    return policy
  }

  /** Settings are optional here: a data folder that another Fitter uses must not stop a command that needs none. */
  function readSettings(open: typeof openStore) {
    if (settings) return settings
    settings = {
      gatewayUrl: '',
      gatewayUser: '',
      deviceModels: [],
      gatewayProxy: { kind: 'system' },
      gatewayCard: '',
      gatewayAuthorities: [],
      gatewayCalls: null
    }
    if (!fs.existsSync(path.join(common.dataFolder, databaseFileName))) return settings
    try {
      const store = open(common.dataFolder)
      settings = store.settings.get()
      store.close()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (common.gatewayUrl === undefined) terminal.say(message('terminal.settingsNotRead', { why: error.sentence }))
    }
    return settings
  }

  if (isInsecure(common.gatewayUrl ?? '')) terminal.warn(message('connections.insecure'))
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED === '0') terminal.warn(message('terminal.tlsUnchecked'))

  // Background work cannot continue: everything ends in order (outputs off first), then the fault is reported.
  let faulted = (error: unknown): Promise<void> => {
    fault ??= error
    ending.abort(new AppError('CANCELLED', message('terminal.stoppedByFault')))
    return Promise.resolve()
  }

  async function openCore(profileId?: string): Promise<Core> {
    const company = await companyPolicy()
    const { createCore, sourceResourcesFolder } = await import('../app/core.ts')
    const { openedFolder } = await import('./openedFolder.ts')
    core ??= createCore({
      dataFolder: common.dataFolder,
      store: await openedFolder({ dataFolder: common.dataFolder, terminal, signal: ending.signal }),
      resourcesFolder: sourceResourcesFolder,
      gatewayUrl: common.gatewayUrl,
      profileId,
      policy: company,
      given: givenCredentials(),
      teamPassword: takeTeamPassword(),
      reportFault: (error) => void faulted(error)
    })
    const { units, timeZone } = readerOf(core.store.settings.get())
    terminal.readAs({ ...(units === undefined ? {} : { units }), ...(timeZone === undefined ? {} : { timeZone }) })
    onReach(core.connections)
    return core
  }

  const outputsLeft = (): Message | undefined => core && sayLedger(core.outputs.ledger())

  // Before the process is stopped: a stopped one switches nothing off.
  let outputsOff = async (): Promise<Message | string | undefined> => {
    if (!core) return undefined
    const wasOn = core.outputs.ledger().length > 0
    await core.outputs.allOff()
    return outputsLeft() ?? (wasOn ? message('terminal.offBeforeStop') : undefined)
  }

  return {
    common,
    terminal,
    signal: ending.signal,
    /** A fault in background work, which ended the command. */
    fault: (): unknown => fault,
    /** Ends everything in order because of a fault; a command that continues in spite of faults handles them itself. */
    faulted: (error: unknown) => faulted(error),
    /** What may still be on, as far as this command knows. */
    outputsLeft,
    /**
     * Switches everything off, within the limit of quitting; what may still be on, or that something was switched off.
     */
    outputsOff: () => outputsOff(),
    takeOutputs(handle: () => Promise<Message | string | undefined>): void {
      outputsOff = handle
    },
    takeFaults(handle: (error: unknown) => Promise<void>): void {
      faulted = handle
    },
    companyPolicy,
    /** Loaded on use: most commands need neither, and loading takes longer than they do. */
    async connections(): Promise<Connections> {
      if (core) return core.connections
      const [{ createConnections }, { openStore }, company] = await Promise.all([
        import('../gateway/accounts/connections.ts'),
        import('../data/store/index.ts'),
        companyPolicy()
      ])
      const applyPolicy = company && (await import('../app/policy/managed.ts')).applyPolicy
      const refuseGateway = company && (await import('../app/policy/policy.ts')).refuseGateway
      const settingsNow = () => (applyPolicy ? applyPolicy(readSettings(openStore), company) : readSettings(openStore))
      connections ??= createConnections({
        gatewayUrl: () => common.gatewayUrl ?? settingsNow().gatewayUrl,
        gatewayUser: () => (common.gatewayUrl === undefined ? settingsNow().gatewayUser : ''),
        deviceModels: () => (common.gatewayUrl === undefined ? settingsNow().deviceModels : []),
        gatewayCalls: () => settingsNow().gatewayCalls,
        inMemory: company?.values['credentials.keep'] === 'session',
        internet: { get: settingsNow },
        refuseGateway: (url) => company && refuseGateway?.(company, url),
        given: givenCredentials()
      })
      onReach(connections)
      return connections
    },
    core: ({ profileId }: { profileId?: string | undefined } = {}): Promise<Core> => openCore(profileId),
    /**
     * For a command that gives up a sign-in or a connection: from now on the outputs of the data folder are asked, by
     * the connections of its core; undefined when there is nothing to ask. While another Fitter uses the folder,
     * CONFLICT when one of these outputs may be on.
     */
    async askOutputs(isMeant: (row: Pick<LedgerRow, 'imei' | 'path'>) => boolean): Promise<Core | undefined> {
      if (!fs.existsSync(path.join(common.dataFolder, databaseFileName))) return undefined
      try {
        return await openCore()
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'DATA_LOCKED') throw error
        const { readOpenOutputs } = await import('../data/store/work/outputLedger.ts')
        const left = sayLedger(readOpenOutputs(common.dataFolder).filter(isMeant))
        if (left)
          throw new AppError('CONFLICT', message('outputs.ofOtherFitter', { outputs: left }), { retryable: true })
        return undefined
      }
    },
    async close(): Promise<void> {
      await core?.stop()
      const left = outputsLeft()
      if (left) terminal.warn(left)
      connections?.close()
    }
  }
}

/** How the company lets everybody on this computer read; nothing without a policy, which is then not loaded either. */
export async function companyReader(): Promise<Partial<ReaderSettings>> {
  const file = policyPath()
  if (!fs.existsSync(file)) return {}
  const { readPolicy } = await import('../app/policy/policy.ts')
  const { 'reading.language': language, 'reading.units': units, 'reading.timeZone': timeZone } = readPolicy(file).values
  return {
    ...(language === undefined ? {} : { language }),
    ...(units === undefined || units === 'gateway' ? {} : { units }),
    ...(timeZone === undefined ? {} : { timeZone })
  }
}

export function commonOptions(values: {
  json?: boolean
  quiet?: boolean
  data?: string
  gateway?: string | boolean
  timeout?: string
  language?: string
}): CommonOptions {
  const { language } = values
  if (language !== undefined && !listLanguages().includes(language))
    throw new AppError('INVALID_REQUEST', message('terminal.languageForm', { languages: listLanguages().join(', ') }))
  const timeoutS = values.timeout === undefined ? undefined : Number(values.timeout)
  if (timeoutS !== undefined && !(timeoutS > 0 && timeoutS <= 86_400)) {
    throw new AppError('INVALID_REQUEST', message('terminal.timeoutForm'))
  }
  return {
    json: values.json ?? false,
    quiet: values.quiet ?? false,
    language,
    dataFolder: values.data ?? findDataFolder(),
    gatewayUrl: typeof values.gateway === 'string' ? values.gateway : undefined,
    timeoutMs: timeoutS === undefined ? undefined : timeoutS * 1000
  }
}
