import { beforeEach, describe, expect, it } from 'vitest'
import { createTemplates, type Templates } from '../../../../../main/job/jobs/checklists/templates.ts'
import { profileOf } from '../../../../../main/job/jobs/newJob.ts'
import { previewSteps } from '../../../../../main/job/jobs/checklists/handlers.ts'
import { createTexts } from '../../../../../main/base/messages/texts.ts'
import { openStore, type Store } from '../../../../../main/data/store/index.ts'
import { order } from '../../../../../preload/contract/job/orders.ts'
import { ownChecklist, withStep } from '../../../../world/data/ownChecklist.ts'
import { quickProfile, quickShipped } from '../../../../world/device/quickProfile.ts'
import { tempFolder } from '../../../../world/tempFolder.ts'

const texts = { en: createTexts({ language: 'en' }), es: createTexts({ language: 'es' }) }
let folder: string
let templates: Templates
let store: Store
const faults: unknown[] = []

beforeEach(() => {
  folder = tempFolder()
  store = openStore(folder)
  templates = openTemplates()
  faults.length = 0
  return () => store.close()
})

function openTemplates(): Templates {
  return createTemplates({
    shipped: quickShipped(),
    rows: store.templates,
    say: (language, text) => texts[language].say(text),
    hasText: texts.en.has,
    reportFault: (fault) => faults.push(fault)
  })
}

const own = () =>
  templates
    .list()
    .filter(({ origin }) => origin === 'own')
    .map(({ id, version }) => `${id} ${version}`)
const text = (value: unknown) => JSON.stringify(value)

describe('The checklists of a customer', () => {
  it('are kept over a restart, each change as a version of its own', () => {
    expect(templates.importText(text(ownChecklist()))).toEqual({
      outcome: 'kept',
      id: 'our-vans',
      version: 1,
      findings: []
    })
    expect(templates.importText(text(ownChecklist({ kind: 'service' })))).toMatchObject({ outcome: 'kept', version: 2 })
    store.close()
    store = openStore(folder)
    templates = openTemplates()
    expect(own()).toEqual(['our-vans 2'])
    expect(templates.find('our-vans')).toMatchObject({ version: 2, kind: 'service' })
  })

  it('stay as they are when a file says nothing new, and keep the higher number of a file that does', () => {
    templates.importText(text(ownChecklist()))
    expect(templates.importText(text(ownChecklist({ version: 9, $schema: 'schema.json' })))).toMatchObject({
      outcome: 'unchanged',
      version: 1
    })
    expect(templates.importText(text(ownChecklist({ version: 9, kind: 'service' })))).toMatchObject({
      outcome: 'kept',
      version: 9
    })
  })

  it('are not kept with an error, and kept with a warning that is told', () => {
    expect(templates.importText(text(withStep('why', { when: { ordered: 'magic' } })))).toMatchObject({
      outcome: 'refused',
      findings: [{ path: 'steps[4].when.ordered' }]
    })
    expect(own()).toEqual([])
    expect(templates.importText(text(withStep('why', { title: { en: 'Why' } })))).toMatchObject({
      outcome: 'kept',
      findings: [{ level: 'warning' }]
    })
  })

  it('that somebody else changed meanwhile are not overwritten', () => {
    templates.save(ownChecklist(), null)
    templates.save(ownChecklist({ kind: 'service' }), 1)
    expect(() => templates.save(ownChecklist({ kind: 'removal' }), 1)).toThrow(
      expect.objectContaining({ code: 'CONFLICT' }) as Error
    )
    expect(() => templates.save(ownChecklist({ kind: 'removal' }), null)).toThrow(
      expect.objectContaining({ code: 'CONFLICT' }) as Error
    )
  })

  it('are offered no more once removed, and never get a number again that a job may have', () => {
    templates.importText(text(ownChecklist()))
    templates.remove('our-vans')
    expect(own()).toEqual([])
    expect(() => templates.open('our-vans')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }) as Error)
    expect(templates.importText(text(ownChecklist()))).toMatchObject({ outcome: 'kept', version: 2 })
  })

  it('that a later version of Fitter wrote keep none of the others away', () => {
    templates.importText(text(ownChecklist()))
    store.templates.keep({
      id: 'later',
      version: 1,
      content: { ...ownChecklist({ id: 'later' }), steps: [{ kind: 'unheardOf' }] },
      savedAt: '2026-03-01T10:00:00.000Z'
    })
    expect(own()).toEqual(['our-vans 1'])
    expect(faults).toHaveLength(1)
  })
})

describe('The checklists that come with Fitter', () => {
  it('leave as files that stand alone and say the same when they come back', () => {
    for (const { id } of templates.list()) {
      const { template } = templates.open(id)
      expect(text(template), id).not.toContain('"checklists.')
      expect(templates.importText(text(template)), id).toMatchObject({ outcome: 'unchanged', findings: [] })
      const copy = `${id}-of-ours`
      expect(templates.importText(text({ ...template, id: copy })), id).toMatchObject({ outcome: 'kept' })
      expect(templates.open(copy).template, id).toEqual({ ...template, id: copy })
    }
  })

  it('are not changed and not removed', () => {
    const { template } = templates.open('camera')
    expect(templates.importText(text({ ...template, kind: 'service' }))).toMatchObject({
      outcome: 'refused',
      findings: [{ path: 'id', what: { id: 'templates.finding.shipped' } }]
    })
    expect(() => templates.remove('camera')).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }) as Error)
  })
})

describe('What a checklist does to a job', () => {
  it('its limits go before those of the profile, and the name of the profile says so', () => {
    const limits = profileOf(quickProfile, { thresholds: { position: { satellitesPass: 8 } } })
    expect(limits.position).toEqual({ ...quickProfile.position, satellitesPass: 8 })
    expect(limits.name).toMatchObject({ id: 'profiles.withChecklist' })
    expect(profileOf(quickProfile, {})).toBe(quickProfile)
    expect(profileOf(quickProfile, { thresholds: { output: { standstillKmh: 90 } } })).toBe(quickProfile)
  })

  it('is shown beforehand for an order, with what was ordered and has no step', () => {
    const { template } = templates.check(ownChecklist())
    const items = [
      { kind: 'output', output: 'OUT2' },
      { kind: 'question' },
      { kind: 'question' },
      { kind: 'inputs', inputs: ['IN2'], name: { en: 'Doors' } }
    ]
    const preview = previewSteps(template, order.parse({ items }))
    expect(preview.steps.map(({ id, isByAnswer }) => `${id} ${isByAnswer}`)).toEqual([
      'identity false',
      'damage false',
      'outputs false',
      'why true',
      'sign-off false'
    ])
    expect(preview.missing).toMatchObject([{ values: { en: 'Doors' } }])
  })
})
