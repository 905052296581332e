import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from '../../../../bin/build.ts'

test.each([
  ['vite.main.config.ts', ''],
  ['vite.preload.config.ts', ''],
  ['vite.renderer.config.ts', 'renderer']
])('%s finds its files from whatever folder Fitter is started in', (config, folder) => {
  const print = `
    import { resolveConfig } from ${JSON.stringify(join(projectFolder, 'node_modules/vite/dist/node/index.js'))}
    const { root } = await resolveConfig({ configFile: ${JSON.stringify(join(projectFolder, config))} }, 'build')
    console.log(root)`
  const root = execFileSync(process.execPath, ['--input-type=module', '-e', print], { cwd: tmpdir(), encoding: 'utf8' })
  expect(root.trim()).toBe(join(projectFolder, folder).replace(/\/$/, ''))
})
