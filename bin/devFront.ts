import {
  createServer,
  request as ask,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse
} from 'node:http'
import { realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { createServer as createVite } from 'vite'
import { contentSecurityPolicy, securityHeaders } from '../main/base/page/contentSecurityPolicy.ts'
import { projectFolder } from './build.ts'

const loopback = '127.0.0.1'
/** Vite puts the styles of a component into the page; everything else is as strict as in production. */
const devHeaders = {
  ...securityHeaders,
  'Content-Security-Policy': contentSecurityPolicy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'"),
  'Cache-Control': 'no-store'
}

/**
 * The server of `npm run dev`, on this computer only: the page comes from Vite, everything else from the core behind it.
 * The core alone decides who may ask: whom it refuses gets its answer, and nothing from Vite.
 */
export async function startDevFront(wantedPort: number) {
  const server = createServer()
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen({ host: loopback, port: wantedPort, exclusive: true }, done)
  })
  const { port } = server.address() as AddressInfo
  // Never listens: it passes the connections for hot replacement on to Vite.
  const hotServer = createServer()
  const vite = await createVite({
    configFile: join(projectFolder, 'vite.renderer.config.ts'),
    cacheDir: join(projectFolder, 'node_modules', '.cache', 'vite'),
    appType: 'custom',
    logLevel: 'info',
    clearScreen: false,
    define: { __VUE_OPTIONS_API__: 'false', 'process.env.NODE_ENV': '"development"' },
    server: {
      middlewareMode: true,
      hmr: { server: hotServer },
      cors: false,
      fs: { allow: [projectFolder, realpathSync(join(projectFolder, 'node_modules'))] }
    }
  })
  let corePort = Promise.withResolvers<number>()
  /** Callers whom this run of the core has let in. */
  const admitted = new Set<string>()

  const ownForm = (text: string, core: number): string => text.replaceAll(`:${core}`, `:${port}`)
  /** The core knows itself by its own port. */
  function headersFor(headers: IncomingHttpHeaders, core: number): IncomingHttpHeaders {
    const { host, origin } = headers
    return {
      ...headers,
      ...(host !== undefined && { host: host.replace(`:${port}`, `:${core}`) }),
      ...(origin !== undefined && { origin: origin.replace(`:${port}`, `:${core}`) })
    }
  }

  async function isAdmitted({ headers }: IncomingMessage): Promise<boolean> {
    const { host, origin, cookie } = headers
    const caller = JSON.stringify([host, origin, cookie])
    if (admitted.has(caller)) return true
    const core = await corePort.promise
    const isOurs = await new Promise<boolean>((done) => {
      const question = ask({
        host: loopback,
        port: core,
        path: '/bridge.js',
        headers: headersFor({ host, ...(origin && { origin }), ...(cookie && { cookie }) }, core)
      })
      question.on('response', (answer) => {
        answer.resume()
        done(answer.statusCode === 200)
      })
      question.on('error', () => done(false))
      question.end()
    })
    if (isOurs) admitted.add(caller)
    return isOurs
  }

  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const core = await corePort.promise
    const { method, url } = request
    const question = ask({ host: loopback, port: core, method, path: url, headers: headersFor(request.headers, core) })
    question.on('response', (answer) => {
      const { location, ...headers } = answer.headers
      response.writeHead(answer.statusCode ?? 502, {
        ...headers,
        ...(location && { location: ownForm(location, core) })
      })
      answer.pipe(response)
    })
    question.on('error', () => response.writeHead(502).end('The core starts again.\n'))
    request.pipe(question)
  }

  async function answerPage(response: ServerResponse): Promise<void> {
    const html = await readFile(join(projectFolder, 'renderer', 'index.html'), 'utf8')
    const page = await vite.transformIndexHtml('/', html)
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(page.replace('<head>', '<head><script src="/bridge.js"></script>'))
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://front')
    const isOfCore = pathname === '/bridge.js' || pathname.startsWith('/map/') || searchParams.has('key')
    if (isOfCore || request.method !== 'GET' || !(await isAdmitted(request))) return relay(request, response)
    for (const [name, value] of Object.entries(devHeaders)) response.setHeader(name, value)
    if (pathname === '/') return answerPage(response)
    vite.middlewares(request, response, () => response.writeHead(404).end('Not found.\n'))
  }

  async function relaySocket(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const core = await corePort.promise
    const headers = Object.entries(headersFor(request.headers, core)).map(
      ([name, value]) => `${name}: ${String(value)}\r\n`
    )
    const upstream = connect(core, loopback, () => {
      upstream.write(`GET ${request.url} HTTP/1.1\r\n${headers.join('')}\r\n`)
      upstream.write(head)
      upstream.pipe(socket).pipe(upstream)
    })
    for (const end of [socket, upstream]) end.on('error', () => [socket, upstream].forEach((one) => one.destroy()))
    upstream.on('close', () => socket.destroy())
    socket.on('close', () => upstream.destroy())
  }

  server.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error(error)
      response.destroy()
    })
  })
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    if (request.url === '/bridge') return void relaySocket(request, socket, head)
    void isAdmitted(request).then((isOurs) =>
      isOurs ? hotServer.emit('upgrade', request, socket, head) : socket.destroy()
    )
  })

  return {
    /** The core answers at this port from now on. Returns its address as this front has it. */
    lead(url: string, core: number): string {
      corePort.resolve(core)
      return ownForm(url, core)
    },
    /** Requests wait for the next core. */
    coreEnded(): void {
      corePort = Promise.withResolvers()
      admitted.clear()
    },
    async stop(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await vite.close()
    }
  }
}
