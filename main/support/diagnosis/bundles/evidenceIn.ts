import { z } from 'zod'
import type { Json } from '../../../../preload/contract/define.ts'
import type { Evidence } from '../../../../preload/contract/support/evidence.ts'
import type { Snapshot } from '../../../../preload/contract/support/snapshots.ts'
import type { Measures } from '../diagnosis.ts'
import { evidenceOf } from '../snapshots/evidence.ts'
import { readSnapshot } from '../snapshots/fileForm.ts'
import type { Bundle } from './opened.ts'

export interface BundleEvidence {
  evidence: Evidence
  measures: Measures
}

/** The evidence of a bundle, and its writer's limits; without live evidence, its newest snapshot. */
export async function seenIn(
  bundle: Pick<Bundle, 'evidence' | 'limits' | 'snapshots'>,
  standard: Measures
): Promise<BundleEvidence | null> {
  const evidence = hasWitness(bundle.evidence) ? bundle.evidence : evidenceOfLast(await snapshotsIn(bundle))
  return evidence && { evidence, measures: measuresIn(bundle.limits, standard) }
}

/** The snapshots of a bundle, oldest first, without invalid ones. */
export async function snapshotsIn(bundle: Pick<Bundle, 'snapshots'>): Promise<Snapshot[]> {
  return (await bundle.snapshots()).flatMap((file) => {
    const read = readSnapshot(`${JSON.stringify(file, null, 1)}\n`)
    return read.outcome === 'read' ? [read.snapshot] : []
  })
}

function evidenceOfLast(snapshots: readonly Snapshot[]): Evidence | null {
  const last = snapshots.at(-1)
  return last ? evidenceOf(last) : null
}

/** Some witness answered, even if only that nothing is shown. */
function hasWitness(evidence: Evidence | null): evidence is Evidence {
  if (evidence === null) return false
  const { device, gateway } = evidence
  return device?.state === 'answers' || gateway?.state === 'answers' || gateway?.state === 'notShown'
}

const numbers = z.record(z.string(), z.number())
const kept = z.object({ limits: numbers, tolerances: numbers })

/** The writer's limits, as far as they are known in this version. */
export function measuresIn(limits: Json | null, standard: Measures): Measures {
  const read = kept.safeParse(limits)
  if (!read.success) return standard
  return {
    limits: known(standard.limits, read.data.limits),
    tolerances: known(standard.tolerances, read.data.tolerances)
  }
}

function known<T extends object>(standard: T, given: Readonly<Record<string, number>>): T {
  const names = Object.keys(standard).filter((name) => Object.hasOwn(given, name))
  return { ...standard, ...Object.fromEntries(names.map((name) => [name, given[name]])) }
}
