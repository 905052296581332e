import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

/** Stay packages of their own: native code, or data files that they read beside themselves. */
const keptOutside = ['electron', 'better-sqlite3', 'keytar', 'pdfkit', 'sharp', 'libheif-js']

/** The browser host sends this script to the page as it is, and reads it beside itself. */
const bridgeScript: Plugin = {
  name: 'bridge-script',
  generateBundle() {
    this.emitFile({
      type: 'asset',
      fileName: 'bridge.js',
      source: readFileSync(join(import.meta.dirname, 'main', 'app', 'browserHost', 'bridge.js'))
    })
  }
}

/** A module that imports Node's HTTP also loads its whole fetch, for names that Fitter never uses: that takes longer than to listen. */
const plainHttp: Plugin = {
  name: 'plain-http',
  enforce: 'pre',
  resolveId: (id) => (id === 'node:http' ? '\0plain-http.cjs' : undefined),
  load: (id) => (id === '\0plain-http.cjs' ? "module.exports = process.getBuiltinModule('node:http')" : undefined)
}

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [bridgeScript, plainHttp],
  ssr: { noExternal: true, external: keptOutside, target: 'node' },
  build: {
    ssr: true,
    outDir: 'out/main',
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      external: keptOutside,
      // The others are started as threads of their own, or loaded by the terminal with its first message.
      input: {
        electron: 'main/app/electron/index.ts',
        dataWorker: 'main/data/store/file/dataWorker.ts',
        jsonThread: 'main/base/reading/jsonThread.ts',
        pdfWorker: 'main/job/reports/pdf/pdfWorker.ts',
        texts: 'main/base/messages/texts.ts',
        photoWorker: 'main/job/photos/photoWorker.ts'
      },
      output: {
        format: 'es',
        entryFileNames: '[name].mjs',
        chunkFileNames: '[name]-[hash].mjs',
        // Comments and white space stay behind; names stay, because a fault log shows them.
        minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } }
      }
    }
  }
})
