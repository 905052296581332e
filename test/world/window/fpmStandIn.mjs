#!/usr/bin/env node
// fpm, the program that makes Debian packages for electron-builder, cannot be installed from npm or Debian. This
// stand-in takes the same arguments and makes the package with dpkg-deb, so that what we ask of fpm can be read back
// from a real package.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const values = new Map()
const mappings = []
const withoutValue = new Set(['--force', '--debug'])
const args = process.argv.slice(2)
for (let at = 0; at < args.length; at++) {
  const name = args[at]
  if (withoutValue.has(name)) continue
  if (name.startsWith('-')) values.set(name, [...(values.get(name) ?? []), args[++at]])
  else mappings.push(name.split('='))
}
const one = (name) => values.get(name)?.[0] ?? ''
const root = mkdtempSync(join(tmpdir(), 'fitter-fpm-'))
for (const [from, to] of mappings) {
  const target = join(root, to)
  mkdirSync(dirname(target), { recursive: true })
  cpSync(from, target, { recursive: true })
}
mkdirSync(join(root, 'DEBIAN'))
const fields = {
  Package: one('--name'),
  Version: one('--version'),
  Architecture: one('--architecture'),
  Maintainer: `${one('--maintainer')} <none@fitter.invalid>`,
  Depends: (values.get('-d') ?? []).join(', '),
  Recommends: (values.get('--deb-recommends') ?? []).join(', '),
  Section: one('--category'),
  Priority: one('--deb-priority'),
  Homepage: one('--url'),
  Description: one('--description')
}
writeFileSync(
  join(root, 'DEBIAN', 'control'),
  `${Object.entries(fields)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')}\n`
)
execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', root, one('--package')], { stdio: 'ignore' })
rmSync(root, { recursive: true })
