import type { Finding } from '../../preload/contract/app/app.ts'
import type { UpdatesState } from '../../preload/contract/app/updates.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { message, type Message } from '../../preload/contract/messages.ts'
import type { ConnectionStep } from '../../preload/contract/app/internet.ts'
import type { Connections } from '../connections/connections.ts'
import { tryConnection } from '../connections/trial.ts'
import type { DataCheck } from '../store/damage/check.ts'
import { updatesFinding } from './sayUpdates.ts'

/** The number of newest jobs to check: problems appear there first, and it takes no time. */
export const quicklyChecked = 100

const wayLimitMs = 10_000

export interface DoctorOptions {
  dataFolder: string
  /** In training everything is on this computer: neither network cards nor the keychain are used. */
  isTraining?: boolean
  /** A person at a terminal can be told commands; in the window they lead nowhere. */
  isTerminal?: boolean
  /** Checks the newest jobs; "data check" does the whole file. */
  checkData(): Promise<Pick<DataCheck, 'ok' | 'findings' | 'jobs'>>
  updates?: UpdatesState | undefined
  /** The outputs that may be on, in one sentence. */
  mayBeOn(): Promise<Message | undefined> | Message | undefined
}

/** Checks everything that Fitter depends on, and names one remedy for each problem. */
export async function runDoctor(connections: Connections, options: DoctorOptions): Promise<Finding[]> {
  const { isTraining = false, isTerminal = false } = options
  const [keychain, network, data, gateway] = await Promise.all([
    isTraining ? trainingKeychain() : lookAtKeychain(connections),
    connections.discovery.selfTest(isTerminal),
    lookAtData(options, isTerminal),
    lookAtGateway(connections, isTerminal)
  ])
  const way = await lookAtWay(connections, gateway)
  return [...(isTraining ? forTraining(network) : network), keychain, data, ...(await lookAtOutputs(options)), ...(options.updates ? [updatesFinding(options.updates)] : []), gateway, ...way]
}

function trainingKeychain(): Finding {
  return { name: message('selfTest.keychainName'), group: 'computer', ok: true, notTested: true, detail: message('selfTest.keychainInMemory'), remedy: null }
}

/** In training only this computer is used; unused network cards are neither a problem nor proved to work. */
function forTraining(findings: Finding[]): Finding[] {
  const own = findings.filter(({ name }) => name.id !== 'selfTest.cardsName' && name.id !== 'selfTest.gatewaysName')
  return [{ name: message('selfTest.cardsName'), group: 'network', ok: true, notTested: true, detail: message('selfTest.trainingCards'), remedy: null }, ...own]
}

async function lookAtKeychain({ secrets }: Connections): Promise<Finding> {
  const status = await secrets.status()
  const name = message('selfTest.keychainName')
  if (status.kind === 'keychain') return { name, group: 'computer', ok: true, detail: message('selfTest.keychainWorks'), remedy: null }
  return { name, group: 'computer', ok: false, detail: status.reason ?? message('selfTest.keychainUnusable'), remedy: message('selfTest.signInAgain') }
}

/** Skipped for a data folder that cannot be opened, which has its own finding. */
async function lookAtOutputs({ mayBeOn }: DoctorOptions): Promise<Finding[]> {
  try {
    const left = await mayBeOn()
    return [{ name: message('outputs.finding'), group: 'computer', ok: left === undefined, detail: left ?? message('outputs.noneOn'), remedy: left ? message('outputs.remedy') : null }]
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
}

async function lookAtData({ dataFolder: folder, checkData }: DoctorOptions, isTerminal: boolean): Promise<Finding> {
  const name = message('selfTest.dataName')
  try {
    const { ok, findings, jobs } = await checkData()
    if (ok) return { name, group: 'computer', ok, detail: message('selfTest.dataIntact', { folder, n: jobs }), remedy: null }
    return {
      name,
      group: 'computer',
      ok,
      detail: message('selfTest.dataFound', { findings }),
      remedy: isTerminal ? message('selfTest.restoreCommand') : message('selfTest.restore')
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { name, group: 'computer', ok: false, detail: message('selfTest.dataSays', { folder, why: error.sentence }), remedy: error.sentence }
  }
}

async function lookAtGateway({ gateway }: Connections, isTerminal: boolean): Promise<Finding> {
  const name = message('selfTest.gatewayName')
  const before = await gateway.status()
  if (before.state === 'notSet') {
    return { name, group: 'gateway', ok: false, detail: message('selfTest.noGateway'), remedy: isTerminal ? message('selfTest.enterGatewayCommand') : message('selfTest.enterGateway') }
  }
  const url = before.url
  try {
    const client = await gateway.client()
    const { value } = await client.version.get(undefined, { timeoutMs: 8_000 })
    const answers = value.name ? message('selfTest.gatewayAnswers', { url, version: value.name }) : message('selfTest.gatewayAnswersUnknown', { url })
    return { name, group: 'gateway', ok: true, detail: withClock(answers, client.clockDifferenceS()), remedy: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const signIn = isTerminal ? message('selfTest.signInCommand') : message('selfTest.signIn')
    const remedy = error.code === 'NOT_AUTHENTICATED' ? signIn : message('selfTest.checkInternet')
    return { name, group: 'gateway', ok: false, detail: message('selfTest.gatewaySays', { url, why: error.sentence }), remedy }
  }
}

/** The card, the proxy and the certificates, if a gateway is set. Tests the whole connection once. */
async function lookAtWay({ gateway, internet }: Connections, seen: Finding): Promise<Finding[]> {
  const { state } = await gateway.status()
  if (state === 'notSet') return []
  const { steps, remedy } = await tryConnection({ gateway, internet }, AbortSignal.timeout(wayLimitMs))
  const sayOf = (name: ConnectionStep['name']): Message => steps.find((step) => step.name === name)?.detail ?? message('internet.notReached')
  const failed = steps.find(({ name, outcome }) => outcome === 'failed' && name !== 'signIn')
  const { authorities } = await internet.settings()
  const nowMs = Date.now()
  const expired = authorities.filter(({ validFrom, validUntil }) => Date.parse(validFrom) > nowMs || Date.parse(validUntil) < nowMs)
  const namesOf = (list: typeof authorities): string => list.map(({ subject }) => subject).join(', ')
  return [
    {
      name: message('internet.doctorWay'),
      group: 'gateway',
      ok: failed === undefined,
      detail: failed?.detail ?? message('internet.doctorWayIs', { way: sayOf('connected'), proxy: sayOf('proxy'), certificate: sayOf('certificate') }),
      // A problem with the gateway's answer has its own finding.
      remedy: failed === undefined ? null : seen.ok ? (remedy ?? failed.detail) : message('selfTest.checkInternet')
    },
    {
      name: message('internet.doctorTrust'),
      group: 'gateway',
      ok: expired.length === 0,
      detail: message('internet.doctorAuthorities', { n: authorities.length, names: namesOf(authorities) }),
      remedy: expired.length === 0 ? null : message('internet.doctorExpired', { names: namesOf(expired) })
    }
  ]
}

function withClock(said: Message, differenceS: number | null): Message {
  if (differenceS === null) return said
  const clock = { said, differenceS: Math.abs(Math.round(differenceS)) }
  return differenceS >= 0 ? message('selfTest.clockAhead', clock) : message('selfTest.clockBehind', clock)
}

