import { defineConfig } from 'vite'

/** Stay packages of their own: native code, or data files that they read beside themselves. */
const keptOutside = ['electron', 'better-sqlite3', 'keytar', 'pdfkit']

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  ssr: { noExternal: true, external: keptOutside, target: 'node' },
  build: {
    ssr: 'main/electron/index.ts',
    outDir: 'out/main',
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      external: keptOutside,
      output: { format: 'es', entryFileNames: 'electron.mjs', chunkFileNames: '[name]-[hash].mjs' }
    }
  }
})
