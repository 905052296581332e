import { spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findScript, toolEnv } from '../../bin/checks.ts'
import { changeCode, countCode } from '../world/changeCode.ts'
import { ruleMutants, ruleNames } from '../world/device/outputModel/ruleMutants.ts'
import { copySources } from './copiedSources.ts'
import { runLongForm } from './longForm.ts'

const fileOf = (by: 'device' | 'gateway') => `test/job/unit/outputs/${by}Sequences.test.ts`
/** So many sequences notice every broken rule. */
const runsForBrokenRule = 6_000

/** Far above what the sequences take: who is not done by then never ends, which is noticed too. */
const hangsAfterMs = 300_000

/**
 * Random sequences of everything that can happen around outputs on the real controllers; then each rule broken, which
 * the sequences must notice.
 */
export async function proveOutputs(runs: number, seed: number): Promise<number> {
  const began = performance.now()
  const status = runLongForm(
    [fileOf('device'), fileOf('gateway')],
    { FITTER_OUTPUT_RUNS: String(runs), FITTER_OUTPUT_SEED: String(seed) },
    ['--maxWorkers', '2', '--no-color']
  )
  process.stdout.write(
    `Sequences: ${runs} for each controller, seed ${seed}, ${status === 0 ? 'no counterexample' : 'a counterexample'}, ${((performance.now() - began) / 1_000).toFixed(0)} s\n`
  )
  const survived = await breakRules(seed)
  process.stdout.write(`Broken rules: ${ruleMutants.length - survived.length} of ${ruleMutants.length} noticed\n`)
  return status === 0 && survived.length === 0 ? 0 : 1
}

async function breakRules(seed: number): Promise<string[]> {
  const folder = copySources()
  const survived: string[] = []
  try {
    for (const { rule, by, file, from, to } of ruleMutants) {
      const path = join(folder, file)
      const source = readFileSync(path, 'utf8')
      const isThere = countCode(source, from) === 1
      writeFileSync(path, changeCode(source, from, to))
      const outcome = isThere ? await playIn(folder, by, seed) : 'not there'
      writeFileSync(path, source)
      const name = `${rule}, ${ruleNames[rule]}: ${file}: ${from.trim().split('\n')[0]}`
      if (outcome === 'passed' || outcome === 'not there') survived.push(name)
      process.stdout.write(
        `${{ passed: 'SURVIVED', failed: 'noticed ', hangs: 'noticed, never ends', 'not there': 'NOT THERE ONCE' }[outcome]}  ${name}\n`
      )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return survived
}

function playIn(folder: string, by: 'device' | 'gateway', seed: number): Promise<'passed' | 'failed' | 'hangs'> {
  return new Promise((resolve, reject) => {
    // A group of its own: the workers of one that never ends must end too.
    const child = spawn(process.execPath, [findScript(['vitest', 'vitest']), 'run', fileOf(by)], {
      cwd: folder,
      env: {
        ...toolEnv,
        FITTER_OUTPUT_RUNS: String(runsForBrokenRule),
        FITTER_OUTPUT_SEED: String(seed),
        FITTER_OUTPUT_SHRINK: 'no'
      },
      stdio: 'ignore',
      detached: true
    })
    const timer = setTimeout(() => {
      resolve('hangs')
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }, hangsAfterMs)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve(code === 0 ? 'passed' : 'failed')
    })
  })
}
