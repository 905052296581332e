import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

interface SystemPackage {
  debian: string
  /** A program or file that shows that it is there, on any Linux. */
  sign: string
  usedFor: string
}

const packages: readonly SystemPackage[] = [
  { debian: 'chromium', sign: 'chromium', usedFor: 'the tests in a real browser' },
  { debian: 'avahi-daemon', sign: 'avahi-daemon', usedFor: 'discovery of real mDNS peers' },
  { debian: 'avahi-utils', sign: 'avahi-browse', usedFor: 'discovery of real mDNS peers' },
  { debian: 'iproute2', sign: 'ip', usedFor: 'the tests with several network cards' },
  { debian: 'nftables', sign: 'nft', usedFor: 'the tests with packet loss' },
  { debian: 'gnome-keyring', sign: 'gnome-keyring-daemon', usedFor: 'the keychain tests' },
  { debian: 'dbus', sign: 'dbus-run-session', usedFor: 'the keychain tests' },
  { debian: 'dbus-x11', sign: 'dbus-launch', usedFor: 'the keychain tests' },
  { debian: 'libsecret-1-0', sign: '/usr/share/doc/libsecret-1-0', usedFor: 'the keychain tests' },
  { debian: 'strace', sign: 'strace', usedFor: 'the tests of power cuts, killed processes and failing disks' },
  { debian: 'poppler-utils', sign: 'pdftotext', usedFor: 'the tests that read PDF reports' }
]

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function isThere({ sign }: SystemPackage): boolean {
  if (sign.startsWith('/')) return existsSync(sign)
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']
  return folders.some((folder) => isExecutable(join(folder, sign)))
}

function run(program: string, parameters: string[]): boolean {
  const { status } = spawnSync(program, parameters, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: 15 * 60_000
  })
  return status === 0
}

/** On Debian as root, installs what the tests need and is missing; anywhere else, names it and what is skipped. */
export function provideSystemPackages(): void {
  if (process.platform !== 'linux') {
    console.log('Tests that need Linux (network namespaces, the keychain over D-Bus, power cuts) are skipped here.')
    return
  }
  let missing = packages.filter((entry) => !isThere(entry))
  if (missing.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const names = missing.map((entry) => entry.debian)
    console.log(`Installing Debian packages that the tests need: ${names.join(' ')}`)
    run('apt-get', ['update', '-qq'])
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names])
    missing = packages.filter((entry) => !isThere(entry))
  }
  for (const { debian, usedFor } of missing) console.log(`Without ${debian}, these are skipped: ${usedFor}.`)
}
