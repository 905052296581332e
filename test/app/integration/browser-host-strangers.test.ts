import { execFile } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startOffOverBrowser } from '../../world/window/offOverBrowser.ts'
import { browserHost, get, openOwnSocket, signIn, useBrowserHost } from '../../world/window/browserHostBench.ts'

describe('another user of this computer who opens a thousand connections', () => {
  it(
    'keeps nobody from switching an output off, although the process may open few files',
    { timeout: 360_000 },
    async () => {
      const bench = await startOffOverBrowser({ mostFiles: 220 })
      onTestFinished(() => bench.stop())
      const cookie = await bench.signIn()
      const before = await bench.openPage(cookie)
      await before.call('test.on')
      await bench.openStrangers(1_000, true)
      const pressedAt = performance.timeOrigin + performance.now()
      const off = await before.call<{ sentAt: number; left: number }>('outputs.allOff')
      expect(off.left).toBe(0)
      expect(off.sentAt - pressedAt).toBeLessThan(2_000)
      // The page is loaded again, and another one opened, while they are there.
      const after = await bench.openPage(cookie)
      await after.call('test.on')
      before.close()
      expect(await after.call('outputs.allOff')).toMatchObject({ left: 0 })
    }
  )
})

describe('a connection that does not show that it may be here', () => {
  useBrowserHost()

  it(
    'ends after a moment, silent, half asked, refused or asked slowly; the page’s own stay',
    { timeout: 180_000 },
    async () => {
      const socket = await openOwnSocket()
      let isOpen = true
      socket.on('close', () => (isOpen = false))
      const cookie = await signIn(browserHost.issueKey())
      const own = connect({ port: browserHost.port, host: '127.0.0.1' })
      const host = new URL(browserHost.origin).host
      const ask = (): void => void own.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\n\r\n`)
      own.on('error', () => undefined).resume()
      ask()
      // One that asks for nothing is closed after some seconds, as HTTP has it; that is no matter of strangers.
      const asking = setInterval(ask, 500)
      const startedMs = performance.now()
      const says = [
        '',
        'GET / HTTP/1.1\r\nHost: a',
        `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
        `GET /bridge HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
        'slow'
      ]
      await Promise.all(
        says.map(
          (text) =>
            new Promise<void>((resolve) => {
              // Its own side stays open, whatever it is told.
              const stranger = connect({ port: browserHost.port, host: '127.0.0.1', allowHalfOpen: true })
              const timer = text === 'slow' ? setInterval(() => stranger.write('G'), 100) : undefined
              stranger
                .on('error', () => undefined)
                .resume()
                .write(text === 'slow' ? 'G' : text)
              const watch = setInterval(() => stranger.write(' '), 200)
              stranger.on('close', () => {
                clearInterval(timer)
                clearInterval(watch)
                resolve()
              })
            })
        )
      )
      expect(performance.now() - startedMs).toBeLessThan(20_000)
      clearInterval(asking)
      expect([isOpen, own.readyState]).toEqual([true, 'open'])
      own.destroy()
      socket.terminate()
    }
  )

  it(
    'is answered when it asked in time, although this computer was busy for ten seconds',
    { tags: ['long'], timeout: 180_000 },
    async () => {
      const { pathname, search, host: entry } = new URL(browserHost.url)
      const program = `require('node:http').get({ host: '127.0.0.1', port: ${browserHost.port}, path: ${JSON.stringify(pathname + search)}, headers: { Host: '${entry}' } }, ({ statusCode }) => console.log(statusCode)).on('error', ({ code }) => console.log(code))`
      let isBlocked = false
      const blockOnce = (): void => {
        if (isBlocked) return
        isBlocked = true
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000)
      }
      subscribe('net.server.socket', blockOnce)
      onTestFinished(() => void unsubscribe('net.server.socket', blockOnce))
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', program])
      expect([isBlocked, stdout.trim()]).toEqual([true, '303'])
    }
  )

  it('makes room for the newest one: a signed-in page loads among as many as the system allows', async () => {
    const cookie = await signIn()
    const idle = await Promise.all(
      Array.from({ length: 600 }, () => {
        const socket = connect(browserHost.port, '127.0.0.1')
        onTestFinished(() => void socket.destroy())
        return new Promise<typeof socket>((resolve) =>
          socket
            .on('error', () => resolve(socket))
            .on('close', () => resolve(socket))
            .on('connect', () => resolve(socket))
            .resume()
        )
      })
    )
    await expect.poll(() => idle.filter(({ readyState }) => readyState === 'open').length).toBeLessThanOrEqual(32)
    for (let n = 0; n < 20; n += 1) expect((await get('/', { Cookie: cookie })).status).toBe(200)
  })
})
