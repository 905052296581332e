import { chromium, type Page } from '@playwright/test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { findChromium } from './appWindow.ts'
import { projectFolder } from './build.ts'

/** Below this size the small drawing of the icon is used: its lines are thicker. */
const smallBelowPx = 64

/** The types of macOS's icon file for PNG pictures, with their sizes in px. */
const icnsTypes: readonly [string, number][] = [
  ['icp4', 16],
  ['icp5', 32],
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024]
]
const icoSizes = [16, 24, 32, 48, 64, 128, 256]
const linuxSizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024]

/** An .icns file: a head, then each PNG after its type and length. */
export function packIcns(pictures: ReadonlyMap<number, Buffer>): Buffer {
  const parts = icnsTypes.map(([type, px]) => withHead(type, pictures.get(px)!))
  return withHead('icns', Buffer.concat(parts))
}

function withHead(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32BE(content.length + 8, 4)
  return Buffer.concat([head, content])
}

/** An .ico file: a table with a row for each PNG, then the PNGs. */
export function packIco(pictures: ReadonlyMap<number, Buffer>): Buffer {
  const head = Buffer.alloc(6 + 16 * icoSizes.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(icoSizes.length, 4)
  let offset = head.length
  for (const [index, px] of icoSizes.entries()) {
    const row = 6 + 16 * index
    const { length } = pictures.get(px)!
    // 256 does not fit in a byte: 0 stands for it.
    head.writeUInt8(px % 256, row)
    head.writeUInt8(px % 256, row + 1)
    head.writeUInt16LE(1, row + 4)
    head.writeUInt16LE(32, row + 6)
    head.writeUInt32LE(length, row + 8)
    head.writeUInt32LE(offset, row + 12)
    offset += length
  }
  return Buffer.concat([head, ...icoSizes.map((px) => pictures.get(px)!)])
}

/** The installer of Windows shows only bitmaps of 24 bits without transparency, whose rows begin at the bottom. */
export function packBitmap(png: Buffer): Buffer {
  const { width, height, data } = PNG.sync.read(png)
  const rowBytes = Math.ceil((width * 3) / 4) * 4
  const file = Buffer.alloc(54 + rowBytes * height)
  file.write('BM', 'latin1')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(54, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(width, 18)
  file.writeInt32LE(height, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(24, 28)
  file.writeUInt32LE(rowBytes * height, 34)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = (y * width + x) * 4
      const to = 54 + (height - 1 - y) * rowBytes + x * 3
      file[to] = data[from + 2]!
      file[to + 1] = data[from + 1]!
      file[to + 2] = data[from]!
    }
  }
  return file
}

/** Draws SVG files with a browser, in the font of the application. */
async function withPencil<T>(
  act: (draw: (svgFile: string, widthPx: number, heightPx: number) => Promise<Buffer>) => Promise<T>
): Promise<T> {
  const executablePath = process.env.FITTER_CHROMIUM ?? findChromium()
  if (executablePath === undefined) throw new Error('Drawing the icons needs Chromium.')
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
  try {
    const page = await browser.newPage()
    return await act((svgFile, widthPx, heightPx) => drawOne(page, readFileSync(svgFile, 'utf8'), widthPx, heightPx))
  } finally {
    await browser.close()
  }
}

async function drawOne(page: Page, svg: string, width: number, height: number): Promise<Buffer> {
  const font = readFileSync(
    createRequire(import.meta.url).resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')
  ).toString('base64')
  await page.setViewportSize({ width, height })
  await page.setContent(`<style>
    @font-face { font-family: Inter; font-weight: 100 900; src: url(data:font/woff2;base64,${font}) }
    body { margin: 0; font-family: Inter }
    svg { display: block }
    body > svg { width: ${width}px; height: ${height}px }
  </style>${svg}`)
  await page.evaluate(() => document.fonts.ready)
  return page.screenshot({ omitBackground: true })
}

/** Draws every picture that packages need from `resources/packaging/art`, by its path within `resources`. */
export async function drawArt(): Promise<Map<string, Buffer>> {
  const art = (name: string): string => join(projectFolder, 'resources', 'packaging', 'art', name)
  return withPencil(async (draw) => {
    const icons = new Map<number, Buffer>()
    for (const px of new Set([...icnsTypes.map(([, size]) => size), ...icoSizes, ...linuxSizes])) {
      icons.set(px, await draw(art(px < smallBelowPx ? 'icon-small.svg' : 'icon.svg'), px, px))
    }
    return new Map([
      ['icon.png', icons.get(1024)!],
      ['packaging/icon.icns', packIcns(icons)],
      ['packaging/icon.ico', packIco(icons)],
      ...linuxSizes.map((px): [string, Buffer] => [`packaging/icons/${px}x${px}.png`, icons.get(px)!]),
      ['packaging/installerSidebar.bmp', packBitmap(await draw(art('installer-side.svg'), 164, 314))],
      ['packaging/installerHeader.bmp', packBitmap(await draw(art('installer-header.svg'), 150, 57))],
      ['packaging/background.png', await draw(art('disk-image.svg'), 540, 380)],
      ['packaging/background@2x.png', await draw(art('disk-image.svg'), 1080, 760)]
    ])
  })
}

if (import.meta.main) {
  mkdirSync(join(projectFolder, 'resources', 'packaging', 'icons'), { recursive: true })
  for (const [path, content] of await drawArt()) writeFileSync(join(projectFolder, 'resources', path), content)
}
