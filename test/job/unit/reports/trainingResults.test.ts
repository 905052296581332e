import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { drawTrainingResults, summarize } from '../../../../main/job/reports/trainingResults.ts'
import { exerciseList } from '../../../../main/job/training/exerciseList.ts'
import { makeResult } from '../../../world/data/trainingResults.ts'

const two = makeResult({
  by: 'Technician Two',
  id: 'o1',
  at: '2026-11-10T09:00:00.000Z',
  points: 76,
  dangers: [{ kind: 'leftOn', at: '2026-11-10T09:00:00.000Z' }]
})
const missed = makeResult({ id: 'g1', isFound: false, points: 0, dangers: [], at: '2026-11-11T09:00:00.000Z' })
const results = [makeResult(), missed, two]

test('the print-out counts per technician, names what was dangerous, what was hardest and what comes next', () => {
  const sum = summarize({ results, list: exerciseList })
  expect(sum.people.map(({ name, points, dangers, found }) => [name, points, dangers, [...found]])).toEqual([
    ['Technician Two', 76, 1, ['o1']],
    ['Technician One', 36, 1, ['w2']]
  ])
  expect([sum.found, sum.total, sum.spentS]).toEqual([2, 42, 1200])
  expect(sum.dangers.map(({ kind, by }) => [kind, by])).toEqual([
    ['engineWhileOn', 'Technician One'],
    ['leftOn', 'Technician Two']
  ])
  expect(sum.hardest).toEqual([{ id: 'g1', tries: 1, found: 0 }])
  expect(sum.next).toEqual([
    { name: 'Technician Two', id: 'f1' },
    { name: 'Technician One', id: 'f1' }
  ])
})

test.each(['en', 'es'] as const)('each page says that it is practice: %s', async (language) => {
  const { fileName, content } = await drawTrainingResults({
    results,
    list: exerciseList,
    company: 'Company One',
    generatedAt: '2026-11-20T14:31:00.000Z',
    appVersion: '0.1.0',
    reader: { language, units: 'metric', timeZone: 'UTC' }
  })
  expect(fileName).toBe(language === 'en' ? 'training-results_2026-11-20.pdf' : 'resultados-practica_2026-11-20.pdf')
  const read = spawnSync('pdftotext', ['-', '-'], { input: content, encoding: 'utf8' })
  // Not every computer has it.
  if (read.error) return
  expect(read.stderr).toBe('')
  const text = read.stdout.replace(/\s+/g, ' ')
  expect(text).toContain('Technician Two')
  expect(text).toContain('Company One')
  expect(text).toContain(language === 'en' ? 'does not prove an installation' : 'no prueba ninguna instalación')
  expect(text).toContain(
    language === 'en' ? 'The engine was started while an output was on' : 'Se arrancó el motor con una salida encendida'
  )
})
