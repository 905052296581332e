import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { build } from 'vite'
import { projectFolder } from '../../../bin/build.ts'
import { catalogues } from '../../../bin/catalogues.ts'
import { securityHeaders } from '../../../main/base/page/contentSecurityPolicy.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png'
}

/** The charts on a page of their own (test/bench/page), built as the window is and served with its headers. */
export async function serveChartPage(): Promise<{ url: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'fitter-charts-'))
  await build({
    configFile: false,
    root: join(projectFolder, 'test', 'bench', 'page'),
    base: './',
    logLevel: 'error',
    plugins: [vue(), catalogues()],
    define: { __VUE_OPTIONS_API__: 'false' },
    build: {
      outDir: folder,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'chrome134'
    }
  })
  const server = createServer((request, response) => {
    const path = join(
      folder,
      normalize(new URL(request.url ?? '/', 'http://page').pathname).replace(/\/$/, '/index.html')
    )
    if (!path.startsWith(folder) || !existsSync(path)) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { ...securityHeaders, 'Content-Type': types[extname(path)] ?? 'application/octet-stream' })
    createReadStream(path).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          rmSync(folder, { recursive: true })
          resolve()
        })
        server.closeAllConnections()
      })
  }
}
