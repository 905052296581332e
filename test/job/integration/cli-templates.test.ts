import { mkdirSync, writeFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Job } from '../../../preload/contract/job/jobs.ts'
import type { ListedTemplate, TemplateSaved } from '../../../preload/contract/job/templates.ts'
import { makeYard } from '../../world/window/installation.ts'
import { fitter } from '../../world/window/fitterProcess.ts'
import { ownChecklist, withStep } from '../../world/data/ownChecklist.ts'
import { tempFolder } from '../../world/tempFolder.ts'

const limit = { timeout: 360_000 }

test('checklists are looked over, kept, listed and exported at the command line', limit, async () => {
  const folder = tempFolder()
  mkdirSync(folder, { recursive: true })
  const file = (name: string, content: object | string) => {
    const path = join(folder, name)
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return path
  }
  const run = (...parameters: string[]) =>
    fitter(['templates', ...parameters, '--data', join(folder, 'data')], { env: { HOME: folder } })

  const [good, warned, wrong, broken, huge] = [
    file('good.json', ownChecklist()),
    file('warned.json', withStep('why', { title: { en: 'Why' } })),
    file('wrong.json', withStep('why', { when: { ordered: 'magic' } })),
    file('broken.json', '{'),
    file('huge.json', '')
  ]
  truncateSync(huge, 200 * 1024 * 1024)
  const checked = await Promise.all(
    [good, warned, wrong, broken, huge, join(folder, 'none.json')].map((path) => run('check', path, '--json'))
  )
  expect(checked.map(({ code }) => code)).toEqual([0, 1, 1, 2, 2, 2])
  expect(checked[0]?.json()).toEqual({ ok: true, findings: [] })
  expect(checked[2]?.json()).toMatchObject({
    ok: false,
    findings: [
      {
        path: 'steps[4].when.ordered',
        level: 'error',
        what: expect.stringContaining('“magic”'),
        message: { id: 'templates.finding.noSuchOrder' }
      }
    ]
  })
  expect((await run('check', wrong)).stdout).toContain(
    'Error, steps[4].when.ordered: “magic” is neither a kind of step nor a name that this checklist gives to ordered items.'
  )

  const refused = await run('import', wrong, '--json')
  expect([refused.code, refused.json<TemplateSaved>().outcome]).toEqual([2, 'refused'])
  expect((await run('import', good, '--json')).json()).toMatchObject({ outcome: 'kept', id: 'our-vans', version: 1 })
  const listed = (await run('list', '--json')).json<ListedTemplate[]>()
  expect(
    listed
      .filter(({ origin }) => origin === 'shipped')
      .map(({ id }) => id)
      .sort()
  ).toEqual([
    'camera',
    'diagnosis',
    'heavy-truck',
    'removal',
    'service-visit',
    'standard-installation',
    'starter-relay',
    'trailer'
  ])
  expect(listed.find(({ origin }) => origin === 'own')).toMatchObject({
    id: 'our-vans',
    version: 1,
    name: 'Our vans',
    steps: 6
  })

  expect((await run('export', 'our-vans')).json()).toEqual(ownChecklist())
  expect((await run('export', 'nothing')).code).toBe(2)
  expect((await run('schema')).json()).toMatchObject({
    type: 'object',
    required: expect.arrayContaining(['id', 'steps'])
  })
  expect((await run('invent')).code).toBe(2)
})

test(
  'a job made of a checklist and an order of the customer has the steps that were ordered, and follows an order that changes',
  limit,
  async () => {
    const folder = tempFolder()
    const yard = await makeYard({ seed: 21 })
    const file = (name: string, content: string) => {
      writeFileSync(join(folder, name), content)
      return join(folder, name)
    }
    const run = (...parameters: string[]) => yard.run(folder, [...parameters, '--json'])
    expect(
      (
        await run(
          'templates',
          'import',
          file('own.json', JSON.stringify(ownChecklist({ thresholds: { position: { satellitesPass: 8 } } })))
        )
      ).code
    ).toBe(0)
    const orders = file(
      'orders.csv',
      `reference;vehicle;customer;kind;as;name;output;engineOff\nA1;Van 1;Customer One;output;starterRelay;;OUT2;\nA1;;;output;;Siren;OUT3;no\nA2;Van 2;Customer Two;output;;;OUT1;no\n`
    )

    const several = await run('job', 'new', '--template', 'our-vans', '--device', yard.address, '--order', orders)
    expect([several.code, several.stdout]).toEqual([2, expect.stringContaining('A1 and A2')])
    const incomplete = file('incomplete.json', JSON.stringify({ items: [{ kind: 'trigger' }] }))
    const refused = await run(
      'job',
      'new',
      '--template',
      'standard-installation',
      '--device',
      yard.address,
      '--order',
      incomplete
    )
    expect([refused.code, refused.stdout]).toEqual([
      2,
      expect.stringContaining('Trigger: Enter the event. Without it there is nothing to test.')
    ])
    const made = await run(
      'job',
      'new',
      '--template',
      'our-vans',
      '--device',
      yard.address,
      '--order',
      orders,
      '--vehicle',
      'Van 1'
    )
    expect(made.code, made.stdout).toBe(0)
    const { id } = made.json<{ id: string }>()
    const job = (await run('job', 'show', id)).json<Job>()
    expect(job).toMatchObject({
      vehicleText: 'Van 1',
      customer: 'Customer One',
      template: { id: 'our-vans', version: 1 },
      profile: { name: expect.stringContaining('with limits of the checklist') }
    })
    expect(job.steps.map((step) => [step.id, step.title])).toEqual([
      ['identity', 'Identity'],
      ['damage', 'Damage'],
      ['starter', 'Starter'],
      ['outputs', 'Output: Siren'],
      ['why', 'Why'],
      ['sign-off', 'Sign-off']
    ])

    // A newer version is for new jobs; an order that changes is followed by the job at once.
    expect(
      (await run('templates', 'import', file('newer.json', JSON.stringify(ownChecklist({ kind: 'service' }))))).json()
    ).toMatchObject({ outcome: 'kept', version: 2 })
    const changed = (await run('job', 'order', id, '--order', orders, '--vehicle', 'Van 2')).json<Job>()
    expect(changed).toMatchObject({ kind: 'installation', template: { version: 1 } })
    expect(changed.steps.map((step) => step.id)).toEqual(['identity', 'damage', 'outputs', 'why', 'sign-off'])
  }
)
