import type { Finding } from '../preload/contract/app.ts'
import { AppError } from '../preload/contract/errors.ts'
import type { Reach } from './reach.ts'

export interface DoctorOptions {
  dataFolder: string
  checkData(): { ok: boolean; findings: string[] }
}

/** Looks everything over that Fitter depends on, and gives one remedy for each thing that does not work. */
export async function runDoctor(reach: Reach, { dataFolder, checkData }: DoctorOptions): Promise<Finding[]> {
  const [keychain, network, gateway] = await Promise.all([lookAtKeychain(reach), reach.discovery.selfTest(), lookAtGateway(reach)])
  return [keychain, ...network, lookAtData(dataFolder, checkData), gateway]
}

async function lookAtKeychain({ secrets }: Reach): Promise<Finding> {
  const status = await secrets.status()
  return status.kind === 'keychain'
    ? { name: 'keychain', ok: true, detail: 'Passwords are kept in the keychain of this computer.', remedy: '' }
    : { name: 'keychain', ok: false, detail: status.reason ?? 'The keychain cannot be used.', remedy: 'Unlock or install a keychain; until then sign in again after each start.' }
}

function lookAtData(dataFolder: string, check: () => { ok: boolean; findings: string[] }): Finding {
  try {
    const { ok, findings } = check()
    return {
      name: 'data folder',
      ok,
      detail: ok ? `The job log in ${dataFolder} is intact.` : findings.join(' '),
      remedy: ok ? '' : 'Keep a copy of the data folder, then bring a backup back with "fitter data restore".'
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { name: 'data folder', ok: false, detail: `${dataFolder}: ${error.message}`, remedy: error.message }
  }
}

async function lookAtGateway({ gateway }: Reach): Promise<Finding> {
  const before = await gateway.status()
  if (before.state === 'notSet') {
    return { name: 'gateway', ok: false, detail: 'No gateway is set.', remedy: 'Enter its address under Settings, or give it with --gateway.' }
  }
  try {
    const client = await gateway.client()
    const { value } = await client.version.get(undefined, { timeoutMs: 8_000 })
    const difference = client.clockDifferenceS()
    const clock = difference === null ? '' : ` Its clock is ${Math.abs(Math.round(difference))} s ${difference >= 0 ? 'ahead of' : 'behind'} this computer's.`
    return { name: 'gateway', ok: true, detail: `${before.url} answers, version ${value.name ?? 'unknown'}.${clock}`, remedy: '' }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const remedy = error.code === 'NOT_AUTHENTICATED' ? 'Sign in under Settings, or with "fitter gateway login".' : 'Check the internet connection and the address of the gateway.'
    return { name: 'gateway', ok: false, detail: `${before.url}: ${error.message}`, remedy }
  }
}
