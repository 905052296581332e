import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calls } from '../../../preload/contract/index.ts'
import { fileFolder, makeYard } from '../../world/window/installation.ts'

const yard = await makeYard({ story: 'parked', seed: 14 })
const folder = fileFolder()
const data = join(folder, 'data')
const call = (...parameters: string[]) => yard.run(data, ['call', ...parameters, '--json'])

test('every call of the window can be made in the terminal, with the answer that the window gets', async () => {
  const listed = await call()
  expect([listed.code, listed.json<string[]>()]).toEqual([0, Object.keys(calls).sort()])
  const plain = await yard.run(data, ['call', 'templates.list'])
  expect([plain.code, plain.stderr]).toEqual([0, ''])
  const answer = calls['templates.list'].output.parse(JSON.parse(plain.stdout))
  // With --json messages are texts, as in every command.
  expect((await call('templates.list')).json()).toMatchObject({
    templates: answer.templates.map(({ id }) => ({ id, name: expect.any(String) }))
  })
})

test('what a call wrote is there for the next one, and for the commands', async () => {
  const changed = await call('settings.change', '{"technician":"Technician 7"}')
  expect([changed.code, changed.stderr, changed.json()]).toEqual([
    0,
    '',
    expect.objectContaining({ technician: 'Technician 7' })
  ])
  expect((await call('settings.get')).json()).toMatchObject({ technician: 'Technician 7' })
  const { id } = (
    await yard.run(data, ['job', 'new', '--template', 'standard-installation', '--device', yard.address, '--json'])
  ).json<{ id: string }>()
  expect((await call('jobs.show', JSON.stringify({ id }))).json()).toMatchObject({ id, technician: 'Technician 7' })
  // Practice is another folder.
  expect((await call('jobs.list', '{}', '--training')).json()).toMatchObject({ jobs: [] })
})

test('a wrong name or input is refused with what is wrong, by the exit code of a wrong command line', async () => {
  const wrongName = await call('jobs.lisst')
  expect([wrongName.code, wrongName.json()]).toEqual([
    2,
    { error: expect.objectContaining({ message: expect.stringContaining('jobs.list') }) }
  ])
  const wrongInput = await call('jobs.show', '{"id":7}')
  expect([wrongInput.code, wrongInput.json()]).toEqual([
    2,
    { error: expect.objectContaining({ code: 'INVALID_REQUEST', message: expect.stringContaining('id') }) }
  ])
  expect((await call('jobs.show', '{id}')).code).toBe(2)
  expect((await call('jobs.show', '{"id":"01J00000000000000000000000"}')).json()).toMatchObject({
    error: { code: 'NOT_FOUND' }
  })
})
