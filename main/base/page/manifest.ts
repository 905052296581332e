import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'

export interface PageFile {
  mediaType: string
  read(): Promise<Uint8Array<ArrayBuffer>>
}

const mediaTypes = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.webp', 'image/webp'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
  ['.woff', 'font/woff'],
  ['.txt', 'text/plain; charset=utf-8']
])

/** Lists the built page once: only these files are served, by exact path, so no request can leave the folder. */
export function listPage(folder: string): ReadonlyMap<string, PageFile> {
  const manifest = new Map<string, PageFile>()
  addFolder('')
  const page = manifest.get('/index.html')
  if (page === undefined) throw new Error(`There is no index.html in ${folder}: run "npm run build".`)
  manifest.set('/', page)
  return manifest

  function addFolder(address: string): void {
    for (const entry of readdirSync(folder + address, { withFileTypes: true })) {
      const name = `${address}/${entry.name}`
      const mediaType = mediaTypes.get(extname(entry.name))
      if (entry.isDirectory()) addFolder(name)
      else if (entry.isFile() && mediaType !== undefined)
        manifest.set(encodeURI(name), { mediaType, read: async () => new Uint8Array(readFileSync(folder + name)) })
    }
  }
}
