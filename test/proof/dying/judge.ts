import Database from 'better-sqlite3'
import { rmSync } from 'node:fs'
import { checkData } from '../../../main/data/store/damage/checkDataFile.ts'
import { english } from '../../world/window/english.ts'
import type { Ring, Struck } from './strike.ts'
import { openTools, untilRest } from './tools.ts'
import { effectsOf, operationsOf, transactions } from './transactions.ts'

/** What went wrong at a point; nothing of it may ever be there. */
export interface Verdict {
  /** Told as kept, and not there. */
  lost: string[]
  halfApplied: string[]
  /** More than one effect at the gateway, or the same twice in the data. */
  doubled: string[]
  /** Told as not kept, and there all the same. */
  falselyDenied: string[]
  /** It ended by a fault of its own, or the folder could not be opened or is damaged. */
  faults: string[]
}

export function noVerdict(): Verdict {
  return { lost: [], halfApplied: [], doubled: [], falselyDenied: [], faults: [] }
}

interface Told {
  word: string
  index: number
  round: number
  sentence: string
}

const deniedFor: readonly string[] = ['store.notKept', 'store.diskFull']

/**
 * Opens what a process left behind as the next start does, goes on with what waits, and holds it against what was told.
 */
export async function judge(ring: Ring, struck: Struck, where: string, verdict: Verdict): Promise<void> {
  if (struck.stderr !== '') verdict.faults.push(`${where}: ${struck.stderr}`)
  const told = struck.lines.flatMap(readTold)
  let tools
  try {
    tools = openTools(struck.folder, struck.access)
  } catch (error) {
    return void verdict.faults.push(`${where}: the folder does not open: ${String(error)}`)
  }
  try {
    const sql = new Database(tools.store.file, { readonly: true })
    const { ok, findings } = checkData(sql, {}, () => undefined)
    sql.close()
    if (!ok) verdict.faults.push(`${where}: ${findings.map(english).join(' ')}`)
    await untilRest(tools)
    for (let round = struck.first; round < struck.first + ring.rounds; round++) {
      if (tools.store.jobs.journal(`job-${round}`).length > 0) await tools.sealing.seal(`job-${round}`)
      for (const [index, { name, look, isTakenUp }] of transactions.entries()) {
        const place = `${where}: ${name}, round ${round}`
        const said = told.filter((one) => one.index === index && one.round === round)
        const standing = look(tools, round)
        if (typeof standing === 'object')
          (/^\d+ of /.test(standing.neither) && isMore(standing.neither) ? verdict.doubled : verdict.halfApplied).push(
            `${place}: ${standing.neither}`
          )
        if (said.some(({ word }) => word === 'KEPT') && standing !== 'whole') verdict.lost.push(place)
        if (
          said.length > 0 &&
          !isTakenUp &&
          said.every(({ word, sentence }) => word === 'TOLD' && deniedFor.includes(sentence)) &&
          standing === 'whole'
        )
          verdict.falselyDenied.push(place)
      }
      judgeEffects(ring, tools.store, round, where, verdict)
    }
  } catch (error) {
    verdict.faults.push(`${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  } finally {
    await tools.close()
    rmSync(struck.folder, { recursive: true, force: true })
  }
}

function judgeEffects(
  { gateway }: Ring,
  store: Parameters<typeof operationsOf>[0],
  round: number,
  where: string,
  verdict: Verdict
): void {
  const operations = operationsOf(store, round)
  const { assets, links } = effectsOf(gateway, round)
  const states = operations.map(({ kind, state }) => `${kind} ${state}`).join(', ')
  if (assets > 1 || links > 1)
    verdict.doubled.push(`${where}: round ${round} has ${assets} assets and ${links} links at the gateway`)
  if (
    operations.some(({ state }) => state !== 'done') ||
    assets < operations.filter(({ kind }) => kind === 'assets.create').length ||
    links < operations.filter(({ kind }) => kind === 'entities.link').length
  ) {
    verdict.lost.push(`${where}: round ${round} has ${assets} assets and ${links} links at the gateway (${states})`)
  }
  if (operations.length === 0 && assets + links > 0)
    verdict.lost.push(`${where}: an effect of round ${round} that nothing here stands for`)
}

function readTold(line: string): Told[] {
  const [word = '', index = '', round = '', , sentence = ''] = line.split(' ')
  return word === 'KEPT' || word === 'TOLD' ? [{ word, index: Number(index), round: Number(round), sentence }] : []
}

function isMore(text: string): boolean {
  const [present = 0, wanted = 0] = text.split(' of ').map(Number)
  return present > wanted
}
