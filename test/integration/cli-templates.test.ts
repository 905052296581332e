import { mkdirSync, writeFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ListedTemplate, TemplateKept } from '../../preload/contract/templates.ts'
import { fitter } from '../support/fitterProcess.ts'
import { ownChecklist, withStep } from '../support/ownChecklist.ts'
import { tempFolder } from '../support/tempFolder.ts'

const limit = { timeout: 60_000 }

test('checklists are looked over, kept, listed and exported at the command line', limit, async () => {
  const folder = tempFolder()
  mkdirSync(folder, { recursive: true })
  const file = (name: string, content: object | string) => {
    const path = join(folder, name)
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return path
  }
  const run = (...parameters: string[]) => fitter(['templates', ...parameters, '--data', join(folder, 'data')], { env: { HOME: folder } })

  const [good, warned, wrong, broken, huge] = [file('good.json', ownChecklist()), file('warned.json', withStep('why', { title: { en: 'Why' } })), file('wrong.json', withStep('why', { when: { ordered: 'magic' } })), file('broken.json', '{'), file('huge.json', '')]
  truncateSync(huge, 200 * 1024 * 1024)
  const checked = await Promise.all([good, warned, wrong, broken, huge, join(folder, 'none.json')].map((path) => run('check', path, '--json')))
  expect(checked.map(({ code }) => code)).toEqual([0, 1, 1, 2, 2, 2])
  expect(checked[0]?.json()).toEqual({ ok: true, findings: [] })
  expect(checked[2]?.json()).toMatchObject({ ok: false, findings: [{ path: 'steps[4].when.ordered', level: 'error', what: expect.stringContaining('“magic”'), message: { id: 'templates.finding.noSuchOrder' } }] })
  expect((await run('check', wrong)).stdout).toContain('Error, steps[4].when.ordered: “magic” is no kind of step')

  const refused = await run('import', wrong, '--json')
  expect([refused.code, refused.json<TemplateKept>().outcome]).toEqual([2, 'refused'])
  expect((await run('import', good, '--json')).json()).toMatchObject({ outcome: 'kept', id: 'our-vans', version: 1 })
  const listed = (await run('list', '--json')).json<ListedTemplate[]>()
  expect(listed.filter(({ origin }) => origin === 'shipped').map(({ id }) => id).sort()).toEqual(['camera', 'diagnosis', 'heavy-truck', 'removal', 'service-visit', 'standard-installation', 'starter-relay', 'trailer'])
  expect(listed.find(({ origin }) => origin === 'own')).toMatchObject({ id: 'our-vans', version: 1, name: 'Our vans', steps: 6 })

  expect((await run('export', 'our-vans')).json()).toEqual(ownChecklist())
  expect((await run('export', 'nothing')).code).toBe(2)
  expect((await run('schema')).json()).toMatchObject({ type: 'object', required: expect.arrayContaining(['id', 'steps']) })
  expect((await run('invent')).code).toBe(2)
})
