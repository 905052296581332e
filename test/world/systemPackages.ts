import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

interface SystemPackage {
  debian: string
  /** A program or file that proves on any Linux that the package is installed. */
  sign: string
  usedFor: string
  /** Only some releases of Debian have this package: where it is missing, the others are still installed. */
  isOfOneRelease?: true
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
  { debian: 'poppler-utils', sign: 'pdftotext', usedFor: 'the tests that read PDF reports' },
  { debian: 'nsis', sign: 'makensis', usedFor: 'the test of the installer for Windows' },
  { debian: 'desktop-file-utils', sign: 'desktop-file-validate', usedFor: 'the test of the Debian package' },
  { debian: 'appstream', sign: 'appstreamcli', usedFor: 'the test of the description for software centres' },
  { debian: 'mandoc', sign: 'mandoc', usedFor: 'the test of the manual page' },
  { debian: 'zsh', sign: 'zsh', usedFor: 'the test of the completions' },
  { debian: 'fish', sign: 'fish', usedFor: 'the test of the completions' },
  {
    debian: 'postgresql-15',
    sign: '/usr/lib/postgresql/15/bin/pg_basebackup',
    usedFor: 'the recipes of the team log on PostgreSQL 15',
    isOfOneRelease: true
  },
  { debian: 'pgbouncer', sign: 'pgbouncer', usedFor: 'the recipe of the team log behind a pooler' }
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
  return sign.startsWith('/') ? existsSync(sign) : hasProgram(sign)
}

export function hasProgram(name: string): boolean {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']
  return folders.some((folder) => isExecutable(join(folder, name)))
}

function run(program: string, parameters: string[]): boolean {
  const { status } = spawnSync(program, parameters, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: 15 * 60_000
  })
  return status === 0
}

function install(wanted: readonly SystemPackage[]): void {
  if (wanted.length > 0)
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...wanted.map(({ debian }) => debian)])
}

const servicePolicy = '/usr/sbin/policy-rc.d'

/**
 * Debian starts a database server on installation; a policy file denies that in the meantime. An existing policy is
 * left unchanged.
 */
function withoutDatabaseServices(act: () => void): void {
  if (existsSync(servicePolicy)) return act()
  writeFileSync(servicePolicy, '#!/bin/sh\ncase "$1" in postgresql*|pgbouncer*) exit 101 ;; esac\nexit 0\n', {
    mode: 0o755
  })
  try {
    act()
  } finally {
    rmSync(servicePolicy)
  }
}

/**
 * On Debian as root, installs missing packages that the tests need; elsewhere, names them and the tests that are
 * skipped.
 */
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
    withoutDatabaseServices(() => {
      install(missing.filter((entry) => !entry.isOfOneRelease))
      install(missing.filter((entry) => entry.isOfOneRelease))
    })
    missing = packages.filter((entry) => !isThere(entry))
  }
  for (const { debian, usedFor } of missing) console.log(`Without ${debian}, these are skipped: ${usedFor}.`)
}
