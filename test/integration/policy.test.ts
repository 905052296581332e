import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCore, sourceResourcesFolder } from '../../main/app/core.ts'
import { readPolicy } from '../../main/policy/policy.ts'
import { fitter } from '../support/fitterProcess.ts'
import { memoryFolder } from '../support/memoryFolder.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(memoryFolder, 'fitter-policy-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function writePolicy(content: object): string {
  const file = join(folder, 'policy.json')
  writeFileSync(file, JSON.stringify(content))
  return file
}

describe('a gateway that the company does not allow', () => {
  it('gets no request, not even a password, whether the window or the terminal names it', async () => {
    let requests = 0
    const other = createServer((_request, response) => {
      requests++
      response.end('{}')
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/api`
    const file = writePolicy({ gateway: { address: 'https://gateway.invalid/api', others: false } })
    const core = createCore({ dataFolder: join(folder, 'data'), resourcesFolder: sourceResourcesFolder, policy: readPolicy(file), inMemorySecrets: true, interfaces: () => ({}), reportFault: (error) => expect(error).toBeUndefined() })
    const signal = AbortSignal.timeout(30_000)
    await expect(core.accounts.signIn({ url, user: 'u', password: 'p', scheme: { kind: 'normal' } }, signal)).rejects.toMatchObject({ code: 'REFUSED', sentence: { id: 'policy.onlyGateway' } })
    await expect(core.accounts.chooseSite({ url, user: 'u' }, signal)).rejects.toMatchObject({ code: 'REFUSED' })
    expect(core.store.settings.get().gatewayUrl).toBe('https://gateway.invalid/api')
    await core.stop()
    const terminal = await fitter(['gateway', 'status', '--gateway', url, '--data', join(folder, 'terminal')], { env: { FITTER_POLICY_FILE: file } })
    expect([terminal.code, terminal.stderr]).toEqual([2, expect.stringContaining('allows only the gateway https://gateway.invalid/api')])
    const served = await fitter(['serve', '--gateway', url, '--data', join(folder, 'served')], { env: { FITTER_POLICY_FILE: file } })
    expect([served.code, served.stderr]).toEqual([2, expect.stringContaining('allows only the gateway https://gateway.invalid/api')])
    other.close()
    expect(requests).toBe(0)
  })
})

describe('fitter policy', () => {
  it('checks a file, names each value that cannot be read, and ends with 1', async () => {
    const file = writePolicy({ reading: { units: 'furlongs', language: 'es' } })
    const checked = await fitter(['policy', 'check', file, '--json'], {})
    expect(checked.code).toBe(1)
    expect(JSON.parse(checked.stdout)).toMatchObject({ ok: false, values: [{ key: 'reading.language', value: 'es', line: 1 }], problems: [{ line: 1, key: 'reading.units', sentence: expect.stringContaining('furlongs') }] })
    expect((await fitter(['policy', 'check', join(folder, 'missing.json')], {})).code).toBe(2)
  })

  it('shows what applies on this computer, with nothing there too', async () => {
    const shown = await fitter(['policy', 'show'], { env: { FITTER_POLICY_FILE: join(folder, 'none.json') } })
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('No company policy on this computer')])
  })
})
