import fs from 'node:fs'
import { message, type Message } from '../../../preload/contract/messages.ts'

let failure: NodeJS.ErrnoException | undefined
let isWatched = false

/**
 * The reader of the output may disappear at any time (head, a closed window): no reason to stop in the middle of a
 * step.
 */
export function surviveLostOutput(): void {
  if (isWatched) return
  isWatched = true
  process.stdout.on('error', (error) => (failure ??= error))
  process.stderr.on('error', () => undefined)
}

/**
 * Why the output did not reach anybody; undefined when it did, as far as the system tells. `last`: the failure of the
 * last write, which is told there first.
 */
export function sayLostOutput(last: NodeJS.ErrnoException | null | undefined): Message | undefined {
  const first = failure ?? last ?? undefined
  if (first === undefined && !isClosed()) return undefined
  const code = first === undefined ? 'EBADF' : (first.code ?? first.message)
  const reason = /^(ENOSPC|EDQUOT)$/.test(code)
    ? 'full'
    : /^(EPIPE|EBADF|ECONNRESET|ERR_STREAM_DESTROYED)$/.test(code)
      ? 'closed'
      : 'other'
  return message('terminal.outputLost', { reason, code })
}

/**
 * Whether standard output was closed before the start. Node.js opens /dev/null for reading and writing in its place,
 * which a shell that discards output opens for writing only. If standard error is the same, whoever started Fitter
 * discards both.
 */
function isClosed(): boolean {
  return process.platform === 'linux' && isPlaceholder(1) && !isPlaceholder(2)
}

function isPlaceholder(handle: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(fs.readFileSync(`/proc/self/fdinfo/${handle}`, 'utf8'))?.[1] ?? '0'
    return (
      fs.readlinkSync(`/proc/self/fd/${handle}`) === '/dev/null' && (parseInt(flags, 8) & 3) === fs.constants.O_RDWR
    )
  } catch {
    // Without these files nothing is known.
    return false
  }
}
