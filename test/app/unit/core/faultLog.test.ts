import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createFaultLog } from '../../../../main/app/faultLog.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fitter-faults-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const unchanged = (text: string): string => text

function readLines(): string[] {
  return readFileSync(join(folder, 'data', 'fitter.log'), 'utf8')
    .trimEnd()
    .split('\n')
}

it('writes each fault on one line, whatever its text holds, and makes the folder', () => {
  const report = createFaultLog(join(folder, 'data'), unchanged)
  report(new TypeError('first\n2026-01-01T00:00:00.000Z "forged"'))
  report('not even an error')
  const lines = readLines()
  expect(lines).toHaveLength(2)
  for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z "/)
  expect(lines[0]).toContain('TypeError: first\\n')
  expect(statSync(join(folder, 'data', 'fitter.log')).mode & 0o077).toBe(0)
})

it('keeps what a fault came from, down to the first cause, and ends with a cause that goes round', () => {
  const disk = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  createFaultLog(
    join(folder, 'data'),
    unchanged
  )(new Error('The job could not be kept.', { cause: new TypeError('in between', { cause: disk }) }))
  expect(readLines()[0]).toMatch(
    /The job could not be kept.*caused by: TypeError: in between.*caused by: Error: ENOSPC/
  )

  const round = new Error('round')
  round.cause = round
  createFaultLog(join(folder, 'data'), unchanged)(round)
  createFaultLog(
    join(folder, 'data'),
    unchanged
  )(new AggregateError([new Error('first of two'), new Error('second of two')], 'both'))
  expect(readLines()).toHaveLength(3)
  expect(readLines()[2]).toMatch(/first of two.*second of two/)
})

it('writes only what the redactor lets through', () => {
  createFaultLog(join(folder, 'data'), (text) => text.replaceAll('marker-pass', '[hidden]'))(
    new Error('wrong: marker-pass')
  )
  expect(readLines().join()).toContain('wrong: [hidden]')
})

it('does not grow without limit', () => {
  writeFileSync(join(folder, 'fitter.log'), 'x'.repeat(1_000_001))
  createFaultLog(folder, unchanged)(new Error('after'))
  expect(statSync(join(folder, 'fitter.log')).size).toBeLessThan(10_000)
  expect(statSync(join(folder, 'fitter.log.1')).size).toBe(1_000_001)
})

it('tells the terminal when the log can not be written', () => {
  writeFileSync(join(folder, 'taken'), '')
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  createFaultLog(join(folder, 'taken'), unchanged)(new Error('kept'))
  expect(String(write.mock.calls[0]?.[0])).toContain('kept')
  write.mockRestore()
})
