import { satisfies, type SemVer } from 'semver'
import { message } from '../../../preload/contract/messages.ts'
import { refuse, type Feed, type FeedFile } from './feedForm.ts'
import { parseVersion } from './versions.ts'

export interface Installation {
  version: string
  os: 'windows' | 'mac' | 'linux'
  arch: 'x64' | 'arm64'
  /** The company's pin. */
  pin: string | undefined
  /** From 0 to 99, the same for every version: a roll-out of 20 % reaches the computers below 20. */
  stagingNumber: number
}

/** held: the company's pin does not allow it. notYet: the roll-out has not reached this computer. */
export type Decision = { kind: 'current' | 'held' | 'notYet' } | { kind: 'offer'; file: FeedFile }

const endings = { windows: '.exe', mac: '.zip', linux: '.AppImage' } as const
/** The name of a feed file, as electron-builder writes it. */
export function feedFileName(channel: 'stable' | 'beta', { os, arch }: Pick<Installation, 'os' | 'arch'>): string {
  const name = channel === 'stable' ? 'latest' : 'beta'
  const suffix = os === 'windows' ? '' : os === 'mac' ? '-mac' : arch === 'arm64' ? '-linux-arm64' : '-linux'
  return `${name}${suffix}.yml`
}

/**
 * What a verified feed means for this computer. AppError REFUSED for a version that is older than the installed one.
 */
export function decide(feed: Feed, installation: Installation): Decision {
  const order = exact(feed.version).compare(exact(installation.version))
  if (order < 0)
    throw refuse(message('updates.refused.older', { version: feed.version, installed: installation.version }))
  if (order === 0) return { kind: 'current' }
  if (installation.pin !== undefined && !satisfies(feed.version, installation.pin)) return { kind: 'held' }
  if (installation.stagingNumber >= feed.stagingPercentage) return { kind: 'notYet' }
  return { kind: 'offer', file: fileFor(feed, installation) }
}

function exact(text: string): SemVer {
  const version = parseVersion(text)
  if (version === undefined) throw refuse(message('updates.refused.version', { version: text.slice(0, 60) }))
  return version
}

/** macOS has one package for both processors. */
function fileFor({ files }: Feed, { os, arch }: Installation): FeedFile {
  const fitting = files.filter(({ url }) => url.endsWith(endings[os]))
  const file = os === 'mac' ? fitting[0] : fitting.find(({ url }) => archOf(url) === arch)
  if (file === undefined) throw refuse(message('updates.refused.noPackage'))
  return file
}

/** AppImages for x64 are called `x86_64`. */
function archOf(name: string): 'x64' | 'arm64' | undefined {
  return /[-_]arm64[-_.]/.test(name) ? 'arm64' : /[-_](x64|x86_64)[-_.]/.test(name) ? 'x64' : undefined
}
