import { join } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'
import { catalogues } from './bin/catalogues.ts'

/** The page of the window and of the browser host: plain files, no inline script or style, nothing from outside. */
export default defineConfig({
  root: join(import.meta.dirname, 'renderer'),
  base: './',
  plugins: [vue(), catalogues()],
  // The page is the same whoever builds it: under a test runner Vite would take the development build of Vue.
  define: { __VUE_OPTIONS_API__: 'false', 'process.env.NODE_ENV': '"production"' },
  build: {
    outDir: '../out/renderer',
    emptyOutDir: true,
    // The content security policy allows fonts and styles from our own origin only, so nothing may become a data: URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'chrome134',
    // What the first screen is made of comes in one file: twenty small ones take longer to fetch than to read.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } }
  }
})
