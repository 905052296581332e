import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createTexts } from '../../../main/base/messages/texts.ts'
import { makeJsonReport } from '../../../main/job/reports/json.ts'
import { unsigned } from '../../../main/data/store/jobs/signature.ts'
import { fileFolder, makeYard } from '../../world/window/installation.ts'
import { makeSealedJob } from '../../world/data/sealedJob.ts'
import { fitter, startFitter } from '../../world/window/fitterProcess.ts'
import { sendJson, startScriptedServer } from '../../world/device/scriptedServer.ts'

const yard = await makeYard({ story: 'parked', seed: 11 })
const { device, gateway, address } = yard
const folder = fileFolder()
let folders = 0
const limit = { timeout: 360_000 }

/** A folder of its own for each process: only one may use a data folder at a time. */
function ownFolder(): string {
  const own = join(folder, String(++folders))
  mkdirSync(own)
  return own
}

async function run(parameters: string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await yard.run(ownFolder(), [...parameters, '--json'], { env })
  return {
    code,
    stderr,
    value: JSON.parse(stdout) as Record<string, never> & {
      error?: { code: string; message: string; retryable: boolean }
    }
  }
}

async function expectError(
  parameters: string[],
  code: number,
  errorCode: string,
  env: Record<string, string> = {}
): Promise<string> {
  const result = await run(parameters, env)
  expect([parameters.join(' '), result.code, result.value.error?.code]).toEqual([parameters.join(' '), code, errorCode])
  expect(result.value).toEqual({
    error: {
      code: errorCode,
      message: expect.stringMatching(/^\S.{10,}$/s),
      retryable: expect.any(Boolean),
      data: { id: expect.any(String), values: expect.any(Object) }
    }
  })
  expect(result.stderr).not.toMatch(/\n\s+at /)
  return result.value.error?.message ?? ''
}

describe.concurrent('results have the documented form', limit, () => {
  test('device read gives each area with its value, its time and its problems', async () => {
    const { code, value } = await run(['device', address, 'read', 'gps', 'io'])
    expect(code).toBe(0)
    const reading = { value: expect.any(Object), readAt: expect.stringMatching(/^\d{4}-.*Z$/), problems: [] }
    expect(value).toEqual({ gps: reading, io: reading })
  })

  test('device call gives operation, status, value and raw', async () => {
    const { code, value } = await run(['device', address, 'call', 'system.info'])
    expect(code).toBe(0)
    expect(value).toMatchObject({
      operation: 'system.info',
      status: 200,
      value: { hostname: device.hostname },
      raw: { hostname: device.hostname }
    })
  })

  test('diagnose gives the chain and the facts, by device and gateway', async () => {
    const { code, value } = await run(['diagnose', address, '--vehicle', yard.vehicleName()])
    expect([code, value['brokenAt']]).toEqual([0, null])
    const { chain, facts } = value as unknown as { chain: Record<string, unknown>[]; facts: Record<string, unknown>[] }
    expect(chain.map(({ link }) => link)).toEqual([
      'power',
      'sim',
      'registration',
      'address',
      'apn',
      'gatewayEvent',
      'fix',
      'vehicle',
      'visible'
    ])
    for (const step of chain)
      expect(step).toMatchObject({
        state: 'ok',
        sentence: expect.stringMatching(/\.$/),
        message: { id: expect.any(String), values: expect.any(Object) },
        remedy: null,
        witness: expect.stringMatching(/^(device|gateway|both)$/)
      })
    expect(facts.find(({ fact }) => fact === 'power')).toMatchObject({
      device: { value: true, ageS: expect.any(Number) },
      gateway: { value: true },
      verdict: 'agree'
    })
    const hidden = await run(['diagnose', '--vehicle', 'no such vehicle'])
    expect([hidden.code, hidden.value['brokenAt']]).toEqual([1, 'visible'])
  })

  test('bundle is about a device that is named by its host, or a vehicle by its name', async () => {
    const device = await run(['bundle', address, '--out', join(ownFolder(), 'device.zip')])
    expect(device).toMatchObject({ code: 0, value: { subject: { jobId: null, imei: yard.device.imei } } })
    const vehicle = await run(['bundle', '--vehicle', yard.vehicleName(), '--out', join(ownFolder(), 'vehicle.zip')])
    expect(vehicle).toMatchObject({
      code: 0,
      value: { subject: { jobId: null, imei: yard.device.imei, vehicleName: yard.vehicleName() } }
    })
    await expectError(
      ['bundle', '--vehicle', 'no such vehicle', '--out', join(ownFolder(), 'none.zip')],
      2,
      'NOT_FOUND'
    )
    await expectError(
      ['bundle', address, '--vehicle', yard.vehicleName(), '--out', join(ownFolder(), 'both.zip')],
      2,
      'INVALID_REQUEST'
    )
  })

  test('gateway status tells user, scopes, rate limit left and clock difference', async () => {
    const { code, value } = await run(['gateway', 'status'])
    expect(code).toBe(0)
    expect(value).toMatchObject({
      user: gateway.user,
      scopes: expect.any(Object),
      rateLimit: { limit: 100, remaining: expect.any(Number) },
      clockDifferenceS: expect.any(Number)
    })
  })

  test('gateway call gives operation, status, value and rate limit, and with --all every item', async () => {
    const one = await run(['gateway', 'call', 'vehicles.list', '--param', 'set=2'])
    expect(one.value).toMatchObject({
      operation: 'vehicles.list',
      status: 200,
      value: { data: [{}, {}] },
      rateLimit: { limit: 100 }
    })
    const all = await run(['gateway', 'call', 'vehicles.list', '--all'])
    expect(all.code).toBe(0)
    expect((all.value as unknown as { value: unknown[] }).value.length).toBeGreaterThan(20)
  })

  test('gateway login and logout answer, and say on stderr when there is no keychain', async () => {
    const { code, value, stderr } = await run(['gateway', 'login'])
    expect([code, value]).toEqual([0, { url: gateway.url, user: gateway.user, kept: false }])
    expect(stderr).toContain('Not saved')
    expect((await run(['gateway', 'logout'])).code).toBe(0)
  })

  test('lists that are empty are lists', async () => {
    expect((await run(['job', 'list'])).value).toEqual([])
    expect((await run(['operations', 'list'])).value).toEqual([])
    expect((await run(['sync'])).value).toMatchObject({ done: 0, waiting: 0, needsAttention: 0, failed: 0 })
  })

  test('doctor names what works and what to do about the rest', async () => {
    const { value } = await run(['doctor'])
    for (const finding of value as unknown as object[]) {
      const said = { id: expect.any(String), values: expect.any(Object) }
      const { remedy } = finding as { remedy: string }
      expect(finding).toEqual({
        name: expect.any(String),
        nameMessage: said,
        ok: expect.any(Boolean),
        part: expect.any(String),
        state: expect.stringMatching(/^(works|check|blocked|waiting|notTested)$/),
        detail: expect.any(String),
        detailMessage: said,
        remedy: expect.any(String),
        ...(remedy === '' ? {} : { remedyMessage: said })
      })
    }
  })

  test('discover gives one JSON object a line', async () => {
    const { code, stdout } = await yard.run(ownFolder(), ['discover', '--timeout', '1', '--json'])
    expect(code).toBe(0)
    for (const line of stdout.split('\n').filter(Boolean))
      expect(JSON.parse(line)).toMatchObject({
        addresses: expect.any(Array),
        port: expect.any(Number),
        verified: expect.any(Boolean)
      })
  })

  test('simulate says where everything is in its first line, and ends on Ctrl+C', async () => {
    const simulator = startFitter(['simulate', '--devices', '2', '--gateway', '--seed', '4'], {
      env: { HOME: ownFolder() }
    })
    await simulator.saw('runs until Ctrl+C')
    simulator.kill('SIGINT')
    const { code, stdout } = await simulator.ended
    expect(code).toBe(0)
    const one = {
      host: '127.0.0.1',
      port: expect.any(Number),
      imei: expect.stringMatching(/^\d{15}$/),
      user: expect.any(String),
      password: expect.any(String)
    }
    expect(JSON.parse(stdout)).toMatchObject({
      gateway: { url: expect.stringMatching(/\/api$/), user: expect.any(String), password: expect.any(String) },
      devices: [one, one]
    })
  })
})

describe.concurrent('wrong command lines end with exit code 2 and what is right', { ...limit, tags: ['long'] }, () => {
  test.for(
    [
      { parameters: ['discoverr'] },
      { parameters: ['job'] },
      { parameters: ['job', 'new', '--device', '127.0.0.1:1'] },
      { parameters: ['job', 'new', '--template', 'nothing', '--device', '127.0.0.1:1'] },
      { parameters: ['job', 'list', '--state', 'closed'] },
      { parameters: ['job', 'show', '01ARZ3NDEKTSV4RRFFQ69G5FAV'] },
      { parameters: ['job', 'run', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '--answers', '/nowhere/answers.json'] },
      { parameters: ['job', 'verify', '/nowhere/report.json'] },
      { parameters: ['device', address, 'read', 'gsp'] },
      { parameters: ['device', address, 'call', 'gps.positions'] },
      { parameters: ['device', address, 'call', 'accel.autoAlignment', '--body', '{"state": true}'] },
      { parameters: ['device', '356938035643800', 'read', 'gps'] },
      { parameters: ['device', 'ft4-356938035643800.local', 'read', 'gps'] },
      { parameters: ['gateway', 'call', 'vehicles.lst'] },
      { parameters: ['gateway', 'call', 'vehicles.list', '--param', 'colour=red'] },
      { parameters: ['gateway', 'call', 'entities.link', '--body', '{"primary_id": 1, "secondary_id": 2}'] },
      { parameters: ['gateway', 'call', 'vehicles.list', '--body', '{'] },
      { parameters: ['operations', 'retry', 'x'] },
      { parameters: ['operations', 'drop', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '--reason', 'not wanted'] },
      { parameters: ['data', 'restore', '/nowhere/backup.db'] },
      { parameters: ['discover', '--timeout', 'soon'] },
      { parameters: ['simulate', '--fault', 'gremlins'] },
      { parameters: ['diagnose', '--vehicle', 'Unit'] }
    ].map((given) => ({ ...given, line: given.parameters.join(' ') }))
  )('"fitter $line" is refused', async ({ parameters }) => {
    // "simulate --gateway" takes no address: it runs without one.
    if (parameters[0] === 'simulate') {
      const { code, stdout } = await fitter([...parameters, '--json'], { env: { HOME: ownFolder() } })
      expect([code, (JSON.parse(stdout) as { error: { code: string } }).error.code]).toEqual([2, 'INVALID_REQUEST'])
      return
    }
    const isMissing = parameters.some((word) => word.startsWith('01ARZ')) && !parameters.includes('--answers')
    const message = await expectError(parameters, 2, isMissing ? 'NOT_FOUND' : 'INVALID_REQUEST')
    expect(message).not.toContain('undefined')
  })

  test('no command at all shows the commands on stderr', async () => {
    const { code, stdout, stderr } = await fitter([], { env: { HOME: ownFolder() } })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('fitter COMMAND [options]')
  })
})

describe.concurrent('what cannot be reached or is not allowed has its exit code', limit, () => {
  test('nothing answers at the address of a device: 3', async () => {
    await expectError(['device', '127.0.0.1:9', 'read', 'gps'], 3, 'UNREACHABLE')
    await expectError(
      ['job', 'new', '--template', 'standard-installation', '--device', '127.0.0.1:9'],
      3,
      'UNREACHABLE'
    )
  })

  test('a wrong password of the device or of the gateway: 4', async () => {
    await expectError(['device', address, 'read', 'gps'], 4, 'NOT_AUTHENTICATED', { FITTER_DEVICE_PASSWORD: 'wrong' })
    await expectError(['gateway', 'status'], 4, 'NOT_AUTHENTICATED', { FITTER_GATEWAY_PASSWORD: 'wrong' })
    await expectError(['gateway', 'login'], 4, 'NOT_AUTHENTICATED', { FITTER_GATEWAY_PASSWORD: 'wrong' })
  })

  test('a sign-in page of the network instead of a device or a gateway: 3, and said so', async () => {
    const portal = await startScriptedServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html><body>Welcome, guest</body></html>')
    })
    try {
      expect(await expectError(['device', portal.address, 'read', 'gps'], 3, 'UNREADABLE')).toMatch(
        /sign-in page|another service|web page/i
      )
      const asGateway = await fitter(['gateway', 'status', '--json', '--gateway', `http://${portal.address}/api`], {
        env: { HOME: ownFolder(), ...yard.credentials }
      })
      expect([asGateway.code, asGateway.json<{ error: { code: string } }>().error.code]).toEqual([3, 'UNREADABLE'])
    } finally {
      await portal.stop()
    }
  })

  test('a device whose values have wrong types gives problems instead of values: 1', async () => {
    const odd = await startScriptedServer((request, response) => {
      if (request.path === '/system-info') return sendJson(response, { hostname: device.hostname })
      sendJson(response, { coords: 'here', timestamp: [] })
    })
    try {
      const { code, value } = await run(['device', odd.address, 'read', 'gps'])
      expect([0, 1]).toContain(code)
      expect((value as unknown as { gps: { problems: string[] } }).gps.problems).not.toEqual([])
    } finally {
      await odd.stop()
    }
  })

  test('a job is not made for something that is no device', async () => {
    const impostor = await startScriptedServer((_request, response) =>
      sendJson(response, { hostname: 'ft4-356938035643800' })
    )
    try {
      const message = await expectError(
        ['job', 'new', '--template', 'standard-installation', '--device', impostor.address],
        3,
        'UNREADABLE'
      )
      expect(message).toContain('valid check digit')
    } finally {
      await impostor.stop()
    }
  })
})

test(
  'replies of the gateway have their exit codes: 400 is 2, 401 and 404 are 4, 409 is 1, 429 and 500 are 3',
  limit,
  async () => {
    for (const [status, code, errorCode] of [
      [400, 2, 'REFUSED'],
      // Whoever is signed in all the same lacks the right: the document has 401 for both.
      [401, 4, 'NOT_PERMITTED'],
      [403, 4, 'NOT_PERMITTED'],
      [404, 4, 'NOT_FOUND'],
      [409, 1, 'CONFLICT'],
      [429, 3, 'RATE_LIMITED'],
      [500, 3, 'SERVER_ERROR']
    ] as const) {
      // The call may not wait for the reset, however long the computer takes to ask.
      gateway.setFault({ status, operation: 'version.get', resetAfterS: 600 })
      await expectError(['gateway', 'call', 'version.get', '--timeout', '50'], code, errorCode)
    }
    gateway.setFault(null)
  }
)

test('a file that is not JSON is no file of answers and no report', limit, async () => {
  const file = join(ownFolder(), 'file.json')
  writeFileSync(file, 'not json')
  await expectError(['job', 'run', 'x', '--answers', file], 2, 'INVALID_REQUEST')
  const verified = await run(['job', 'verify', file])
  expect([verified.code, verified.value.ok]).toEqual([1, false])
})

test('a report is good without a known key only when that is asked for', limit, async () => {
  const file = join(ownFolder(), 'report.json')
  const texts = createTexts({ language: 'en', timeZone: 'UTC' })
  writeFileSync(
    file,
    await makeJsonReport({
      ...(await makeSealedJob(() => Promise.resolve(unsigned))),
      generatedAt: '2026-11-20T17:00:00.000Z',
      appVersion: '0.1.0',
      texts,
      isTraining: false
    })
  )
  const verified = await run(['job', 'verify', file])
  expect([verified.code, verified.value]).toEqual([1, expect.objectContaining({ ok: true, verdict: 'hashesOnly' })])
  for (const [accept, code] of [
    ['unknown', 1],
    ['hashes', 0],
    ['unsigned', 0],
    ['all', 2]
  ] as const) {
    expect([accept, (await run(['job', 'verify', file, '--accept', accept])).code]).toEqual([accept, code])
  }
})
