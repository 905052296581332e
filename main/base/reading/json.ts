import { checkJson, type CheckedJson } from './checkJson.ts'
import { openThread } from '../threads/thread.ts'
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

async function parseInThread(bytes: Uint8Array, signal: AbortSignal | undefined): Promise<ReadJson> {
  const own = new Uint8Array(bytes)
  const whole: { value: unknown } = { value: undefined }
  const thread = openThread<Uint8Array, Exclude<ReadJson, { kind: 'json' }> | { kind: 'end' }, Piece>(
    'jsonThread',
    import.meta.url,
    { resourceLimits: { maxOldGenerationSizeMb: mostMegabytes } }
  )
  try {
    const answer = await thread.ask(own, {
      signal,
      transfer: [own.buffer],
      onNews(piece, reply) {
        putPiece(whole, piece)
        // The next piece comes only when everything else has had its turn.
        setImmediate(() => reply('next'))
      }
    })
    return answer.kind === 'end' ? { kind: 'json', value: whole.value } : answer
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
    return { kind: 'tooMany' }
  } finally {
    void thread.close()
  }
}
