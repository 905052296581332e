import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UpdatesState } from '../../preload/contract/app/updates.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { message, type Message } from '../../preload/contract/messages.ts'
import { readPolicy, showPolicy, type Policy } from './policy/policy.ts'
import { policyPath } from './policy/policyPath.ts'
import { installedAs, sayNotByItself } from '../base/updates/notByItself.ts'
import { updateSource } from '../base/updates/feedForm.ts'
import { createUpdates, type Updates, type UpdatesOptions } from '../base/updates/updates.ts'
import { sourceResourcesFolder } from './core.ts'
import { version } from './version.ts'

export interface UpdatePlatform extends Pick<UpdatesOptions, 'installed' | 'installer' | 'source'> {
  notByItself: Message | null
  policy: Policy
}

export interface OpenUpdatesOptions extends Pick<UpdatesOptions, 'changed' | 'connect' | 'reasons' | 'reportFault'> {
  frontEnd: 'desktop' | 'browser' | 'terminal'
  dataFolder: string
  resourcesFolder: string
  /** What the process does not tell. */
  platform?: Partial<UpdatePlatform> | undefined
}

/**
 * A checkout accepts the path of another `updateSource.json` in FITTER_UPDATE_SOURCE, to try a feed. It installs
 * nothing. An installed Fitter does not, so that nobody can make it accept another signature.
 */
export function trialSource(isCheckout: boolean = import.meta.url.endsWith('.ts')): string | undefined {
  const file = process.env['FITTER_UPDATE_SOURCE']
  return isCheckout && file !== '' ? file : undefined
}

/** The folder of update packages, in the data folder. */
export function updatesFolder(dataFolder: string): string {
  return join(dataFolder, 'fitter.updates')
}

/** What a command knows about updates: it looks for nothing and installs nothing. */
export function readUpdates(dataFolder: string): UpdatesState {
  const never = (): never => {
    throw new AppError('INVALID_REQUEST', message('app.onlyInWindow'))
  }
  return openUpdates({
    frontEnd: 'terminal',
    dataFolder,
    resourcesFolder: sourceResourcesFolder,
    reasons: () => [],
    connect: never,
    changed: () => undefined,
    reportFault: () => undefined
  }).state()
}

/** The updates of this program; they look for new versions only where they can install them. */
export function openUpdates({
  frontEnd,
  dataFolder,
  resourcesFolder,
  platform = {},
  ...options
}: OpenUpdatesOptions): Updates {
  const trial = trialSource()
  const source =
    platform.source ??
    updateSource.parse(JSON.parse(readFileSync(trial ?? join(resourcesFolder, 'updateSource.json'), 'utf8')))
  const notByItself =
    platform.notByItself === undefined
      ? trial === undefined
        ? sayNotByItself(installedAs(frontEnd))
        : null
      : platform.notByItself
  const updates = createUpdates({
    ...options,
    installed: platform.installed ?? version,
    folder: updatesFolder(dataFolder),
    source,
    policy: showPolicy(platform.policy ?? readPolicy(policyPath())),
    platform: {
      os: process.platform === 'win32' ? 'windows' : process.platform === 'darwin' ? 'mac' : 'linux',
      arch: process.arch === 'arm64' ? 'arm64' : 'x64'
    },
    notByItself,
    installer: platform.installer
  })
  if (frontEnd === 'desktop') updates.start()
  return updates
}
