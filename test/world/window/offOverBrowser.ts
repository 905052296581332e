import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get as httpGet } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { WebSocket } from 'ws'

const againMs = 250

/** The process of `offOverBrowserChild.ts`, which may have at most so many files open. */
export async function startOffOverBrowser({ mostFiles }: { mostFiles: number }) {
  const child = spawn(
    'sh',
    [
      '-c',
      `ulimit -n ${mostFiles}; exec "$@"`,
      'sh',
      process.execPath,
      join(import.meta.dirname, 'offOverBrowserChild.ts')
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] }
  )
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { url, origin, port } = JSON.parse(line) as { url: string; origin: string; port: number }
  const strangers = new Set<Socket>()
  let isEnding = false

  function openStranger(isAgain: boolean): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1')
      strangers.add(socket)
      socket.on('error', () => undefined)
      socket.once('connect', resolve)
      socket.once('close', () => {
        strangers.delete(socket)
        resolve()
        if (isAgain && !isEnding) setTimeout(() => isEnding || void openStranger(true), againMs)
      })
    })
  }

  function ask(address: URL, headers: Record<string, string>): Promise<{ location: string; cookie: string }> {
    return new Promise((resolve, reject) => {
      httpGet(
        {
          host: '127.0.0.1',
          port,
          path: address.pathname + address.search,
          agent: false,
          timeout: 10_000,
          headers: { Host: address.host, ...headers }
        },
        (answer) => {
          answer.resume()
          resolve({
            location: answer.headers.location ?? '',
            cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
          })
        }
      )
        .on('error', reject)
        .on('timeout', function (this: { destroy(error: Error): void }) {
          this.destroy(new Error('No answer'))
        })
    })
  }

  return {
    /** Connections of somebody who sends nothing; `isAgain`: each that is closed is opened again. */
    async openStrangers(count: number, isAgain: boolean): Promise<void> {
      await Promise.all(Array.from({ length: count }, () => openStranger(isAgain)))
    },
    strangers: (): number => strangers.size,
    /** Exchanges the printed address for a cookie, as a browser does. */
    async signIn(): Promise<string> {
      const { location } = await ask(new URL(url), {})
      return (await ask(new URL(location), {})).cookie
    },
    /** The page of that cookie, which can call. */
    async openPage(cookie: string) {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/bridge`, {
        headers: { Host: new URL(origin).host, Cookie: cookie },
        origin
      })
      const waiting = new Map<number, (value: unknown) => void>()
      socket.on('message', (data: Buffer) => {
        const { id, result } = JSON.parse(data.toString('utf8')) as { id?: number; result?: { value: unknown } }
        if (id !== undefined) waiting.get(id)?.(result?.value)
      })
      let calls = 0
      await once(socket, 'open')
      return {
        call: <Value>(name: string): Promise<Value> =>
          new Promise((resolve) => {
            waiting.set((calls += 1), resolve as (value: unknown) => void)
            socket.send(JSON.stringify({ id: calls, name, input: {} }))
          }),
        close: () => socket.terminate()
      }
    },
    async stop(): Promise<void> {
      isEnding = true
      for (const socket of strangers) socket.destroy()
      child.stdin.end()
      await once(child, 'exit')
    }
  }
}
