import { parentPort } from 'node:worker_threads'
import { checkJson } from './checkJson.ts'
import { takeApart } from './jsonPieces.ts'

let pieces: ReturnType<typeof takeApart> | undefined

/** Runs in a separate thread (json.ts): parses one large answer and returns it piece by piece, each on request. */
parentPort?.on('message', (asked: Uint8Array | 'next') => {
  if (asked !== 'next') {
    const checked = checkJson(new TextDecoder().decode(asked))
    if (checked.kind !== 'json') return parentPort?.postMessage({ result: checked })
    pieces = takeApart(checked.value)
  }
  const step = pieces?.next()
  parentPort?.postMessage(step?.done === false ? step.value : { result: { kind: 'end' } })
})
