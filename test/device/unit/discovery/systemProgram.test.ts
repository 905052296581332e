import { expect, test } from 'vitest'
import { readSystemProgram, systemProgram } from '../../../../main/device/discovery/systemProgram.ts'

const all = () => true
const only = (file: string) => (asked: string) => asked === file

test('a program of the system is started by its full path, never by whatever carries its name first in PATH', () => {
  process.env['SystemRoot'] = 'C:\\Windows'
  expect(systemProgram('route', 'win32', all)).toBe('C:\\Windows\\System32\\route.exe')
  expect(systemProgram('netstat', 'darwin', only('/usr/sbin/netstat'))).toBe('/usr/sbin/netstat')
  expect(systemProgram('ss', 'linux', all)).toBe('/usr/bin/ss')
  expect(systemProgram('ss', 'linux', only('/sbin/ss'))).toBe('/sbin/ss')
  delete process.env['SystemRoot']
  expect(systemProgram('route', 'win32', all)).toBe('C:\\Windows\\System32\\route.exe')
})

test('a program that the system does not have, or that fails, says nothing', async () => {
  expect(systemProgram('ss', 'linux', () => false)).toBeUndefined()
  expect(await readSystemProgram('fitter-has-no-such-program', [], 1000)).toBe('')
  expect(await readSystemProgram('false', [], 1000)).toBe('')
})
