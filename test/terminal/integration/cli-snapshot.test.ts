import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileFolder, makeYard } from '../../world/window/installation.ts'
import type { Snapshot, SnapshotDifference } from '../../../preload/contract/support/snapshots.ts'

let aheadMs = 0
const yard = await makeYard({ story: 'parked', seed: 12, now: () => Date.now() + aheadMs })
const { device, address } = yard
const folder = fileFolder()
const limit = { timeout: 360_000 }
const [a, b] = [join(folder, 'a.json'), join(folder, 'b.json')]
const dataFolder = join(folder, 'data')

async function run(parameters: string[]) {
  const { code, stdout, stderr } = await yard.run(dataFolder, ['snapshot', ...parameters])
  return { code, stdout, stderr }
}
async function json<Form>(parameters: string[]): Promise<{ code: number | null; value: Form }> {
  const { code, stdout } = await run([...parameters, '--json'])
  return { code, value: JSON.parse(stdout) as Form }
}

test(
  'a snapshot is written once, whole, for its owner alone, and says what a person did to the wiring since',
  limit,
  async () => {
    // By now the gateway shows what the device reported at its start.
    aheadMs = 60_000
    const first = await json<{ file: string; sha256: string; areas: object; device: { imei: string } }>([
      address,
      '--out',
      a
    ])
    expect([first.code, first.value.device.imei, Object.keys(first.value.areas).sort()]).toEqual([
      0,
      device.imei,
      ['accelerometer', 'apps', 'eth', 'gps', 'hotspot', 'io', 'modem', 'system', 'wifi']
    ])
    expect(statSync(a).mode & 0o777).toBe(0o600)
    const text = readFileSync(a, 'utf8')
    for (const secret of [device.password, yard.gateway.password]) expect(text).not.toContain(secret)
    const file = JSON.parse(text) as Snapshot
    expect(file.gateway).toMatchObject({ state: 'answers', record: { value: { imei: device.imei } } })

    const again = await json<{ error: { code: string } }>([address, '--out', a])
    expect([again.code, again.value.error.code]).toEqual([2, 'INVALID_REQUEST'])
    expect(readFileSync(a, 'utf8')).toBe(text)

    aheadMs = 120_000
    device.vehicle.setInput('IN2', true)
    device.setFault('updateAvailable', true)
    // Asked four times, the update check of the device has brought it to its end.
    for (let n = 0; n < 4; n += 1)
      await fetch(`http://${address}/updates/os/check`, {
        headers: { authorization: `Basic ${Buffer.from(`${device.user}:${device.password}`).toString('base64')}` }
      })
    expect((await run([address, '--out', b])).code).toBe(0)

    const { code, value } = await json<SnapshotDifference[]>(['diff', a, b])
    expect(code).toBe(0)
    // The gateway may have heard of the input by now, or not yet.
    expect(value.filter(({ noise, area }) => !noise && area !== 'gateway')).toEqual([
      { area: 'io', field: 'IN2', before: false, after: true, noise: false },
      { area: 'system', field: 'osVersion', before: '4.2.1', after: '4.3.0', noise: false },
      { area: 'system', field: 'releaseDate', before: '20260412083000', after: '20260903101500', noise: false }
    ])
    expect(value.find(({ field }) => field === 'timestamp')).toMatchObject({ area: 'gps', noise: true })

    const plain = await run(['diff', a, b, '--language', 'en'])
    expect(plain.stdout).toMatch(
      /^From .*:\n- OS 4\.2\.1 → 4\.3\.0\n- IN2 is active now, it was not\n\n {2}io IN2 +false -> true\n {2}system osVersion +4\.2\.1 -> 4\.3\.0\n {2}system releaseDate .*\n(?: {2}gateway .*\n)*\n\d+ expected changes hidden; --all shows them\.\n$/
    )
    expect((await run(['diff', a, b, '--all'])).stdout).toMatch(/\n~ gps timestamp/)
  }
)

test('what cannot be done is said, with its exit code, and leaves no file', limit, async () => {
  const notThere = join(folder, 'none.json')
  const hostile = join(folder, 'hostile.json')
  const newer = join(folder, 'newer.json')
  writeFileSync(hostile, '['.repeat(500_000))
  writeFileSync(newer, JSON.stringify({ format: 'fitter-snapshot', version: 9 }))
  const codes = async (parameters: string[]) => {
    const { code, value } = await json<{ error: { code: string; message: string } }>(parameters)
    return [code, value.error.code]
  }
  expect(await codes([address])).toEqual([2, 'INVALID_REQUEST'])
  expect(await codes([address, 'more', '--out', notThere])).toEqual([2, 'INVALID_REQUEST'])
  expect(await codes(['diff', notThere, notThere])).toEqual([2, 'INVALID_REQUEST'])
  expect(await codes(['diff', hostile, hostile])).toEqual([2, 'INVALID_REQUEST'])
  expect((await run(['diff', newer, newer, '--language', 'en'])).stderr).toContain(
    'A newer version of Fitter made this snapshot (format 9)'
  )
  expect(await codes(['127.0.0.1:9', '--out', notThere])).toEqual([3, 'UNREACHABLE'])
  device.setFault('unauthorized', true)
  expect(await codes([address, '--out', notThere])).toEqual([4, 'NOT_AUTHENTICATED'])
  device.setFault('unauthorized', false)
  expect(statSync(notThere, { throwIfNoEntry: false })).toBeUndefined()
})
