import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sourceResourcesFolder } from '../../../main/app/core.ts'
import { openWorkplace } from '../../../main/app/workplace.ts'
import { fileFolder } from '../../world/window/installation.ts'

test(
  'while one workplace closes and the other is open, the log takes out the secrets of both',
  { timeout: 180_000 },
  async () => {
    const folder = fileFolder()
    const password = 'real-password-77'
    const host = openWorkplace({
      frontEnd: 'browser',
      dataFolder: folder,
      resourcesFolder: sourceResourcesFolder,
      given: { device: { user: 'fitter', password } },
      openPage: () => Promise.resolve()
    })
    onTestFinished(() => host.stop())
    let isOver = false
    let faults = 0
    host.onEvent((name) => {
      if (name === 'app.entered') isOver = true
    })
    const entering = host.call('app.enter', { workplace: 'training' })
    while (!isOver) {
      // Closing may be over within one turn: several faults in each.
      for (let time = 0; time < 30 && !isOver; time++) {
        await host.faulted(`it failed with ${password}`)
        faults += 1
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await entering).toMatchObject({ ok: true })
    expect(faults).toBeGreaterThan(2)
    // The log begins a new file when it is long.
    const log = readdirSync(folder)
      .filter((name) => name.startsWith('fitter.log'))
      .map((name) => readFileSync(path.join(folder, name), 'utf8'))
      .join('')
    expect(log).toContain('it failed with')
    expect(log).not.toContain(password)
  }
)
