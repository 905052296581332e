import type { Snapshot, SnapshotLine } from '../../../../preload/contract/support/snapshots.ts'
import { sha256Hex } from '../../../data/store/jobs/seal.ts'
import { keepLatest } from '../keepLatest.ts'
import { lineOf } from './make.ts'

const most = 12

interface Opened {
  snapshot: SnapshotLine
  content: Snapshot
  text: string
}

/** Snapshots from files that were opened in this run: they can be viewed and compared, but are not stored. */
export function createOpenedSnapshots() {
  const files = new Map<string, Opened>()
  return {
    add(content: Snapshot, text: string): SnapshotLine {
      const sha256 = sha256Hex(text)
      const id = `file-${sha256}`
      const snapshot = lineOf(content, { id, sha256, sizeBytes: Buffer.byteLength(text), isOpened: true })
      return keepLatest(files, id, { snapshot, content, text }, most).snapshot
    },
    get(id: string): Pick<Opened, 'snapshot' | 'content'> | undefined {
      const one = files.get(id)
      return one && { snapshot: one.snapshot, content: one.content }
    },
    text: (id: string): string | undefined => files.get(id)?.text
  }
}
