import { spawnSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { projectFolder } from '../../bin/build.ts'
import { measurements, type Claim, type Measurement } from './claims.ts'

/** One line of the page. */
export interface Row {
  claim: string
  figure: string
  baseline: string
  ratio: string
  goal: string
  verdict: 'pass' | 'miss' | 'no figure'
}

/** What one command proved, and when. */
export interface Run {
  command: string
  /** UTC, to the minute. */
  at: string
  tookS: number
  commit: string
  machine: string
  rows: Row[]
}

const fullPage = join(projectFolder, 'docs', 'proof.html')
/** The runs of that page, so that one of them can be run anew, or the rest later. */
const fullRuns = join(projectFolder, 'docs', 'proof.json')
const quickPage = join(projectFolder, 'out', 'proof.html')

/** The lines that `sayRatio` prints, whatever the benchmark: both sides in turn, and the goal. */
const ratioLine =
  /^(?<claim>\S.*?)\s+(?<figure>[\d.]+) ms \(p95 [\d.]+\) against (?<baseline>[\d.]+) ms: (?<ratio>[\d.]+), goal (?<goal>[\d.]+)/gm

/**
 * What a run proved: a line for each of its claims, and for each ratio that it printed. A failed run proves nothing.
 */
export function readRun({ claims }: Pick<Measurement, 'claims'>, output: string, isGood: boolean): Row[] {
  const ratios = [...output.matchAll(ratioLine)].map(({ groups = {} }): Row => {
    const isMet = Number(groups['ratio']) <= Number(groups['goal'])
    return {
      claim: groups['claim'] ?? '',
      figure: `${groups['figure']} ms`,
      baseline: `${groups['baseline']} ms`,
      ratio: groups['ratio'] ?? '',
      goal: `ratio at most ${groups['goal']}`,
      verdict: isMet ? 'pass' : 'miss'
    }
  })
  return [...claims.map((claim) => readClaim(claim, output, isGood)), ...ratios]
}

function readClaim(
  { claim, find, unit = '', otherUnit = unit, most, least }: Claim,
  output: string,
  isGood: boolean
): Row {
  const groups = find.exec(output)?.groups
  const { figure, baseline, ratio } = groups ?? {}
  const withUnit = (value: string, of = unit): string => `${value} ${of}`.trim()
  const limit = most !== undefined ? `at most ${most}` : least !== undefined ? `at least ${least}` : null
  const goal = limit === null ? 'the run passes' : ratio === undefined ? withUnit(limit) : `ratio ${limit}`
  if (figure === undefined)
    return { claim, figure: '', baseline: '', ratio: '', goal, verdict: isGood ? 'no figure' : 'miss' }
  const measured = Number(ratio ?? figure)
  const isMet = isGood && measured <= (most ?? Infinity) && measured >= (least ?? -Infinity)
  return {
    claim,
    figure: withUnit(figure),
    baseline: baseline === undefined ? '' : withUnit(baseline, otherUnit),
    ratio: ratio === undefined ? '' : String(Math.round(Number(ratio) * 1_000) / 1_000),
    goal,
    verdict: isMet ? 'pass' : 'miss'
  }
}

/**
 * Runs everything and writes docs/proof.html, or `isQuick` the short forms and out/proof.html; true if every claim
 * held. `only` and `isContinued` (what has not been run yet) keep the other runs of the page.
 */
export async function provePage({
  isQuick,
  isContinued,
  seed,
  only
}: {
  isQuick: boolean
  isContinued: boolean
  seed: number
  only: readonly string[]
}): Promise<boolean> {
  const known: Run[] =
    !isQuick && (isContinued || only.length > 0) && existsSync(fullRuns)
      ? JSON.parse(readFileSync(fullRuns, 'utf8'))
      : []
  const runs = new Map(known.map((run) => [nameOf(run.command), run]))
  const chosen = measurements.flatMap((measurement) => {
    const words = (isQuick ? measurement.quick : measurement.run)?.(seed)
    return words ? [{ measurement, words, command: `npm run ${words[0] ?? ''} -- ${words.slice(1).join(' ')}` }] : []
  })
  for (const { measurement, words, command } of chosen) {
    if (only.length > 0 ? !only.includes(words[1] ?? '') : runs.has(nameOf(command))) continue
    process.stdout.write(`${command} …\n`)
    const startedAt = new Date()
    const { output, isGood } = await runWords(words)
    const rows = readRun(measurement, output, isGood)
    for (const row of rows)
      process.stdout.write(
        `  ${row.verdict.padEnd(9)} ${row.claim}: ${row.figure}${row.ratio ? ` (${row.ratio} of ${row.baseline})` : ''}, goal ${row.goal}\n`
      )
    if (rows.length === 0 || rows.some(({ verdict }) => verdict !== 'pass'))
      process.stdout.write(`${output.slice(-2_000)}\n`)
    const tookS = Math.round((Date.now() - startedAt.getTime()) / 1000)
    process.stdout.write(`  ${tookS} s\n`)
    runs.set(nameOf(command), {
      command,
      at: startedAt.toISOString().slice(0, 16).replace('T', ' '),
      tookS,
      ...describePlace(),
      rows
    })
    // Written after each run: a computer that is switched off in between leaves what was measured so far.
    const inOrder = chosen.flatMap((one) => runs.get(nameOf(one.command)) ?? [])
    if (!isQuick) writeFileSync(fullRuns, `${JSON.stringify(inOrder, null, 1)}\n`)
    writeFileSync(
      isQuick ? quickPage : fullPage,
      pageOf(inOrder, isQuick ? 'The short form.' : `${inOrder.length} of ${chosen.length} runs.`)
    )
  }
  return chosen.every(
    ({ command }) => runs.get(nameOf(command))?.rows.every(({ verdict }) => verdict === 'pass') ?? true
  )
}

/** A command without its numbers: another seed replaces the same run. */
const nameOf = (command: string): string => command.replaceAll(/ \d+/g, '')

async function runWords([kind = '', ...rest]: string[]): Promise<{ output: string; isGood: boolean }> {
  const child = spawn(process.execPath, [join(projectFolder, 'test', kind === 'test' ? '' : kind, 'run.ts'), ...rest], {
    cwd: projectFolder,
    env: { ...process.env, NO_COLOR: '1' }
  })
  let output = ''
  const hear = (part: Buffer): void => void (output += part.toString())
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { output, isGood: code === 0 }
}

function describePlace(): Pick<Run, 'commit' | 'machine'> {
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: projectFolder,
    encoding: 'utf8'
  }).stdout.trim()
  return {
    commit,
    machine: `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, ${(totalmem() / 2 ** 30).toFixed(0)} GB, ${type()} ${release()}, Node ${process.versions.node}`
  }
}

const escape = (text: string): string => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/**
 * The page: each claim with its figure, the other side of the same run, the goal, and where and when it was measured.
 */
export function pageOf(runs: readonly Run[], extent: string): string {
  const rows = runs.flatMap((run) => run.rows)
  const counts = (['pass', 'miss', 'no figure'] as const)
    .map((verdict) => `${rows.filter((row) => row.verdict === verdict).length} ${verdict}`)
    .join(', ')
  const machines = [...new Set(runs.map(({ machine }) => machine))]
  const lines = runs.flatMap(({ command, at, tookS, commit, rows: own }) =>
    own.map(
      (row) =>
        `<tr class="${row.verdict.replace(' ', '-')}"><td>${[row.verdict, row.claim, row.figure, row.baseline, row.ratio, row.goal].map(escape).join('</td><td>')}</td><td><code>${escape(command)}</code><br>${at} UTC, ${tookS} s, at ${escape(commit)}</td></tr>`
    )
  )
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>What Fitter claims, measured</title>
<style>body{font:15px/1.5 system-ui;margin:32px;max-width:1400px}table{border-collapse:collapse;width:100%}td,th{padding:6px 10px;border-bottom:1px solid #ccc;text-align:left;vertical-align:top}td:last-child{font-size:13px}.miss td:first-child{color:#b3261e;font-weight:700}.no-figure td:first-child{color:#8a5a00;font-weight:700}.pass td:first-child{color:#17653c}</style>
<h1>What Fitter claims, measured</h1>
<p>Each line is a claim, its figure, and the other side measured in the same run. The number in a command is the seed where it takes one. ${extent} ${counts}.</p>
${machines.map((machine) => `<p>${escape(machine)}</p>`).join('\n')}
<table><tr><th>Verdict</th><th>Claim</th><th>Figure</th><th>Other side</th><th>Ratio</th><th>Goal</th><th>Run</th></tr>
${lines.join('\n')}
</table></html>
`
}
