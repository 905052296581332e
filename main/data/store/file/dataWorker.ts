import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../../../../preload/contract/errors.ts'
import { runDataWork, type DataWork } from './dataWork.ts'

// Runs in a separate thread, so that the thread that watches an output never waits for a whole file to be read.
const port = parentPort
if (!port) throw new Error('This file is started as a worker')

runDataWork(workerData as DataWork, (done, total) => port.postMessage({ done, total })).then(
  (result) => port.postMessage({ result }),
  (error: unknown) => {
    if (!(error instanceof AppError)) throw error
    port.postMessage({ failure: error.toData() })
  }
)
