import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { buildStale, projectFolder } from '../../bin/build.ts'
import { compareFolders, fileOf, writeIndex, type Picture } from './album.ts'
import { acts, type Scene } from './scenes.ts'
import { openBrowser, openTheatre, settle, type Theatre } from './theatre.ts'

/**
 * Every screen and state in both languages, three themes and three sizes, in looks/latest; looks/index.html shows them,
 * with what changed since the album before.
 */
const choices = { language: ['en', 'es'], theme: ['light', 'dark', 'sunlight'], size: ['1024x640', '1280x800', '1600x1000'] }
const sceneNames = acts.flatMap(({ scenes }) => scenes.map(({ name }) => name))
const usage = `npm run looks [-- OPTIONS]: pictures of the screens, in looks/latest; looks/index.html shows them
  --scene NAME     only this scene; again for more
  --language CODE  ${choices.language.join(', ')}
  --theme NAME     ${choices.theme.join(', ')}
  --size SIZE      ${choices.size.join(', ')}, or another
  --beside FOLDER  drawings named SCENE-THEME.png, shown beside the pictures
  --guide          the pictures of the user guide, or with --scene some of them, into docs/guide/pictures

The scenes, by act:
${acts.map(({ name, scenes }) => `  ${name}: ${scenes.map((scene) => scene.name).join(', ')}`).join('\n')}`

function readOptions() {
  const { values } = parseArgs({
    options: {
      scene: { type: 'string', multiple: true },
      language: { type: 'string', multiple: true, default: choices.language },
      theme: { type: 'string', multiple: true, default: choices.theme },
      size: { type: 'string', multiple: true, default: choices.size },
      beside: { type: 'string' },
      guide: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false }
    }
  })
  const unknown = [
    ...(values.scene ?? []).filter((name) => !sceneNames.includes(name)),
    ...values.language.filter((code) => !choices.language.includes(code)),
    ...values.theme.filter((name) => !choices.theme.includes(name)),
    ...values.size.filter((size) => !/^\d+x\d+$/.test(size))
  ]
  if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}.`)
  return values
}

function readOptionsOrEnd(): ReturnType<typeof readOptions> {
  try {
    return readOptions()
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}\n`)
    process.exit(2)
  }
}

const values = readOptionsOrEnd()
if (values.help) {
  process.stdout.write(`${usage}\n`)
  process.exit(0)
}
/** Pictures of the user guide, and the scenes that they show. */
const guidePictures = { job: 'job-failed', devices: 'devices', inputs: 'job-inputs', 'output-on': 'job-output-on', 'sign-off': 'job-sign-off', diagnose: 'diagnose-warning', vehicles: 'vehicles-work-list', statistics: 'numbers' }
if (values.guide) Object.assign(values, { scene: values.scene ?? Object.values(guidePictures), theme: ['light'], size: ['1024x640'] })
const folder = join(projectFolder, 'looks')
const latest = join(folder, 'latest')
const before = join(folder, 'before')
const say = (text: string) => process.stdout.write(`${text}\n`)

function isWanted(scene: Scene): boolean {
  return !values.scene || values.scene.includes(scene.name)
}

async function takePictures(theatre: Theatre, scene: Scene, pictures: Picture[]): Promise<void> {
  const { page, call } = theatre
  await settle(page)
  const isHeld = scene.isHeld ?? false
  for (const language of isHeld ? ['en'] : values.language) {
    if (!isHeld) await call('settings.change', { language: language === 'es' ? 'es' : 'en' })
    if (!isHeld) await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' })
    for (const theme of values.theme) {
      await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), theme)
      for (const size of values.size) {
        const [width = 0, height = 0] = size.split('x').map(Number)
        await page.setViewportSize({ width, height })
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
        const picture = { scene: scene.name, language, theme, size }
        await page.screenshot({ path: join(latest, fileOf(picture)) })
        pictures.push(picture)
      }
    }
  }
  if (!isHeld) await call('settings.change', { language: 'en' })
  await page.setViewportSize({ width: 1280, height: 800 })
}

await buildStale(['main', 'preload', 'renderer', 'sealPage', 'licences'])
mkdirSync(latest, { recursive: true })
const isWhole = !values.scene
if (isWhole) {
  rmSync(before, { recursive: true, force: true })
  renameSync(latest, before)
  mkdirSync(latest)
}
const hadAlbum = isWhole && existsSync(before) && readdirSync(before).length > 0
const browser = await openBrowser()
const pictures: Picture[] = []
const problems: string[] = []
for (const act of acts) {
  if (!act.scenes.some(isWanted)) continue
  const theatre = await openTheatre(browser, act)
  for (const scene of act.scenes) {
    try {
      // Each scene is walked through, also when only a later one is wanted: it may stand on what came before.
      await scene.open(theatre)
      if (isWanted(scene)) await takePictures(theatre, scene, pictures)
      await scene.leave?.(theatre)
    } catch (error) {
      problems.push(`${scene.name}: ${error instanceof Error ? error.message : String(error)}`)
      await theatre.page.screenshot({ path: join(folder, `failed--${scene.name}.png`) }).catch(() => undefined)
    }
  }
  problems.push(...theatre.misbehaviour.map((what) => `${act.name}: ${what}`))
  await theatre.close()
}
/** A picture of the guide travels with every package: as WebP it is half as large. */
async function toWebp(file: string): Promise<Buffer> {
  const page = await browser.newPage()
  const url = await page.evaluate(async (base64) => {
    const image = new Image()
    image.src = `data:image/png;base64,${base64}`
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
    canvas.getContext('2d')?.drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', 0.85)
  }, readFileSync(file).toString('base64'))
  await page.close()
  return Buffer.from(url.split(',')[1] ?? '', 'base64')
}

if (values.guide && problems.length === 0) {
  for (const language of values.language) {
    const target = join(projectFolder, 'docs', 'guide', 'pictures', language)
    mkdirSync(target, { recursive: true })
    for (const [name, scene] of Object.entries(guidePictures).filter(([, scene]) => values.scene?.includes(scene))) writeFileSync(join(target, `${name}.webp`), await toWebp(join(latest, fileOf({ scene, language, theme: 'light', size: '1024x640' }))))
  }
}
await browser.close()
const differences = hadAlbum ? compareFolders(before, latest) : null
const drawings = new Map((values.beside ? readdirSync(values.beside) : []).map((name) => [name, pathToFileURL(join(values.beside ?? '', name)).href]))
writeIndex({ folder, pictures, differences, drawings })
say(`${pictures.length} pictures, ${differences ? `${differences.length} changed` : 'nothing to compare with'}: ${join('looks', 'index.html')}`)
for (const problem of problems) say(`Problem: ${problem}`)
process.exitCode = problems.length > 0 ? 1 : 0
