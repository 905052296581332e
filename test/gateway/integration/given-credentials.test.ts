import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { projectFolder } from '../../../bin/build.ts'

it('credentials of the environment are given to no program that Fitter starts, and are still known to itself', async () => {
  // What the terminal does before anything else, and then a program that it would start.
  const code = `
    const { takeCredentials, givenCredentials } = await import('${projectFolder}/main/terminal/input/environmentCredentials.ts')
    takeCredentials()
    const { execFileSync } = await import('node:child_process')
    console.log(JSON.stringify({ given: givenCredentials(), child: execFileSync('env').toString() }))`
  const env = {
    PATH: process.env.PATH,
    FITTER_DEVICE_USER: 'u',
    FITTER_DEVICE_PASSWORD: 'marker-pass',
    FITTER_GATEWAY_USER: 'v',
    FITTER_GATEWAY_PASSWORD: 'marker-pass'
  }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { env })
  const { given, child } = JSON.parse(stdout) as { given: object; child: string }
  expect(given).toEqual({
    device: { user: 'u', password: 'marker-pass' },
    gateway: { user: 'v', password: 'marker-pass' }
  })
  expect(child).toContain('PATH=')
  expect(child).not.toMatch(/marker-pass|FITTER_DEVICE|FITTER_GATEWAY/)
})
