import { findElectron } from '../../../bin/electronBinary.ts'
import { buildStale, projectFolder } from '../../../bin/build.ts'
import { giveOwnNetworks, hasOwnNetworks } from './ownNetwork.ts'

/** What the tests show is what is shipped: the built page, and the built shell where there is an Electron to run it. */
export default async function buildPage(): Promise<void> {
  await buildStale([
    'renderer',
    'sealPage',
    'licences',
    ...(findElectron(projectFolder) ? (['main', 'preload'] as const) : [])
  ])
  // Playwright runs this before it starts a worker, in the process that starts them.
  if (hasOwnNetworks) giveOwnNetworks()
}
