import { defineConfig } from 'vite'

/** A sandboxed preload has to be ONE CommonJS file, and may require nothing but electron. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  ssr: { noExternal: true, external: ['electron'], target: 'node' },
  build: {
    ssr: 'preload/index.ts',
    outDir: 'out/preload',
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    rolldownOptions: {
      external: ['electron'],
      output: { format: 'cjs', entryFileNames: 'index.cjs', codeSplitting: false }
    }
  }
})
