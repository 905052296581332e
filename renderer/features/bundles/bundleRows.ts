import type { BundlePart, BundlePartKind } from '../../../preload/contract/diagnosis/bundles.ts'
import { formatWhen } from '../../format.ts'
import { t } from '../../texts.ts'

/** A line of the preview: one part, or all photos together. */
export interface BundleRow {
  key: string
  title: string
  /** How many, and from when to when. */
  note: string
  bytes: number
  /** The part that can be looked at as text; null for pictures. */
  part: string | null
}

/** The contents of a bundle, in the order of the file. */
export function bundleRows(parts: readonly BundlePart[]): BundleRow[] {
  const photos = parts.filter(({ kind }) => kind === 'photo')
  const rows = parts.filter(({ kind }) => kind !== 'photo').map((part): BundleRow => ({ key: part.name, title: titleOf(part.kind), note: noteOf(part), bytes: part.bytes, part: part.name }))
  if (photos.length === 0) return rows
  const bytes = photos.reduce((sum, photo) => sum + photo.bytes, 0)
  return [...rows, { key: 'photos', title: titleOf('photo'), note: t('common.nPhotos', { n: photos.length }), bytes, part: null }]
}

function titleOf(kind: BundlePartKind): string {
  return t(`windowBundles.part.${kind}`)
}

function noteOf({ items, from, to }: BundlePart): string {
  const count = items === null ? '' : t('windowBundles.items', { n: items })
  const span = from === null ? '' : to === null || to === from ? formatWhen(from) : t('common.fromToTo', { from: formatWhen(from), to: formatWhen(to) })
  return [count, span].filter((text) => text !== '').join(', ')
}
