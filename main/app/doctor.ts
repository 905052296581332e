import type { Finding } from '../../preload/contract/app.ts'
import { AppError } from '../../preload/contract/errors.ts'
import type { Connections } from '../connections/connections.ts'

export interface DoctorOptions {
  dataFolder: string
  /** In the training workplace everything is on this computer: neither network cards nor the keychain are used. */
  isTraining?: boolean
  checkData(): { ok: boolean; findings: string[] }
}

/** Looks everything over that Fitter depends on, and gives one remedy for each thing that does not work. */
export async function runDoctor(connections: Connections, { dataFolder, isTraining = false, checkData }: DoctorOptions): Promise<Finding[]> {
  const [keychain, network, gateway] = await Promise.all([isTraining ? trainingKeychain : lookAtKeychain(connections), connections.discovery.selfTest(), lookAtGateway(connections)])
  return [...(isTraining ? forTraining(network) : network).map(withGroup), keychain, lookAtData(dataFolder, checkData), gateway]
}

/** Findings of discovery are about a device or about the network; their names say which. */
function withGroup(finding: Finding): Finding {
  return { ...finding, group: /^Devices?\b/.test(finding.name) ? 'devices' : 'network' }
}

const trainingKeychain: Finding = {
  name: 'Keychain',
  group: 'computer',
  ok: true,
  detail: 'Training keeps its passwords in memory and leaves the keychain of this computer alone.',
  remedy: ''
}

/** Only this computer itself is listened on in training; that its network cards are left alone is no fault. */
function forTraining(findings: Finding[]): Finding[] {
  const own = findings.filter(({ name }) => name !== 'Network cards' && name !== 'Default gateways')
  const cards = {
    name: 'Network cards',
    ok: true,
    detail: 'Training uses this computer alone. Your network cards are neither asked nor tested; leave training to test them.',
    remedy: ''
  }
  return [cards, ...own]
}

async function lookAtKeychain({ secrets }: Connections): Promise<Finding> {
  const status = await secrets.status()
  return status.kind === 'keychain'
    ? { name: 'Keychain', group: 'computer', ok: true, detail: 'Passwords are kept in the keychain of this computer.', remedy: '' }
    : {
        name: 'Keychain',
        group: 'computer',
        ok: false,
        detail: status.reason ?? 'The keychain cannot be used.',
        remedy: 'Until then, sign in again after each start of Fitter.'
      }
}

function lookAtData(dataFolder: string, check: () => { ok: boolean; findings: string[] }): Finding {
  try {
    const { ok, findings } = check()
    return {
      name: 'Data folder',
      group: 'computer',
      ok,
      detail: ok ? `The job log in ${dataFolder} is intact.` : findings.join(' '),
      remedy: ok ? '' : 'Keep a copy of the data folder, then bring a backup back with "fitter data restore".'
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { name: 'Data folder', group: 'computer', ok: false, detail: `${dataFolder}: ${error.message}`, remedy: error.message }
  }
}

async function lookAtGateway({ gateway }: Connections): Promise<Finding> {
  const before = await gateway.status()
  if (before.state === 'notSet') {
    return { name: 'Gateway', group: 'gateway', ok: false, detail: 'No gateway is set.', remedy: 'Enter its address under Settings, or give it with --gateway.' }
  }
  try {
    const client = await gateway.client()
    const { value } = await client.version.get(undefined, { timeoutMs: 8_000 })
    const difference = client.clockDifferenceS()
    const clock = difference === null ? '' : ` Its clock is ${Math.abs(Math.round(difference))} s ${difference >= 0 ? 'ahead of' : 'behind'} this computer's.`
    return { name: 'Gateway', group: 'gateway', ok: true, detail: `${before.url} answers, version ${value.name ?? 'unknown'}.${clock}`, remedy: '' }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const remedy = error.code === 'NOT_AUTHENTICATED' ? 'Sign in under Settings, or with "fitter gateway login".' : 'Check the internet connection and the address of the gateway.'
    return { name: 'Gateway', group: 'gateway', ok: false, detail: `${before.url}: ${error.message}`, remedy }
  }
}
