import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { checkTemplate } from '../../../../../main/job/jobs/checklists/checkTemplate.ts'
import { readHandedJson } from '../../../../../main/job/jobs/checklists/readTemplateFile.ts'
import { templateSchemaJson } from '../../../../../main/job/jobs/checklists/schema.ts'
import { loadShipped } from '../../../../../main/job/jobs/checklists/shipped.ts'
import { openCatalogue } from '../../../../../main/base/messages/catalogue.ts'
import type { Json } from '../../../../../preload/contract/define.ts'
import { AppError } from '../../../../../preload/contract/errors.ts'
import { ownChecklist, withStep } from '../../../../world/data/ownChecklist.ts'
import { resourcesFolder } from '../../../../world/device/quickProfile.ts'

const shipped = loadShipped(resourcesFolder)
const find = openCatalogue('en')
const ground = {
  profile: shipped.standardProfile,
  hasText: (id: string) => find(id) !== undefined,
  orderNames: new Set<string>()
}
const found = (value: unknown) =>
  checkTemplate(value, ground).findings.map(
    ({ path: at, level, what }) => `${level} ${at} ${what.id.replace('templates.finding.', '')}`
  )

describe('The check of a checklist', () => {
  it('finds nothing in one that is in order', () => {
    expect(found(ownChecklist())).toEqual([])
  })

  it.each([...shipped.templates.keys()])('finds nothing in %s, which comes with Fitter', (id) => {
    expect(found(JSON.parse(readFileSync(path.join(resourcesFolder, 'checklists', `${id}.json`), 'utf8')))).toEqual([])
  })

  it.each([
    ['two steps of one id', withStep('why', { id: 'damage' }), 'error steps[4].id idTwice'],
    ['an id that a repeated step would get', withStep('why', { id: 'outputs-2' }), 'error steps[4].id idOfItem'],
    ['no identity', ownChecklist({ steps: ownChecklist().steps.slice(1) }), 'error steps noIdentity'],
    ['no sign-off', ownChecklist({ steps: ownChecklist().steps.slice(0, -1) }), 'error steps noSignOff'],
    [
      'identity behind another step',
      ownChecklist({ steps: ownChecklist().steps.toSorted((one) => (one['id'] === 'damage' ? -1 : 0)) }),
      'error steps[1] identityFirst'
    ],
    [
      'sign-off before another step',
      ownChecklist({
        steps: ownChecklist().steps.toSorted((one, other) =>
          one['id'] === 'sign-off' && other['id'] === 'why' ? -1 : 0
        )
      }),
      'error steps[4] signOffLast'
    ],
    [
      'a sign-off under a condition',
      withStep('sign-off', { when: { noOrder: true } }),
      'error steps[5].when alwaysWanted'
    ],
    [
      'a condition about a kind that does not exist',
      withStep('why', { when: { any: [{ noOrder: true }, { ordered: 'magic' }] } }),
      'error steps[4].when.any[1].ordered noSuchOrder'
    ],
    [
      'a condition about a step that does not exist',
      withStep('why', { when: { not: { answered: { step: 'nobody', is: true } } } }),
      'error steps[4].when.not.answered.step noSuchStep'
    ],
    [
      'a condition about a later step',
      withStep('damage', { when: { answered: { step: 'why', is: true } } }),
      'error steps[1].when.answered.step laterStep'
    ],
    [
      'a limit of a check that does not exist',
      ownChecklist({ thresholds: { magic: { passS: 3 } } }),
      'error thresholds.magic noSuchCheck'
    ],
    [
      'a limit that no profile has',
      ownChecklist({ thresholds: { position: { satelites: 3 } } }),
      'error thresholds.position.satelites noSuchLimit'
    ],
    [
      'a limit that would pass what the profile only warns of',
      ownChecklist({ thresholds: { samePlace: { passM: 500 } } }),
      'error thresholds.samePlace.passM passWithinWarn'
    ],
    [
      'a time of nothing',
      ownChecklist({ thresholds: { externalPower: { holdS: 0 } } }),
      'error thresholds.externalPower.holdS timeAboveZero'
    ],
    [
      'limits for the switching of outputs',
      ownChecklist({ thresholds: { output: { standstillKmh: 90 } } }),
      'error thresholds.output outputLimits'
    ],
    ['a text in one language', withStep('why', { title: { en: 'Why' } }), 'warning steps[4].title.es textMissing'],
    [
      'a text that the catalogue does not have',
      withStep('why', { title: { id: 'checklists.nothing', values: {} } }),
      'error steps[4].title noSuchText'
    ],
    [
      'an output that does not say whether the engine has to be off',
      ownChecklist({
        steps: ownChecklist().steps.map(({ engineOff: _left, ...step }) => ({
          ...step,
          ...(step['id'] === 'outputs' ? { engineOff: false } : {})
        }))
      }),
      'error steps[2].engineOff engineOff'
    ],
    [
      'a range without room',
      withStep('why', { kind: 'measurement', unit: 'V', min: 26.5, max: 23 }),
      'error steps[4].min emptyRange'
    ],
    ['a kind that does not exist', withStep('why', { kind: 'magic' }), 'error steps[4].kind noSuchKind'],
    ['a field that does not exist', withStep('why', { magic: 1 }), 'error steps[4].magic unknownField'],
    ['a missing title', withStep('why', { title: {} }), 'error steps[4].title.en missing'],
    ['a number where a text belongs', ownChecklist({ id: 5 }), 'error id wrongKind'],
    [
      'a condition of no form',
      withStep('why', { when: { ordred: 'camera' } }),
      'error steps[4].when.ordred unknownField'
    ]
  ])('finds %s', (_what, checklist, expected) => {
    expect(found(checklist)).toContain(expected)
  })

  it('lets nobody use what has an error, and says nothing against what only has a warning', () => {
    expect(checkTemplate(withStep('why', { title: { en: 'Why' } }), ground).template).toMatchObject({ id: 'our-vans' })
    expect(checkTemplate(withStep('why', { when: { ordered: 'magic' } }), ground).template).toBeUndefined()
  })
})

describe('A file of a checklist', () => {
  it.each([
    ['is no JSON', '{"id": ', 'templates.file.notJson'],
    ['nests a thousand lists', `${'['.repeat(1000)}${']'.repeat(1000)}`, 'templates.file.tooDeep'],
    ['is larger than any checklist', `"${'x'.repeat(1024 * 1024)}"`, 'templates.file.tooLarge'],
    [
      'would change what all objects have',
      '{"steps": [{"__proto__": {"isAdmin": true}}]}',
      'templates.file.reservedName'
    ],
    ['names a constructor', '{"constructor": {"prototype": {}}}', 'templates.file.reservedName']
  ])('that %s is refused', (_what, text, id) => {
    expect(() => readHandedJson(text)).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', sentence: expect.objectContaining({ id }) }) as AppError
    )
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined()
  })
})

describe('Where a step is connected', () => {
  const guided = (guide: Json) => checkTemplate(withStep('damage', { guide }), ground)
  const wire = { line: 'IGN', wire: { en: 'black', es: 'negro' } }

  it('is kept with its wires and its picture', () => {
    const { template, findings } = guided({ wires: [{ ...wire, pin: '3' }], picture: 'data:image/jpeg;base64,AAAA' })
    expect(findings).toEqual([])
    expect(template?.steps.find(({ id }) => id === 'damage')?.guide).toMatchObject({
      wires: [{ line: 'IGN', pin: '3' }],
      picture: 'data:image/jpeg;base64,AAAA'
    })
  })

  it.each<[string, Json]>([
    ['a picture from elsewhere', { picture: 'https://pictures.example/van.jpg' }],
    ['a drawing that could contain a script', { picture: 'data:image/svg+xml;base64,AAAA' }],
    ['a picture that is too large', { picture: `data:image/png;base64,${'A'.repeat(300_000)}` }],
    ['a wire without a line', { wires: [{ wire: { en: 'black', es: 'negro' } }] }],
    ['thirteen wires', { wires: Array.from({ length: 13 }, () => wire) }]
  ])('is refused with %s', (_what, guide) => {
    expect(guided(guide).findings).toEqual([
      expect.objectContaining({ level: 'error', path: expect.stringMatching(/^steps\[1\]\.guide/) as string })
    ])
  })
})

test('the published schema is the one that checklists are held against (fitter templates schema --out resources/checklists/schema.json)', () => {
  expect(JSON.parse(readFileSync(path.join(resourcesFolder, 'checklists', 'schema.json'), 'utf8'))).toEqual(
    templateSchemaJson()
  )
})
