import path from 'node:path'

/** What a process did to files, as a disk sees it. `id`: a file, whatever it is called. */
export type DiskEvent =
  | { kind: 'write'; id: number; at: number; bytes: Buffer }
  | { kind: 'truncate'; id: number; size: number }
  /** Names that come and go together; a folder is an entry without a file. */
  | { kind: 'names'; folder: string; added: [name: string, id: number | 'folder'][]; removed: string[] }
  | { kind: 'sync'; id: number }
  | { kind: 'syncFolder'; folder: string }
  | { kind: 'ack'; what: string; name: string }

export type Change = Extract<DiskEvent, { kind: 'write' | 'truncate' | 'names' }>

/** What surely is on the disk; names and contents reach it apart, each by a sync of its own. */
export interface Disk {
  contents: Map<number, Buffer>
  names: Map<string, number | 'folder'>
}

/**
 * Reads what `strace -f -y -xx` recorded below `base`. A new name is on the disk once its folder was synced, a content
 * once its file was: nothing is taken for granted of any file system.
 */
export function readTrace(trace: string, base: string, isLeftOut: (file: string) => boolean): DiskEvent[] {
  const present = new Map<string, number>()
  const offsets = new Map<string, number>()
  let files = 0
  const isOurs = (file: string): boolean => file.startsWith(`${base}/`) && !isLeftOut(file)

  function create(file: string): DiskEvent {
    files += 1
    present.set(file, files)
    return { kind: 'names', folder: path.dirname(file), added: [[file, files]], removed: [] }
  }

  function readLine(line: string): DiskEvent[] {
    const call = /^\d+\s+(\w+)\((.*)\)\s+= (\d+)/.exec(line)
    if (!call) return []
    const [, name = '', given = '', result = ''] = call
    const texts = [...given.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex]) => bytesOf(hex))
    const shown = /^(\d+)<([^>]*)>/.exec(given)
    const [, handle = '', shownPath = ''] = shown ?? []
    const file = shownPath.startsWith('\\x') ? bytesOf(shownPath).toString('utf8') : shownPath
    const id = present.get(file)
    const numbers =
      given
        .slice(given.lastIndexOf('"') + 1)
        .match(/\d+/g)
        ?.map(Number) ?? []
    switch (name) {
      case 'openat': {
        const opened = texts[0]?.toString('utf8') ?? ''
        offsets.set(result, 0)
        if (!isOurs(opened) || !given.includes('O_CREAT') || present.has(opened)) return []
        return [create(opened)]
      }
      case 'mkdir': {
        const made = texts[0]?.toString('utf8') ?? ''
        return isOurs(made)
          ? [{ kind: 'names', folder: path.dirname(made), added: [[made, 'folder']], removed: [] }]
          : []
      }
      case 'rename': {
        const [from = '', to = ''] = texts.map((text) => text.toString('utf8'))
        const moved = present.get(from)
        if (!isOurs(from) || moved === undefined) return []
        present.delete(from)
        present.set(to, moved)
        return [{ kind: 'names', folder: path.dirname(to), added: [[to, moved]], removed: [from] }]
      }
      case 'unlink': {
        const gone = texts[0]?.toString('utf8') ?? ''
        return present.delete(gone) ? [{ kind: 'names', folder: path.dirname(gone), added: [], removed: [gone] }] : []
      }
      case 'write': {
        const bytes = texts[0] ?? Buffer.alloc(0)
        const ack = /^ACK (\w+) (\w+)/.exec(bytes.toString('latin1'))
        if (ack) return [{ kind: 'ack', what: ack[1] ?? '', name: ack[2] ?? '' }]
        if (id === undefined) return []
        const at = offsets.get(handle) ?? 0
        offsets.set(handle, at + bytes.length)
        return [{ kind: 'write', id, at, bytes }]
      }
      case 'pwrite64':
        return id === undefined ? [] : [{ kind: 'write', id, at: numbers[1] ?? 0, bytes: texts[0] ?? Buffer.alloc(0) }]
      case 'ftruncate':
        return id === undefined ? [] : [{ kind: 'truncate', id, size: Number(/, (\d+)$/.exec(given)?.[1]) }]
      case 'fsync':
      case 'fdatasync':
        if (id !== undefined) return [{ kind: 'sync', id }]
        return file === base || isOurs(file) ? [{ kind: 'syncFolder', folder: file }] : []
      default:
        return []
    }
  }

  return wholeLines(trace).flatMap(readLine)
}

/** A call during which another thread made one stands in two pieces: it counts where it ended. */
function wholeLines(trace: string): string[] {
  const begun = new Map<string, string>()
  return trace.split('\n').flatMap((line) => {
    const [, thread = ''] = /^(\d+) /.exec(line) ?? []
    const unfinished = line.indexOf(' <unfinished ...>')
    if (unfinished >= 0) {
      begun.set(thread, line.slice(0, unfinished))
      return []
    }
    const resumed = /^\d+ +<\.\.\. \w+ resumed>(.*)$/.exec(line)
    return resumed ? [`${begun.get(thread) ?? ''}${resumed[1] ?? ''}`] : [line]
  })
}

function bytesOf(hex: string | undefined): Buffer {
  return Buffer.from((hex ?? '').replaceAll('\\x', ''), 'hex')
}

/** Applies what a sync makes sure and gives back the rest. */
export function settle(loose: Change[], disk: Disk, isSure: (change: Change) => boolean): Change[] {
  for (const change of loose.filter(isSure)) apply(disk, change)
  return loose.filter((change) => !isSure(change))
}

export function apply({ contents, names }: Disk, change: Change): void {
  if (change.kind === 'names') {
    for (const name of change.removed) names.delete(name)
    for (const [name, id] of change.added) names.set(name, id)
    return
  }
  const before = contents.get(change.id) ?? Buffer.alloc(0)
  if (change.kind === 'truncate') {
    const after = Buffer.alloc(change.size)
    before.copy(after)
    contents.set(change.id, after)
    return
  }
  const after = Buffer.alloc(Math.max(before.length, change.at + change.bytes.length))
  before.copy(after)
  change.bytes.copy(after, change.at)
  contents.set(change.id, after)
}

/** Any part of the loose changes, in any order, some of them torn at 512 bytes. */
export function tear(loose: Change[], random: () => number): Change[] {
  return loose
    .map((change) => ({ change, order: random() }))
    .sort((a, b) => a.order - b.order)
    .filter(() => random() < 0.5)
    .map(({ change }) => {
      if (change.kind !== 'write' || change.bytes.length <= 512 || random() > 0.3) return change
      return {
        ...change,
        bytes: change.bytes.subarray(0, 512 * (1 + Math.floor(random() * (change.bytes.length / 512 - 1))))
      }
    })
}
