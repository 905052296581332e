import { join } from 'node:path'
import vue from '@vitejs/plugin-vue'
import Markdown from 'unplugin-vue-markdown/vite'
import { defineConfig, type Plugin } from 'vite'
import { catalogues } from './bin/catalogues.ts'
import { guide } from './bin/guide.ts'

type Marker = Parameters<NonNullable<Parameters<typeof Markdown>[0]>['markdownSetup'] & object>[0]

/** A page of the guide links to others as files, as readers of the repository need it; inside Fitter these are screens of Help. */
function linkWithinHelp(marker: Marker): void {
  marker.core.ruler.push('linkWithinHelp', ({ tokens }) => {
    for (const link of tokens.flatMap(({ children }) => children ?? [])) {
      const [, page] = /^([a-z-]+)\.md$/.exec(link.attrGet('href') ?? '') ?? []
      if (page) link.attrSet('href', `#/help/${page}`)
    }
  })
}

/** The first screen waits for its fonts: they are fetched beside the script that asks for them. */
const firstFonts: Plugin = {
  name: 'first-fonts',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => /\/(inter|jetbrains-mono)-latin-wght-normal-[^/]*\.woff2$/.test(name))
        .map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `./${name}` },
          injectTo: 'head'
        }))
  }
}

/** The page of the window and of the browser host: plain files, no inline script or style, nothing from outside. */
export default defineConfig({
  root: join(import.meta.dirname, 'renderer'),
  base: './',
  plugins: [
    vue({ include: [/\.vue$/, /\.md$/] }),
    Markdown({ headEnabled: false, frontmatter: false, markdownSetup: linkWithinHelp }),
    catalogues(),
    guide(),
    firstFonts
  ],
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
    rolldownOptions: {
      output: {
        // The core reads the outline of the countries under this name, for the map of a report.
        assetFileNames: ({ names }) =>
          names.includes('countries-50m.json') ? 'assets/[name][extname]' : 'assets/[name]-[hash][extname]',
        codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] }
      }
    }
  }
})
