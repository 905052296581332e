import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { JobSummary } from '../../../preload/contract/job/jobs.ts'
import { fileFolder, makeYard } from '../../world/window/installation.ts'

/** Two devices and a checklist that only asks: what the checks do is tested elsewhere. */
const checklist = {
  id: 'short-visit',
  version: 1,
  name: { en: 'Short visit' },
  kind: 'service',
  description: { en: 'Two questions' },
  steps: [
    { id: 'identity', kind: 'identity', title: { en: 'Right device' }, instruction: { en: 'Scan the label.' } },
    { id: 'clean', kind: 'question', title: { en: 'Clean' }, instruction: { en: 'Is it clean?' }, expected: true },
    { id: 'sign-off', kind: 'signOff', title: { en: 'Sign-off' }, instruction: { en: 'Sign.' } }
  ]
}
interface Line {
  line: number
  imei: string | null
  outcome: string
  state: string | null
  id: string | null
}

test(
  'a batch works on all lines, names what is left, and a retry runs that alone and doubles nothing',
  { timeout: 360_000 },
  async () => {
    const yard = await makeYard({ seed: 12, devices: 2 })
    const folder = fileFolder()
    const [one, two] = yard.simulation.devices
    if (!one || !two) throw new Error('The yard needs two devices')
    const file = (name: string, content: string): string => {
      writeFileSync(join(folder, name), content)
      return join(folder, name)
    }
    const template = file('short-visit.json', JSON.stringify(checklist))
    expect((await yard.run(folder, ['templates', 'import', template])).code).toBe(0)
    const table = file(
      'yard.csv',
      `device;vehicle;template\n${one.host}:${one.port};Truck 1;short-visit\n${two.host}:${two.port};Truck 2;short-visit\n127.0.0.1:9;Truck 3;short-visit\n`
    )
    const answers = (isSecondClean: boolean): string =>
      file(
        `answers-${isSecondClean}.json`,
        JSON.stringify({
          steps: { clean: { answer: true } },
          technician: 'Technician One',
          customer: 'Customer One',
          devices: {
            [one.imei]: { steps: { identity: { value: one.imei } } },
            [two.imei]: { steps: { identity: { value: two.imei }, clean: { answer: isSecondClean } } }
          }
        })
      )
    const batch = async (
      more: string[]
    ): Promise<{ code: number | null; lines: Line[]; totals: object; all: string }> => {
      const run = await yard.run(folder, ['job', 'batch', table, ...more, '--json'])
      const said = run.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Line)
      return {
        code: run.code,
        lines: said.slice(0, -1).sort((a, b) => a.line - b.line),
        totals: said.at(-1) ?? {},
        all: run.stdout + run.stderr
      }
    }

    const first = await batch(['--answers', answers(false)])
    expect(
      first.lines.map(({ line, imei, outcome, state }) => [line, imei, outcome, state]),
      first.all
    ).toEqual([
      [2, one.imei, 'done', 'done'],
      [3, two.imei, 'attention', expect.any(String)],
      [4, null, 'notReached', null]
    ])
    expect(first.totals).toEqual({ total: 3, done: 1, attention: 1, notReached: 1, skipped: 0 })
    expect(first.code).toBe(1)

    const again = await batch(['--retry-failed', '--answers', answers(true)])
    expect(
      again.lines.map(({ imei, outcome }) => [imei, outcome]),
      again.all
    ).toEqual([
      [two.imei, 'done'],
      [null, 'notReached']
    ])
    expect(again.totals).toEqual({ total: 3, done: 1, attention: 0, notReached: 1, skipped: 1 })
    expect(again.lines[0]?.id).toBe(first.lines[1]?.id)
    const kept = (await yard.run(folder, ['job', 'list', '--json'])).json<JobSummary[]>()
    expect(kept.map(({ state }) => state)).toEqual(['done', 'done'])

    // The open job of a device does other work: the row is left, until another job beside it is asked for.
    const other = await yard.newJob(folder)
    const moved = file('moved.csv', `device;vehicle;template\n${one.host}:${one.port};Truck 9;short-visit\n`)
    const run = async (more: string[]) => {
      const ended = await yard.run(folder, ['job', 'batch', moved, ...more, '--answers', answers(true), '--json'])
      return JSON.parse(ended.stdout.trim().split('\n')[0] ?? '') as Line
    }
    expect(await run([])).toMatchObject({ outcome: 'attention', id: null, why: expect.stringContaining('--another') })
    const beside = await run(['--another'])
    expect(beside).toMatchObject({ outcome: 'done' })
    expect([other, ...kept.map(({ id }) => id)]).not.toContain(beside.id)
    expect(await yard.show(folder, other)).toMatchObject({ state: 'draft' })

    const wrong = await yard.run(folder, [
      'job',
      'batch',
      file('wrong.csv', 'device;template\n;short-visit\n'),
      '--json'
    ])
    expect(wrong.code).toBe(2)
  }
)
