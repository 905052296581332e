import { spawnSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
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
  command: string
}

const pageFile = join(projectFolder, 'docs', 'proof.html')

/** The lines that `sayRatio` prints, whatever the benchmark: both sides in turn, and the goal. */
const ratioLine = /^(?<claim>\S.*?)\s+(?<figure>[\d.]+) ms \(p95 [\d.]+\) against (?<baseline>[\d.]+) ms: (?<ratio>[\d.]+), goal (?<goal>[\d.]+)/gm

/** What a run proved: a line for each of its claims, and for each ratio that it printed. A failed run proves nothing. */
export function readRun({ claims }: Pick<Measurement, 'claims'>, command: string, output: string, isGood: boolean): Row[] {
  const ratios = [...output.matchAll(ratioLine)].map(({ groups = {} }): Row => {
    const isMet = Number(groups['ratio']) <= Number(groups['goal'])
    return { claim: groups['claim'] ?? '', figure: `${groups['figure']} ms`, baseline: `${groups['baseline']} ms`, ratio: groups['ratio'] ?? '', goal: `ratio at most ${groups['goal']}`, verdict: isMet ? 'pass' : 'miss', command }
  })
  return [...claims.map((claim) => readClaim(claim, command, output, isGood)), ...ratios]
}

function readClaim({ claim, find, unit = '', most, least }: Claim, command: string, output: string, isGood: boolean): Row {
  const groups = find.exec(output)?.groups
  const { figure, baseline, ratio } = groups ?? {}
  const goal = most !== undefined ? `at most ${most}` : least !== undefined ? `at least ${least}` : 'the run passes'
  if (figure === undefined) return { claim, figure: '', baseline: '', ratio: '', goal, verdict: isGood ? 'no figure' : 'miss', command }
  const measured = Number(ratio ?? figure)
  const isMet = isGood && measured <= (most ?? Infinity) && measured >= (least ?? -Infinity)
  const withUnit = (value: string): string => (unit === '' ? value : `${value} ${unit}`)
  return { claim, figure: withUnit(figure), baseline: baseline === undefined ? '' : withUnit(baseline), ratio: ratio === undefined ? '' : String(Math.round(Number(ratio) * 1_000) / 1_000), goal: ratio === undefined ? withUnit(goal) : `ratio ${goal}`, verdict: isMet ? 'pass' : 'miss', command }
}

/** Runs everything (`isQuick`: the short forms) and writes docs/proof.html; true if every claim held. */
export async function provePage({ isQuick, seed, only }: { isQuick: boolean; seed: number; only: readonly string[] }): Promise<boolean> {
  const rows: Row[] = []
  const startedAt = new Date()
  for (const measurement of measurements) {
    const words = (isQuick ? measurement.quick : measurement.run)?.(seed)
    if (!words || (only.length > 0 && !only.includes(words[1] ?? ''))) continue
    const command = `npm run ${words[0] ?? ''} -- ${words.slice(1).join(' ')}`
    process.stdout.write(`${command} …\n`)
    const startedMs = performance.now()
    const { output, isGood } = await runWords(words)
    const made = readRun(measurement, command, output, isGood)
    for (const row of made) process.stdout.write(`  ${row.verdict.padEnd(9)} ${row.claim}: ${row.figure}${row.ratio ? ` (${row.ratio} of ${row.baseline})` : ''}, goal ${row.goal}\n`)
    if (made.length === 0) process.stdout.write(`  no figure\n${output.slice(-2_000)}\n`)
    process.stdout.write(`  ${((performance.now() - startedMs) / 1000).toFixed(0)} s\n`)
    rows.push(...made)
    // Written after each run: a computer that is switched off in between leaves what was measured so far.
    writeFileSync(pageFile, pageOf({ rows, seed, isQuick, startedAt, machine: describeMachine() }))
  }
  return rows.every(({ verdict }) => verdict === 'pass')
}

async function runWords([kind = '', ...rest]: string[]): Promise<{ output: string; isGood: boolean }> {
  const child = spawn(process.execPath, [join(projectFolder, 'test', kind, 'run.ts'), ...rest], { cwd: projectFolder, env: { ...process.env, NO_COLOR: '1' } })
  let output = ''
  const hear = (part: Buffer): void => void (output += part.toString())
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { output, isGood: code === 0 }
}

function describeMachine(): string {
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: projectFolder, encoding: 'utf8' }).stdout.trim()
  return `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, ${(totalmem() / 2 ** 30).toFixed(0)} GB, ${type()} ${release()}, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1) ?? ''}, commit ${commit}`
}

const escape = (text: string): string => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)

export function pageOf({ rows, seed, isQuick, startedAt, machine }: { rows: readonly Row[]; seed: number; isQuick: boolean; startedAt: Date; machine: string }): string {
  const counts = (['pass', 'miss', 'no figure'] as const).map((verdict) => `${rows.filter((row) => row.verdict === verdict).length} ${verdict}`).join(', ')
  const lines = rows.map((row) => `<tr class="${row.verdict.replace(' ', '-')}"><td>${[row.verdict, row.claim, row.figure, row.baseline, row.ratio, row.goal].map(escape).join('</td><td>')}</td><td><code>${escape(row.command)}</code></td></tr>`)
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>What Fitter claims, measured</title>
<style>body{font:15px/1.5 system-ui;margin:32px;max-width:1200px}table{border-collapse:collapse;width:100%}td,th{padding:6px 10px;border-bottom:1px solid #ccc;text-align:left;vertical-align:top}.miss td:first-child{color:#b3261e;font-weight:700}.no-figure td:first-child{color:#8a5a00;font-weight:700}.pass td:first-child{color:#17653c}</style>
<h1>What Fitter claims, measured</h1>
<p>Each line is a claim, the figure of this run, and the other side measured in the same run. ${isQuick ? 'This is the short form' : 'This is the full run'} of ${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC, seed ${seed}: ${counts}.</p>
<p>${escape(machine)}</p>
<table><tr><th>Verdict</th><th>Claim</th><th>Figure</th><th>Other side</th><th>Ratio</th><th>Goal</th><th>Run</th></tr>
${lines.join('\n')}
</table></html>
`
}
