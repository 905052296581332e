import { Worker } from 'node:worker_threads'
import { checkJson, type CheckedJson } from './checkJson.ts'
import { putPiece, type Piece } from './jsonPieces.ts'

export type ReadJson = CheckedJson

/** Larger ones are parsed in a separate thread, so that watching an output never waits. */
const largeBytes = 256 * 1024
/** The memory limit of that thread for one parsed answer. */
const mostMegabytes = 1024

export function isLarge(answer: Uint8Array | string): boolean {
  return answer.length > largeBytes
}

/**
 * Parses the JSON of an answer of any size. `tooDeep` and `tooMany`: no device sends that, and it would stop Fitter.
 */
export async function parseJson(bytes: Uint8Array, signal?: AbortSignal): Promise<ReadJson> {
  if (!isLarge(bytes)) return checkJson(new TextDecoder().decode(bytes))
  return parseInThread(bytes, signal)
}

// Beside the running file: the sources in development, the bundle in the delivered application.
const threadFile = new URL(import.meta.url.endsWith('.ts') ? './jsonThread.ts' : './jsonThread.mjs', import.meta.url)

function parseInThread(bytes: Uint8Array, signal: AbortSignal | undefined): Promise<ReadJson> {
  return new Promise<ReadJson>((resolve, reject) => {
    const own = new Uint8Array(bytes)
    const thread = new Worker(threadFile, {
      workerData: own,
      transferList: [own.buffer],
      resourceLimits: { maxOldGenerationSizeMb: mostMegabytes }
    })
    const whole: { value: unknown } = { value: undefined }
    const end = (settle: () => void): void => {
      signal?.removeEventListener('abort', onAbort)
      void thread.terminate()
      settle()
    }
    const onAbort = (): void => end(() => reject(signal?.reason))
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) return onAbort()
    thread.on('message', (message: Piece | Exclude<ReadJson, { kind: 'json' }> | { kind: 'end' }) => {
      if (message.kind === 'end') return end(() => resolve({ kind: 'json', value: whole.value }))
      if (message.kind !== 'piece') return end(() => resolve(message))
      putPiece(whole, message)
      // The next piece comes only when everything else has had its turn.
      setImmediate(() => thread.postMessage('next'))
    })
    thread.on('error', (error: NodeJS.ErrnoException) => {
      end(() => (error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve({ kind: 'tooMany' }) : reject(error)))
    })
  })
}
