import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sourceResourcesFolder } from '../../main/app/core.ts'
import { openWorkplace } from '../../main/app/workplace.ts'
import { fileFolder } from '../support/installation.ts'

test('while one workplace closes and the other is open, the log takes out the secrets of both', { timeout: 60_000 }, async () => {
  const folder = fileFolder()
  const password = 'real-password-77'
  const host = await openWorkplace({
    frontEnd: 'browser',
    dataFolder: folder,
    resourcesFolder: sourceResourcesFolder,
    given: { device: { user: 'fitter', password } },
    openPage: () => Promise.resolve()
  })
  onTestFinished(() => host.stop())
  let isOver = false
  let faults = 0
  const entering = host.call('app.enter', { workplace: 'training' }).finally(() => (isOver = true))
  while (!isOver) {
    await host.faulted(new Error(`it failed with ${password}`))
    faults += 1
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await entering).toMatchObject({ ok: true })
  expect(faults).toBeGreaterThan(2)
  const log = readFileSync(path.join(folder, 'fitter.log'), 'utf8')
  expect(log).toContain('it failed with')
  expect(log).not.toContain(password)
})
