import type { BundlePart, BundlePartKind } from '../../../preload/contract/support/bundles.ts'
import { formatWhen } from '../../base/format.ts'
import { t } from '../../base/texts.ts'

/** A part of the file that can be read as text. */
export interface BundleRow {
  name: string
  title: string
  /** How many, and from when to when. */
  note: string
  bytes: number
}

/** The contents as people think of them; null: not there yet. */
export interface BundleGroup {
  id: GroupId | 'photos'
  title: string
  note: string
  bytes: number | null
  rows: BundleRow[]
}

const groups = {
  diagnosis: ['evidence', 'limits', 'snapshot', 'recording'],
  answers: ['answers'],
  job: ['job', 'journal', 'operations', 'timeline'],
  sent: ['writes'],
  known: ['vehicle', 'device'],
  fitter: ['about', 'versions', 'faults', 'selfTest']
} as const satisfies Record<string, readonly BundlePartKind[]>
type GroupId = keyof typeof groups

/** The contents of a bundle. While it is made every group has its place, so that nothing moves when it is ready. */
export function bundleGroups(parts: readonly BundlePart[] | null): BundleGroup[] {
  const made = (Object.keys(groups) as GroupId[]).map((id): BundleGroup => {
    const own = (parts ?? []).filter(({ kind }) => (groups[id] as readonly BundlePartKind[]).includes(kind))
    return {
      id,
      title: t(`windowBundles.group.${id}`),
      note: parts ? noteOf(id, own) : '',
      bytes: parts && sumOf(own),
      rows: own.map(rowOf)
    }
  })
  const photos = (parts ?? []).filter(({ kind }) => kind === 'photo')
  const isThere = ({ id, rows }: BundleGroup) => rows.some(({ bytes }) => bytes > 0) || id === 'sent'
  return [
    ...(parts ? made.filter(isThere) : made),
    ...(photos.length > 0
      ? [
          {
            id: 'photos' as const,
            title: t('windowBundles.part.photo'),
            note: t('common.nPhotos', { n: photos.length }),
            bytes: sumOf(photos),
            rows: []
          }
        ]
      : [])
  ]
}

function noteOf(id: GroupId, own: readonly BundlePart[]): string {
  const itemsOf = (kind: BundlePartKind) =>
    own.filter((part) => part.kind === kind).reduce((sum, { items }) => sum + (items ?? 1), 0)
  switch (id) {
    case 'diagnosis':
      return t('windowBundles.note.diagnosis', { n: itemsOf('snapshot') })
    case 'answers':
      return t('windowBundles.note.answers', { n: itemsOf('answers') })
    case 'job':
      return t('windowBundles.note.job', { n: itemsOf('journal') })
    case 'sent':
      return t('windowBundles.note.sent', { n: itemsOf('writes') })
    default:
      return t(`windowBundles.note.${id}`)
  }
}

function sumOf(parts: readonly BundlePart[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0)
}

function rowOf({ name, kind, bytes, items, from, to }: BundlePart): BundleRow {
  const count = items === null ? '' : t('common.nEntries', { n: items })
  const span =
    from === null
      ? ''
      : to === null || to === from
        ? formatWhen(from)
        : t('common.fromToTo', { from: formatWhen(from), to: formatWhen(to) })
  return {
    name,
    title: t(`windowBundles.part.${kind}`),
    note: [count, span].filter((text) => text !== '').join(', '),
    bytes
  }
}
