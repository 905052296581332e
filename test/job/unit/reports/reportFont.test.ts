import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { findFontFolder, readFont } from '../../../../main/job/reports/pdf/pdfFonts.ts'
import { createReportFont } from '../../../../main/job/reports/reportFont.ts'
import { createReportFontHandlers } from '../../../../main/job/reports/reportFontHandlers.ts'
import { openStore } from '../../../../main/data/store/index.ts'

const { signal } = new AbortController()
const folders: string[] = []
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })))

function open() {
  const folder = mkdtempSync(join(tmpdir(), 'fitter-font-'))
  folders.push(folder)
  const store = openStore(folder)
  const file = join(folder, 'Other Script.ttf')
  writeFileSync(file, readFont(findFontFolder(), 'latin', 400))
  return { folder, store, file, font: createReportFont(store.reportFont) }
}

describe('The font for other scripts', () => {
  it('is none at first, is remembered by its path, and is none again', async () => {
    const { font, file, store } = open()
    expect(font.state()).toEqual({ font: null })
    expect(font.path()).toBeUndefined()
    await font.choose(file)
    expect(font.state()).toEqual({ font: { name: 'Other Script.ttf', problem: null } })
    expect(createReportFont(store.reportFont).path()).toBe(file)
    font.forget()
    expect(font.state()).toEqual({ font: null })
    store.close()
  })

  it.each<[string, (folder: string) => string, string]>([
    ['a path that is not whole', () => 'Other Script.ttf', 'reportFont.wholePath'],
    ['another kind of file', (folder) => writeTo(folder, 'font.pdf', '%PDF-1.7'), 'reportFont.notFont'],
    ['another file with the name of a font', (folder) => writeTo(folder, 'font.ttf', '%PDF-1.7'), 'reportFont.notFont'],
    [
      'half a font',
      (folder) => writeTo(folder, 'half.ttf', readFont(findFontFolder(), 'latin', 400).subarray(0, 900)),
      'reportFont.notFont'
    ],
    ['a collection of fonts', (folder) => writeTo(folder, 'many.ttc', 'ttcf'), 'reportFont.notFont'],
    ['no file', (folder) => join(folder, 'gone.ttf'), 'reportFont.notThere']
  ])('is refused: %s', async (_what, make, id) => {
    const { font, folder, store } = open()
    await expect(font.choose(make(folder))).rejects.toMatchObject({ code: 'REFUSED', sentence: { id } })
    expect(font.state()).toEqual({ font: null })
    store.close()
  })

  it('that was removed is said, and a report is made without it', async () => {
    const { font, file, store } = open()
    await font.choose(file)
    rmSync(file)
    expect(font.state()).toMatchObject({ font: { name: 'Other Script.ttf', problem: { id: 'reportFont.notThere' } } })
    expect(font.path()).toBeUndefined()
    store.close()
  })

  it('is chosen in the dialog of the system, or by a typed path where there is none', async () => {
    const { font, file, store } = open()
    const desktop = createReportFontHandlers(font, async () => file)
    await expect(async () => desktop['reportFont.chooseFile']({ path: file }, signal)).rejects.toMatchObject({
      code: 'REFUSED'
    })
    expect(await desktop['reportFont.pickFile']({}, signal)).toMatchObject({
      font: { name: 'Other Script.ttf' },
      chosenBy: 'dialog'
    })
    const browser = createReportFontHandlers(font, undefined)
    await expect(async () => browser['reportFont.pickFile']({}, signal)).rejects.toMatchObject({ code: 'REFUSED' })
    expect(await browser['reportFont.forget']({}, signal)).toEqual({ font: null, chosenBy: 'path' })
    expect(await browser['reportFont.chooseFile']({ path: file }, signal)).toMatchObject({ chosenBy: 'path' })
    store.close()
  })
})

function writeTo(folder: string, name: string, content: string | Uint8Array): string {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}
