import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createConnectionRoom } from '../../../../main/app/browserHost/connectionRoom.ts'

const withinMs = 200

/** Somebody else, who asks while this process reads nothing. */
function askFromOutside(port: number, text: string): void {
  const program = `const s = require('node:net').connect(${port}, '127.0.0.1', () => setTimeout(() => s.write(${JSON.stringify(text)}), 100)); s.on('error', () => {}).resume()`
  const child = spawn(process.execPath, ['-e', program], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
}

async function openRoom(entered: (socket: Socket) => void) {
  const room = createConnectionRoom({ most: 4, mostOfOne: 4, withinMs })
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    room.enter(socket)
    entered(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { room, port: (server.address() as AddressInfo).port }
}

const block = (forMs: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs)

test('what was sent in time is read, although this process was busy for longer than a stranger may stay', async () => {
  const read = Promise.withResolvers<string>()
  const { room, port } = await openRoom((socket) => {
    socket
      .on('close', () => read.resolve('ended'))
      .on('data', (data: Buffer) => {
        room.admit(socket)
        read.resolve(data.toString())
      })
    onTestFinished(() => void socket.destroy())
    block(4 * withinMs)
  })
  askFromOutside(port, 'in time')
  expect(await read.promise).toBe('in time')
})

test('who stays silent leaves, and who only says something stays once as long and no longer', async () => {
  const ends: string[] = []
  const bothEnded = Promise.withResolvers<void>()
  const { room, port } = await openRoom((socket) => {
    let said = ''
    socket
      .on('data', (data: Buffer) => (said += data.toString()))
      .on('close', () => {
        ends.push(said)
        if (ends.length === 2) bothEnded.resolve()
      })
  })
  askFromOutside(port, '')
  askFromOutside(port, 'a word')
  await bothEnded.promise
  expect([ends.toSorted(), room.size()]).toEqual([['', 'a word'], 0])
})
