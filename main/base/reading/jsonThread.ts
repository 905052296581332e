import { parentPort, workerData } from 'node:worker_threads'
import { checkJson } from './checkJson.ts'
import { takeApart } from './jsonPieces.ts'

/** Runs in a separate thread (json.ts): parses one large answer and returns it piece by piece, each on request. */
const checked = checkJson(new TextDecoder().decode(workerData as Uint8Array))
if (checked.kind !== 'json') parentPort?.postMessage(checked)
else {
  const pieces = takeApart(checked.value)
  const next = (): void => {
    const step = pieces.next()
    parentPort?.postMessage(step.done ? { kind: 'end' } : step.value)
  }
  parentPort?.on('message', next)
  next()
}
