import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const browserHashing = join(import.meta.dirname, 'main', 'job', 'reports', 'pageScript', 'hashing.ts')

/** A browser has another cryptography than Node; everything else of the check is the same code. */
const hashingOfBrowser: Plugin = {
  name: 'hashing-of-browser',
  enforce: 'pre',
  resolveId: (id, importer) =>
    id === './hashing.ts' && importer?.includes('/main/data/store/jobs/') ? browserHashing : undefined
}

/** The script of the page beside a report: one file, which the page contains. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [hashingOfBrowser],
  build: {
    outDir: 'out/sealPage',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    lib: {
      entry: 'main/job/reports/pageScript/page.ts',
      formats: ['iife'],
      name: 'sealCheck',
      fileName: () => 'page.js'
    }
  }
})
