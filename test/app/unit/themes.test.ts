import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

type Theme = 'light' | 'dark' | 'sunlight'

const tokens = readFileSync(
  join(import.meta.dirname, '..', '..', '..', 'renderer', 'base', 'styles', 'tokens.css'),
  'utf8'
)

/** The colours of a theme: those of its block over those of the first. */
function coloursOf(theme: Theme): Map<string, string> {
  const block = (start: string): string => tokens.slice(tokens.indexOf(start)).split('}', 1)[0] ?? ''
  const blocks = [block(':root {'), ...(theme === 'light' ? [] : [block(`[data-theme='${theme}'] {`)])]
  return new Map(
    blocks.flatMap((text) =>
      [...text.matchAll(/--([\w-]+): (#[\da-f]{6})/g)].map(([, name = '', colour = '']) => [name, colour] as const)
    )
  )
}

function brightness(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [brightness(one), brightness(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

const texts = [
  'text',
  'muted',
  'faint',
  'accent',
  'pass',
  'warn',
  'fail',
  'live',
  'wait',
  'defer',
  'device',
  'gateway'
] as const
const plain = ['bg', 'panel', 'sunk'] as const
const tones = ['pass', 'warn', 'fail', 'live', 'wait', 'defer'] as const

describe.each([
  ['light', 4.5],
  ['dark', 4.5],
  ['sunlight', 7]
] as const)('in the theme %s', (theme, least) => {
  const colours = coloursOf(theme)
  const of = (name: string): string => colours.get(name) ?? ''

  it(`every colour of text holds ${least} to 1 on every ground`, () => {
    const pairs = [
      ...texts.flatMap((text) => plain.map((ground) => [text, ground] as const)),
      ...tones.flatMap((tone) => [[tone, `${tone}-soft`] as const, ['text', `${tone}-soft`] as const]),
      ['accent', 'accent-soft'] as const,
      ['accent-ink', 'accent'] as const,
      ['panel', 'fail'] as const
    ]
    const faint = pairs
      .map(([text, ground]) => ({
        pair: `${text} on ${ground}`,
        is: Math.round(contrast(of(text), of(ground)) * 100) / 100
      }))
      .filter(({ is }) => !(is >= least))
    expect(faint).toEqual([])
  })

  it('the focus ring and the edges of controls can be told from the ground', () => {
    for (const ground of plain) expect(contrast(of('focus'), of(ground)), ground).toBeGreaterThanOrEqual(3)
    if (theme === 'sunlight') expect(contrast(of('line'), of('panel'))).toBeGreaterThanOrEqual(7)
  })
})

it('no two shapes of a status are drawn alike, and each has a tone', async () => {
  const { shapeTone } = await import('../../../renderer/base/ui/status.ts')
  const source = readFileSync(
    join(import.meta.dirname, '..', '..', '..', 'renderer', 'base', 'ui', 'StatusShape.vue'),
    'utf8'
  )
  const drawn = Object.keys(shapeTone).map((shape) => {
    const at = source.indexOf(`shape === '${shape}'"`)
    const part = at === -1 ? source.slice(source.indexOf('v-else>')) : source.slice(at)
    return [...part.slice(0, part.search(/v-else|<\/svg>/) || undefined).matchAll(/(?: d| r|dasharray)="([^"]+)"/g)]
      .map(([, path]) => path)
      .join(' ')
  })
  expect(drawn.every((paths) => paths !== '')).toBe(true)
  expect(new Set(drawn).size).toBe(drawn.length)
})
