import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeOut } from '../../../main/terminal/output/writeOut.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fitter-out-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const content = Buffer.from('report')

it('replaces an ordinary file, and leaves nothing else behind', () => {
  const file = join(folder, 'report.pdf')
  writeFileSync(file, 'old')
  writeOut(file, content)
  expect(readFileSync(file, 'utf8')).toBe('report')
  expect(readdirSync(folder)).toEqual(['report.pdf'])
})

it('leaves a link alone, whatever it leads to', () => {
  const [target, link] = [join(folder, 'target'), join(folder, 'link')]
  writeFileSync(target, 'kept')
  symlinkSync(target, link)
  expect(() => writeOut(link, content)).toThrow('terminal.notAFile')
  expect([readFileSync(target, 'utf8'), lstatSync(link).isSymbolicLink()]).toEqual(['kept', true])
})

it.skipIf(process.platform === 'win32')('leaves a pipe and a device alone', () => {
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  expect(() => writeOut(pipe, content)).toThrow('terminal.notAFile')
  expect(lstatSync(pipe).isFIFO()).toBe(true)
  expect(() => writeOut('/dev/null', content)).toThrow('terminal.notAFile')
  expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true)
})

it('writes through no link that was laid out beside the file', () => {
  const [target, file] = [join(folder, 'target'), join(folder, 'report.pdf')]
  symlinkSync(target, `${file}.part`)
  writeOut(file, content)
  expect(existsSync(target)).toBe(false)
})
