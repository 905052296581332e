import { afterEach, expect, it } from 'vitest'
import { listPage } from '../../../../main/base/page/manifest.ts'
import { makePageFolder } from '../../../world/window/pageFolder.ts'

let page: ReturnType<typeof makePageFolder> | undefined
afterEach(() => page?.remove())

it('lists the files of the page by their exact path, and the page itself at /', async () => {
  page = makePageFolder({ 'assets/fünf.svg': '<svg/>' })
  const manifest = listPage(page.folder)
  expect([...manifest.keys()].sort()).toEqual([
    '/',
    '/app.js',
    '/assets/f%C3%BCnf.svg',
    '/assets/main.css',
    '/index.html'
  ])
  expect(Buffer.from(await manifest.get('/app.js')!.read()).toString()).toContain('started')
  expect(manifest.get('/assets/main.css')!.mediaType).toBe('text/css; charset=utf-8')
})

it('says what to do when the page was not built', () => {
  page = makePageFolder()
  expect(() => listPage(`${page!.folder}/assets`)).toThrow(/npm run build/)
})
