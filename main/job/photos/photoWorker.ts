import { parentPort } from 'node:worker_threads'
import { preparePhoto, type PhotoInput } from './preparePhoto.ts'

// Runs in a separate thread: a large picture takes seconds, and the thread that watches an output must never wait.
const port = parentPort
if (!port) throw new Error('This file is started as a worker')

port.on('message', (input: PhotoInput) => void preparePhoto(input).then((answer) => port.postMessage(answer)))
