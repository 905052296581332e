import { execFileSync } from 'node:child_process'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'

/**
 * Whether each worker of the tests can have a network of its own, with nothing in it but this computer: on Linux, for
 * root.
 */
export const hasOwnNetworks = canMakeNetwork()

function canMakeNetwork(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  try {
    execFileSync('unshare', ['--net', 'ip', 'link', 'set', 'lo', 'up'], { stdio: 'ignore' })
    return true
  } catch {
    // A container may keep its root from it.
    return false
  }
}

/** Fails in a worker that shares its network with another one: each would see the devices of the other. */
export function expectOwnNetwork({ workers }: { workers: number }): void {
  if (workers > 1 && !Object.keys(networkInterfaces()).every((card) => card === 'lo'))
    throw new Error('Two workers share one network.')
}

/** From now on this process starts its workers, each in a network of its own. */
export function giveOwnNetworks(): void {
  process.env['FITTER_TEST_NODE'] = process.execPath
  process.execPath = join(import.meta.dirname, 'nodeInOwnNetwork.sh')
}
