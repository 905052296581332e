import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'

export interface Picture {
  scene: string
  language: string
  theme: string
  size: string
}

export interface Difference {
  file: string
  /** Share of the pixels that differ, 0 to 1; null where one of the two is not there or has another size. */
  share: number | null
}

/** Under this share only clocks and ages differ. */
const noiseShare = 0.004

export function fileOf({ scene, language, theme, size }: Picture): string {
  return `${scene}--${language}--${theme}--${size}.png`
}

/**
 * Compares two folders of pictures by name; those that are as good as equal are left out. The largest difference first.
 */
export function compareFolders(before: string, after: string): Difference[] {
  const names = new Set([before, after].flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : [])).filter((name) => name.endsWith('.png')))
  const found: Difference[] = []
  for (const file of names) {
    const share = existsSync(join(before, file)) && existsSync(join(after, file)) ? differingShare(join(before, file), join(after, file)) : null
    if (share === null || share > noiseShare) found.push({ file, share })
  }
  return found.sort((a, b) => (b.share ?? 2) - (a.share ?? 2) || a.file.localeCompare(b.file))
}

function differingShare(before: string, after: string): number | null {
  const [old, young] = [PNG.sync.read(readFileSync(before)), PNG.sync.read(readFileSync(after))]
  if (old.width !== young.width || old.height !== young.height) return null
  return pixelmatch(old.data, young.data, undefined, old.width, old.height) / (old.width * old.height)
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

export interface Album {
  folder: string
  pictures: readonly Picture[]
  /** Null for the first album: there is nothing to compare with. */
  differences: readonly Difference[] | null
  /** File names of drawings to hold beside, `<scene>-<theme>.png`, with their addresses. */
  drawings: ReadonlyMap<string, string>
}

/** Writes index.html: every scene with all its pictures, what changed since the last album on top. */
export function writeIndex({ folder, pictures, differences, drawings }: Album): void {
  const scenes = [...new Set(pictures.map(({ scene }) => scene))]
  const changed = differences?.map(({ file, share }) => `<li><a href="latest/${escape(file)}">${escape(file)}</a> ${share === null ? 'new, gone or of another size' : `${(share * 100).toFixed(1)} % of the pixels`} <a href="before/${escape(file)}">before</a></li>`)
  const sections = scenes.map((scene) => {
    const own = pictures.filter((picture) => picture.scene === scene)
    const drawn = [...new Set(own.map(({ theme }) => `${scene}-${theme}.png`))].flatMap((name) => {
      const address = drawings.get(name)
      return address ? [`<figure><img loading="lazy" src="${escape(address)}" alt=""><figcaption>drawing ${escape(name)}</figcaption></figure>`] : []
    })
    const shown = own.map((picture) => `<figure><a href="latest/${fileOf(picture)}"><img loading="lazy" src="latest/${fileOf(picture)}" alt=""></a><figcaption>${escape(`${picture.language}, ${picture.theme}, ${picture.size}`)}</figcaption></figure>`)
    return `<section id="${escape(scene)}"><h2>${escape(scene)}</h2><div>${[...drawn, ...shown].join('')}</div></section>`
  })
  const head = '<!doctype html><meta charset="utf-8"><title>How Fitter looks</title><style>body{font:15px/1.4 system-ui;margin:24px}section>div{display:flex;flex-wrap:wrap;gap:16px}figure{margin:0}img{width:480px;border:1px solid #999}figcaption{font-size:13px}nav a{margin-right:12px}</style>'
  const news = changed === undefined ? '<p>This is the first album.</p>' : changed.length === 0 ? '<p>Nothing changed since the last album.</p>' : `<ol>${changed.join('')}</ol>`
  writeFileSync(
    join(folder, 'index.html'),
    `${head}<h1>How Fitter looks</h1><nav>${scenes.map((scene) => `<a href="#${escape(scene)}">${escape(scene)}</a>`).join(' ')}</nav><h2>Changed since the last album</h2>${news}${sections.join('')}`
  )
}
