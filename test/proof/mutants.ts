import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import { buildStale, projectFolder } from '../../bin/build.ts'
import { mutantGroups, type MutantGroup } from './mutantGroups.ts'

/** Of all mutants that can be told from the original, so many have to be found by the tests of their group. */
const leastKilledPercent = 95
const survivorsFile = join(projectFolder, 'docs', 'mutants.md')

interface Survivor {
  where: string
  what: string
}

export interface MutantResult {
  group: string
  killed: number
  /** Survivors that docs/mutants.md explains: no test can tell them from the original, or none should. */
  explained: number
  survivors: Survivor[]
  /** Lines of docs/mutants.md about code that is gone, or that a test notices by now. */
  outdated: string[]
  percent: number
}

/** The first words of a survivor's line in docs/mutants.md: file, mutation and what it was put in the place of. */
function nameOf(file: string, mutation: string, original: string, replacement: string): string {
  const short = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 60)
  return `${file}: ${mutation}: \`${short(original)}\` -> \`${short(replacement)}\``
}

function readExplained(): Set<string> {
  return new Set([...readFileSync(survivorsFile, 'utf8').matchAll(/^- (.*?) \| /gm)].map(([, name = '']) => name))
}

/** Changes the code of one group in every way that the tool knows, and runs the group's tests against each change. */
async function proveGroup(name: string, group: MutantGroup, explained: ReadonlySet<string>): Promise<MutantResult> {
  const folder = mkdtempSync(join(tmpdir(), 'fitter-mutants-'))
  const config = join(folder, 'vitest.config.mjs')
  // The tests of the group alone, without the long ones: anything else would only make each mutant slower.
  writeFileSync(
    config,
    `export default { root: ${JSON.stringify('.')}, test: { environment: 'node', include: ${JSON.stringify(group.tests)}, testTimeout: 20000, env: { FITTER_OUTPUT_RUNS: '100', FITTER_OUTPUT_SHRINK: 'no' }, tags: [{ name: 'long' }], tagsFilter: ['!long'], pool: 'forks', maxWorkers: 1 } }\n`
  )
  try {
    const results = await new Stryker({
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner'],
      vitest: { configFile: config, related: false },
      mutate: group.mutate,
      concurrency: 2,
      coverageAnalysis: 'perTest',
      reporters: [],
      tempDirName: join(folder, 'sandbox'),
      ignorePatterns: ['out/*', '!out/sealPage', 'test-results', 'docs', 'renderer'],
      timeoutMS: 15_000,
      // Words are data and belong to the catalogue; what a log says decides nothing.
      mutator: { excludedMutations: ['StringLiteral'] }
    }).runMutationTest()
    const found = { killed: 0, survivors: [] as Survivor[] }
    const seen = new Set<string>()
    const files = new Set<string>()
    let known = 0
    for (const { status, fileName, mutatorName, replacement, location } of results) {
      const file = relative(projectFolder, resolve(projectFolder, fileName))
      files.add(file)
      if (status === 'Killed' || status === 'Timeout') found.killed++
      if (status !== 'Survived' && status !== 'NoCoverage') continue
      const lines = readFileSync(join(projectFolder, file), 'utf8')
        .split('\n')
        .slice(location.start.line - 1, location.end.line)
      const original =
        lines.length === 1
          ? (lines[0] ?? '').slice(location.start.column - 1, location.end.column - 1)
          : (lines[0] ?? '').slice(location.start.column - 1)
      const what = nameOf(file, mutatorName, original, replacement ?? '')
      seen.add(what)
      if (explained.has(what)) known++
      else found.survivors.push({ where: `${file}:${location.start.line}`, what })
    }
    const judged = found.killed + found.survivors.length
    const outdated = [...explained].filter((what) => files.has(what.slice(0, what.indexOf(':'))) && !seen.has(what))
    return {
      group: name,
      ...found,
      explained: known,
      outdated,
      percent: judged === 0 ? 0 : (100 * found.killed) / judged
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `npm run proof -- mutants [GROUP ...]`: at least 95 % of each group are killed, and each survivor is listed. */
export async function proveMutants(wanted: readonly string[]): Promise<boolean> {
  const unknown = wanted.filter((name) => !(name in mutantGroups))
  if (unknown.length > 0) throw new Error(`Groups are: ${Object.keys(mutantGroups).join(', ')}`)
  // The page beside a report is built once, from the unchanged code.
  await buildStale(['sealPage'])
  const explained = readExplained()
  const percents: number[] = []
  for (const [name, group] of Object.entries(mutantGroups)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const { killed, survivors, outdated, percent, explained: known } = await proveGroup(name, group, explained)
    for (const { where, what } of survivors) console.log(`  survived ${where}  ${what}`)
    for (const what of outdated) console.log(`  explained, but no survivor: ${what}`)
    console.log(`${name}: ${killed} killed, ${survivors.length} survived, ${known} explained: ${percent.toFixed(1)} %`)
    percents.push(percent)
  }
  const least = Math.min(...percents)
  console.log(`Mutants: at least ${least.toFixed(1)} % in each of ${percents.length} groups`)
  return least >= leastKilledPercent
}
