import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exitCodes } from '../../../../main/terminal/output/exitCodes.ts'
import { explainCode } from '../../../../main/support/knowledge/explain.ts'
import { openKnowledge } from '../../../../main/support/knowledge/terms.ts'
import { chainLinks, linkState } from '../../../../preload/contract/support/diagnosis.ts'
import { errorCodes } from '../../../../preload/contract/errors.ts'
import { verdict } from '../../../../preload/contract/support/facts.ts'
import { jobState, stepState } from '../../../../preload/contract/job/jobs.ts'
import { operationState } from '../../../../preload/contract/gateway/operations.ts'
import documented from './documented.json' with { type: 'json' }

const projectFolder = join(import.meta.dirname, '..', '..', '..', '..')
const knowledge = openKnowledge()
const { terms, areas } = knowledge
const sideOf = new Map(areas.map(({ id, side }) => [id, side]))

/** Sections whose words are written like others elsewhere: they have to be explained in their own area. */
const ownArea: Readonly<Record<string, string>> = {
  'GPS position': 'device.gps',
  'Modem configuration': 'device.modem',
  'Inputs, outputs, analog': 'device.io',
  Accelerometer: 'device.accelerometer',
  Scopes: 'gateway.scopes',
  Counters: 'gateway.counters',
  'Flash camera codes, told in prose': 'gateway.flashPhoto',
  'Wake reasons of a tag, told in prose': 'gateway.tags',
  'Tyre alarms, told in prose': 'gateway.tyres',
  'Ways of resampling, told in prose': 'gateway.query',
  'Forms of an export, told in prose': 'gateway.query',
  'Units, told in prose': 'gateway.asking'
}
/** Words of such a section that stand there for something else. */
const fromElsewhere = new Set([
  'accel_current_state',
  'GET /vehicles/:vid/counters',
  'vehicle',
  'r',
  'w',
  'name',
  'info',
  'device',
  'ios_state',
  'latest',
  'resource_id',
  'id',
  'iccid',
  'line_number',
  'units',
  'IMEI'
])

function missingOf(side: 'device' | 'gateway', sections: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(sections).flatMap(([section, words]) =>
    words
      .filter((word) => {
        const wanted = ownArea[section]
        return !explainCode(knowledge, word).some(({ area }) =>
          wanted === undefined || fromElsewhere.has(word) ? sideOf.get(area) === side : area === wanted
        )
      })
      .map((word) => `${section}: ${word}`)
  )
}

test('every status, code and field of both documents is explained', () => {
  expect(missingOf('device', documented.device)).toEqual([])
  expect(missingOf('gateway', documented.gateway)).toEqual([])
})

test('each one of a row of lines is explained, and each number of a list of statuses in its own list', () => {
  const rows = {
    'device.io': ['IN', 7, 'OUT', 4, 'SO', 4],
    'gateway.expander': ['io_exp_in', 4, 'io_exp_out', 4]
  } as const
  const lines = Object.entries(rows).flatMap(([area, row]) =>
    row.flatMap((name, at) =>
      typeof name === 'string'
        ? Array.from({ length: Number(row[at + 1]) }, (_, n) => [area, `${name}${String(n + 1)}`] as const)
        : []
    )
  )
  const numbers = [
    ...[...Array(17).keys(), 99].map((n) => ['gateway.photo', String(n)] as const),
    ...[10, 11, 12, 13, 20, 100, 110, 111, 150, 301].map((n) => ['gateway.eventTypes', String(n)] as const),
    ...[200, 201, 204, 304, 400, 401, 403, 404, 409, 429, 500].map((n) => ['gateway.status', String(n)] as const),
    ...['B', 'D', 'F', 'O', 'T', 'U'].map((flag) => ['gateway.ecu', flag] as const)
  ]
  expect(
    [...lines, ...numbers].filter(([area, code]) => !explainCode(knowledge, code).some((term) => term.area === area))
  ).toEqual([])
})

test('every request of both tables is explained by its id', () => {
  const ids = Object.values(documented.operations).flat()
  expect(ids.length).toBeGreaterThan(100)
  expect(ids.filter((id) => !explainCode(knowledge, id).some(({ area }) => area.endsWith('perations')))).toEqual([])
})

test("Fitter's own words are explained: links, verdicts, states, errors and exit codes", () => {
  const own = [
    ...[...chainLinks, ...linkState.options].map((word) => ['fitter.chain', word] as const),
    ...verdict.options.map((word) => ['fitter.verdict', word] as const),
    ...stepState.options.map((word) => ['fitter.step', word] as const),
    ...jobState.options.map((word) => ['fitter.job', word] as const),
    ...operationState.options.map((word) => ['fitter.operation', word] as const),
    ...errorCodes.map((word) => ['fitter.error', word] as const),
    ...Object.values(exitCodes).map((code) => ['fitter.exit', `exit ${String(code)}`] as const)
  ]
  expect(own.filter(([area, word]) => !explainCode(knowledge, word, area).some((term) => term.area === area))).toEqual(
    []
  )
})

test('each explanation says something, in both languages, and no two have one id', () => {
  const wrong = terms.flatMap(({ id, codes, en, es }) => {
    const said = [en, es].flatMap(({ name, text }) => [name, text])
    return [
      ...(said.some((one) => one.trim() === '') || codes.length === 0 ? [`${id}: empty`] : []),
      ...([en, es].some(({ name, text }) => name === text || codes.includes(text) || text.length < 8)
        ? [`${id}: says its code only`]
        : []),
      ...(en.text === es.text ? [`${id}: not translated`] : []),
      ...(said.some((one) => /TODO|\s{2}|\?\?/.test(one)) || [en, es].some(({ text }) => !/[.?]$/.test(text))
        ? [`${id}: not finished`]
        : [])
    ]
  })
  expect(wrong).toEqual([])
  expect(terms.map(({ id }) => id).filter((id, at, all) => all.indexOf(id) !== at)).toEqual([])
})

test('each explanation belongs to an area, and no area is without', () => {
  expect(terms.filter(({ area, id }) => !sideOf.has(area) || !id.startsWith(`${area}.`)).map(({ id }) => id)).toEqual(
    []
  )
  expect(areas.filter(({ id }) => !terms.some(({ area }) => area === id)).map(({ id }) => id)).toEqual([])
  expect(
    areas.filter(({ id, side, en, es }) => !id.startsWith(`${side}.`) || en === '' || es === '').map(({ id }) => id)
  ).toEqual([])
})

test('things have their one name in the explanations too', () => {
  const never = {
    en: /\b(waived?|waiver|tracker|platform|backend|installer|work order|ticket|number plate)\b/i,
    es: /\b(dispositivos?|pasarela|gateway|saltad[oa]s?|tareas?|lista de control|instalador(es)?|matr[ií]culas?|control remoto)\b/i
  }
  // A word that stands between backticks is the document's own.
  const words = (text: string): string => text.replace(/`[^`]*`/g, '')
  expect(
    terms
      .flatMap(({ id, en, es }) => [
        never.en.test(words(`${en.name} ${en.text}`)) ? `${id} en` : '',
        never.es.test(words(`${es.name} ${es.text}`)) ? `${id} es` : ''
      ])
      .filter(Boolean)
  ).toEqual([])
})

test('whatever a screen names to be explained is there', () => {
  const screens = readdirSync(join(projectFolder, 'renderer'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(vue|ts)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
  const named = new Set(
    [...screens.matchAll(/['"`]((?:device|gateway|fitter)\.[a-zA-Z]+\.[\w.]+)['"`]/g)].map(([, id]) => id ?? '')
  )
  const within = new Set(
    [...screens.matchAll(/within="?'?((?:device|gateway|fitter)[\w.]*)/g)].map(([, area]) => area ?? '')
  )
  const ids = new Set(terms.map(({ id }) => id))
  expect(named.size).toBeGreaterThan(40)
  expect([...named].filter((id) => areas.some((area) => id.startsWith(`${area.id}.`)) && !ids.has(id))).toEqual([])
  expect([...within].filter((area) => !areas.some(({ id }) => id === area || id.startsWith(`${area}.`)))).toEqual([])
})
