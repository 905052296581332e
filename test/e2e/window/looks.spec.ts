import { expect, test } from '../support/fitter.ts'
import { findBrokenRules } from '../support/axe.ts'
import { acts, type Act, type Scene } from '../../looks/scenes.ts'
import { openTheatre, settle, type Theatre } from '../../looks/theatre.ts'
import { findFaintText, findUglyThings, findWordlessShapes, resizeWindow } from '../support/looks.ts'
import { expectStep, prepareWorkplace, showStep, startJob } from '../support/work.ts'

test.describe.configure({ timeout: 900_000 })

const sizes = [
  // The size of the theatre's window.
  { name: '1280x800', width: 1280, height: 800 },
  { name: '1024x640', width: 1024, height: 640 },
  { name: '2560x1440', width: 2560, height: 1440 },
  // 200 % zoom gives a page half as many pixels of its own.
  { name: '1280x800 at 200 %', width: 640, height: 400 }
] as const
const themes = ['light', 'dark', 'sunlight'] as const

/** Once nothing moves: a colour on its way to another one is no colour to be judged. */
async function findProblems({ page, call }: Theatre, { name, isHeld = false }: Scene): Promise<string[]> {
  const problems: string[] = []
  await settle(page)
  const judge = async (language: 'en' | 'es', wanted: (typeof themes)[number][]) => {
    for (const theme of wanted) {
      await page.evaluate((theme) => (document.documentElement.dataset['theme'] = theme), theme)
      // The rules do not depend on colours but for contrast, which is measured in each theme.
      const found = [
        ...(theme === 'sunlight' ? [] : await findBrokenRules(page)),
        ...(await findFaintText(page, theme === 'sunlight'))
      ]
      problems.push(...found.map((problem) => `${name} (${language}, ${theme}): ${problem}`))
    }
    await page.evaluate(() => (document.documentElement.dataset['theme'] = 'light'))
  }
  // The window of the theatre asks for less motion.
  const moving = await page.evaluate(
    () =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().iterations === Infinity
        ).length
  )
  if (moving > 0) problems.push(`${name}: ${moving} things move`)
  problems.push(...(await findWordlessShapes(page)).map((problem) => `${name}: ${problem}`))
  await judge(
    'en',
    [...themes].filter((theme) => theme !== 'dark' || isHeld)
  )

  const lookAt = async (language: 'en' | 'es', all: readonly (typeof sizes)[number][]) => {
    for (const { name: size, width, height } of all) {
      await resizeWindow(page, { width, height })
      problems.push(...(await findUglyThings(page)).map((problem) => `${name} (${language}, ${size}): ${problem}`))
    }
  }
  const speak = async (language: 'en' | 'es') => {
    await call('settings.change', { language })
    await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' })
  }
  await lookAt('en', sizes)
  if (isHeld) {
    await resizeWindow(page, sizes[0])
    return problems
  }
  // Back through the sizes: each change of one is a layout of its own.
  await speak('es')
  await judge('es', ['dark', 'sunlight'])
  await lookAt('es', sizes.toReversed())
  await speak('en')
  return problems
}

async function walk(theatre: Theatre, act: Act): Promise<string[]> {
  const problems: string[] = []
  for (const scene of act.scenes) {
    await scene.open(theatre)
    problems.push(...(await findProblems(theatre, scene)))
    await scene.leave?.(theatre)
  }
  return [...problems, ...theatre.misbehaviour.map((what) => `${act.name}: ${what}`)]
}

for (const act of acts) {
  const names = act.scenes.map(({ name }) => name).join(', ')
  test(`${act.name}: nothing is cut, faint or against a rule of accessibility, at every size, in both languages and every theme (${names})`, async ({
    browser
  }) => {
    const theatre = await openTheatre(browser, act)
    try {
      expect(await walk(theatre, act)).toEqual([])
    } finally {
      await theatre.close()
    }
  })
}

/** Screens that a person reaches by their address: no text is needed to open them. */
const dailyPlaces = ['#/start', '#/devices', '#/settings/reading', '#/settings/gateway', '#/jobs']
const otherPlaces = [
  ...['work', 'connection', 'passwords', 'maps', 'data', 'about'].map((part) => `#/settings/${part}`),
  '#/vehicles',
  '#/waiting',
  '#/team',
  '#/diagnose',
  '#/numbers',
  '#/templates',
  '#/explain',
  '#/self-test'
]

for (const [which, places] of [
  ['the first screens', dailyPlaces],
  ['the other screens', otherPlaces]
] as const) {
  test(
    `a language that is a third longer than English is cut nowhere at 1024x640: ${which}`,
    which === 'the first screens' ? { tag: '@daily' } : {},
    async ({ browser }) => {
      const theatre = await openTheatre(browser, { isPseudo: true })
      try {
        const { page } = theatre
        const problems: string[] = []
        for (const place of places) {
          await page.evaluate((hash) => (window.location.hash = hash), place)
          await page.getByRole('heading', { level: 1 }).first().waitFor()
          await settle(page)
          await resizeWindow(page, { width: 1024, height: 640 })
          problems.push(...(await findUglyThings(page)).map((problem) => `${place}: ${problem}`))
        }
        // The texts are those of the pseudo-language, or nothing was proved.
        await expect(page.getByRole('heading', { level: 1 }).first()).toHaveText(/^\[.*\]$/)
        expect(problems).toEqual([])
      } finally {
        await theatre.close()
      }
    }
  )
}

test('nothing moves for a person who asked for less motion', async ({ openFitter, simulate }) => {
  const yard = await simulate({ seed: 53 })
  const { page } = await openFitter()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await prepareWorkplace(page, yard)
  await startJob(page, yard)
  await expectStep(page, 'Ignition', 'running')
  await showStep(page, 'Ignition')
  expect(
    await page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length)
  ).toBe(0)
})
