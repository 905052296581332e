import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '../../preload/contract/errors.ts'
import { openFolder, openStore, type Store } from '../../main/data/store/index.ts'
import {
  copyFolder,
  damageCase,
  makeDamageBase,
  readContents,
  type Contents,
  type DamageBase,
  type DamageCase
} from '../world/data/damage.ts'
import { memoryFolder } from '../world/memoryFolder.ts'

export interface DamageResult {
  files: number
  outcomes: Record<string, number>
  /** Data differ from what was kept, and nothing says so. */
  silentlyWrong: string[]
  /** Not opened: with a reason, or with a fault. */
  refused: string[]
  /** Of files of which one page was hit: the least share of rows, and of all of them together. */
  onePage: { files: number; leastShare: number; share: number }
  /** Work that waits again although it was sent. */
  doubled: string[]
}

/**
 * Damages files in every way and opens each as the window does. `isToday`: as it was opened before damaged files were
 * mended.
 */
export async function proveDamage({
  files,
  seed,
  isToday = false
}: {
  files: number
  seed: number
  isToday?: boolean
}): Promise<DamageResult> {
  const folder = fs.mkdtempSync(path.join(memoryFolder, 'fitter-damage-'))
  const result: DamageResult = {
    files,
    outcomes: {},
    silentlyWrong: [],
    refused: [],
    onePage: { files: 0, leastShare: 1, share: 0 },
    doubled: []
  }
  try {
    const base = await makeDamageBase(folder)
    const shares: number[] = []
    for (let number = 0; number < files; number++) {
      const one = damageCase(base, number, seed)
      const copy = path.join(folder, 'copy')
      fs.rmSync(copy, { recursive: true, force: true })
      copyFolder(base[one.of], copy)
      one.damage(copy)
      const share = await look({ result, base, one, copy, name: `${number} ${one.kind}`, isToday })
      if (one.kind === 'onePage' && share !== undefined) shares.push(share)
    }
    result.onePage = {
      files: shares.length,
      leastShare: Math.min(1, ...shares),
      share: shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length)
    }
    return result
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

interface Look {
  result: DamageResult
  base: DamageBase
  one: DamageCase
  copy: string
  name: string
  isToday: boolean
}

/** Opens one and holds it against what was kept; the share of rows that are there and right. */
async function look({ result, base, one, copy, name, isToday }: Look): Promise<number | undefined> {
  const kept = base.contents[one.of]
  let store: Store
  let findings: string[]
  let how: string
  try {
    store = isToday ? openStore(copy) : await openFolder(copy)
  } catch (error) {
    result.refused.push(`${name}: ${error instanceof AppError ? error.sentence.id : String(error)}`)
    return undefined
  }
  try {
    how = isToday && store.losses().length > 0 ? 'loss told' : store.opening.how
    use(store)
    findings = [...(await store.check()).findings, ...store.losses()].map(({ id }) => id)
  } catch (error) {
    if (!(error instanceof AppError)) {
      result.refused.push(`${name}: ${String(error)}`)
      return undefined
    }
    findings = [error.sentence.id]
    how = 'refused while it was used'
  } finally {
    store.close()
  }
  result.outcomes[how] = (result.outcomes[how] ?? 0) + 1
  const { missing, changed, doubled } = compare(kept, readIfPossible(copy))
  // Whoever opens a mended file is told that values outside the job logs cannot be verified: one of them may be wrong.
  const isTold =
    findings.length > 0 ||
    ['salvaged', 'begunAnew'].includes(how) ||
    (how === 'mended' && missing.length === 0 && changed.every((key) => !isVerified.test(key)))
  if (missing.length + changed.length > 0 && !isTold)
    result.silentlyWrong.push(`${name}: ${[...missing, ...changed].slice(0, 3).join(', ')}`)
  for (const id of doubled) result.doubled.push(`${name}: ${id}`)
  return 1 - (missing.length + changed.length) / kept.size
}

function readIfPossible(folder: string): Contents {
  try {
    return readContents(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return new Map()
    throw error
  }
}

/** What the first screens ask for. */
function use(store: Store): void {
  const page = store.jobs.page({ limit: 50 })
  for (const { id } of page.jobs.slice(0, 5)) store.jobs.journal(id)
  ;[...store.jobs.inState('running')].slice(0, 5)
  store.operations.page({ scope: 'open', before: null, limit: 50 })
  store.settings.get()
  store.outputLedger.open()
  store.knownDevices.page({ limit: 20, without: [] })
}

/** A mended file is said to have its job logs verified; work that is sent must be right as well. */
const isVerified = /^(job|journal|operation) /

const sendable = /"state":"(draft|blocked|pending)"/

function compare(kept: Contents, now: Contents): { missing: string[]; changed: string[]; doubled: string[] } {
  const missing: string[] = []
  const changed: string[] = []
  const doubled: string[] = []
  for (const [key, row] of kept) {
    const present = now.get(key)
    if (present === undefined) missing.push(key)
    // Work that is held back stands elsewhere than before; what it is to do is the same.
    else if (present !== row && !(key.startsWith('operation ') && isHeldBack(present, row))) changed.push(key)
    if (present !== undefined && key.startsWith('operation ') && !sendable.test(row) && sendable.test(present))
      doubled.push(key)
  }
  return { missing, changed, doubled }
}

function isHeldBack(present: string, row: string): boolean {
  const rid = (text: string) =>
    JSON.stringify({ ...(JSON.parse(text) as object), state: '', reason: '', updated_at: '', claim: '' })
  return rid(present) === rid(row)
}

export function sayDamage({ files, outcomes, silentlyWrong, refused, onePage, doubled }: DamageResult): string {
  const percent = (share: number): string => `${(share * 100).toFixed(2)} %`
  return [
    ...[
      ...silentlyWrong.map((line) => `silently wrong: ${line}`),
      ...refused.map((line) => `refused: ${line}`),
      ...doubled.map((line) => `could be sent twice: ${line}`)
    ].slice(0, 60),
    `Damaged files: ${files}; ${Object.entries(outcomes)
      .map(([how, n]) => `${how} ${n}`)
      .join(', ')}; not opened ${refused.length}`,
    `One page hit: ${onePage.files} files, rows there and right ${percent(onePage.share)} in all, ${percent(onePage.leastShare)} at least`,
    `Silently wrong: ${silentlyWrong.length}; work that could be sent twice: ${doubled.length}`
  ].join('\n')
}
