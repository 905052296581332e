import { powerMonitor } from 'electron'
import type { Host } from '../app/frontEnd.ts'

/** `resume` comes before the network is back; the core waits for it by itself. */
export function watchPower(host: Host): void {
  powerMonitor.on('resume', () => host.powerResumed())
}
