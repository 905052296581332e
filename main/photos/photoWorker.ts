import { parentPort } from 'node:worker_threads'
import { preparePhoto, type PhotoInput } from './preparePhoto.ts'

// Runs in a thread of its own: a large picture takes seconds, and whoever watches an output never waits for it.
const port = parentPort
if (!port) throw new Error('This file is started as a worker')

port.on('message', (input: PhotoInput) => port.postMessage(preparePhoto(input)))
