import { createHash } from 'node:crypto'
import type { Snapshot, SnapshotLine } from '../../../preload/contract/diagnosis/snapshots.ts'
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
      const sha256 = createHash('sha256').update(text).digest('hex')
      const id = `file-${sha256}`
      const snapshot = lineOf(content, { id, sha256, sizeBytes: Buffer.byteLength(text), isOpened: true })
      files.delete(id)
      files.set(id, { snapshot, content, text })
      for (const other of files.keys()) if (files.size > most) files.delete(other)
      return snapshot
    },
    get(id: string): Pick<Opened, 'snapshot' | 'content'> | undefined {
      const one = files.get(id)
      return one && { snapshot: one.snapshot, content: one.content }
    },
    text: (id: string): string | undefined => files.get(id)?.text
  }
}
