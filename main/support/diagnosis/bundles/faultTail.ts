import fs from 'node:fs'
import type { Json } from '../../../../preload/contract/define.ts'

const tailBytes = 256 * 1024

/** The last logged faults, oldest first; none without a log file. Each line is a time and a text as JSON. */
export function readFaultTail(file: string): Json[] {
  if (!fs.statSync(file, { throwIfNoEntry: false })?.isFile()) return []
  const handle = fs.openSync(file, 'r')
  try {
    const { size } = fs.fstatSync(handle)
    const from = Math.max(0, size - tailBytes)
    const bytes = Buffer.alloc(Math.min(size, tailBytes))
    const read = fs.readSync(handle, bytes, 0, bytes.length, from)
    const lines = bytes.toString('utf8', 0, read).split('\n')
    // The first line may be truncated at its start.
    return lines.slice(from > 0 ? 1 : 0).flatMap(asFault)
  } finally {
    fs.closeSync(handle)
  }
}

function asFault(line: string): Json[] {
  const space = line.indexOf(' ')
  if (space < 0) return []
  try {
    const text: unknown = JSON.parse(line.slice(space + 1))
    return [{ at: line.slice(0, space), text: typeof text === 'string' ? text : line }]
  } catch (error) {
    if (error instanceof SyntaxError) return [{ at: null, text: line }]
    throw error
  }
}
