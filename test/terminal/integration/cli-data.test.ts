// @module-tag long
import { plainMessage } from '../../../preload/contract/messages.ts'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Operation } from '../../../preload/contract/gateway/operations.ts'
import { openStore } from '../../../main/data/store/index.ts'
import { fitter } from '../../world/window/fitterProcess.ts'
import { makeYard } from '../../world/window/installation.ts'
import { canRun } from '../../world/data/requirement.ts'
import { appendEntry } from '../../world/data/storedJobs.ts'
import { tempFolder } from '../../world/tempFolder.ts'

const yard = await makeYard({ story: 'parked', seed: 12 })
const limit = { timeout: 360_000 }

interface Failure {
  error: { code: string; message: string; retryable: boolean }
}

/** Runs Fitter on this data folder, without any gateway. */
async function run(folder: string, parameters: string[], through: string[] = []) {
  const result = await fitter([...parameters, '--json', '--data', join(folder, 'data')], {
    env: { HOME: folder },
    through
  })
  return { ...result, value: JSON.parse(result.stdout) as unknown }
}

function makeLog(folder: string): void {
  const store = openStore(join(folder, 'data'))
  appendEntry(store, 'one', 'first', { state: 'done' })
  store.close()
}

/** Puts one link into the table, as a job would, in the state that is given. */
function addWork(
  folder: string,
  state: Operation['state'],
  payload: object = { primary: { id: null, text: 'Truck 1' }, secondary: { id: null, text: 'Trailer 12' } }
): void {
  const store = openStore(join(folder, 'data'))
  const createdAt = '2026-03-01T10:00:00.000Z'
  store.operations.add({
    id: 'work',
    kind: 'entities.link',
    key: 'vehicle:1',
    state,
    jobId: null,
    title: plainMessage('Link'),
    payload: payload as never,
    reason: plainMessage('A reason.'),
    createdAt,
    isLive: false,
    needs: []
  })
  store.close()
}

test(
  'while one Fitter uses the data folder, another one is refused with exit code 5, and commands that need none work',
  limit,
  async () => {
    const folder = tempFolder()
    const store = openStore(join(folder, 'data'))
    try {
      for (const parameters of [['job', 'list'], ['operations', 'list'], ['sync'], ['data', 'check']]) {
        const { code, value } = await run(folder, parameters)
        expect([code, value]).toMatchObject([
          5,
          {
            error: {
              code: 'DATA_LOCKED',
              message: 'Another Fitter uses this data folder. Close it, or choose another folder with --data.',
              retryable: true
            }
          }
        ])
      }
      const read = await yard.run(folder, ['device', yard.address, 'read', 'gps', '--json'])
      expect(read.code).toBe(0)
    } finally {
      store.close()
    }
  }
)

test('data check, backup and restore work together, and a changed log is told with exit code 5', limit, async () => {
  const folder = tempFolder()
  makeLog(folder)
  const backup = join(folder, 'backup.db')
  expect((await run(folder, ['data', 'backup', '--out', backup])).code).toBe(0)
  expect((await run(folder, ['data', 'check'])).value).toEqual({ ok: true, findings: [] })

  const file = join(folder, 'data', 'fitter.db')
  const bytes = readFileSync(file)
  bytes.writeUInt8('F'.charCodeAt(0), bytes.indexOf('{"text":"first"}') + 9)
  writeFileSync(file, bytes)
  const changed = await run(folder, ['data', 'check'])
  expect([changed.code, changed.value]).toEqual([
    5,
    expect.objectContaining({
      ok: false,
      findings: [
        expect.stringContaining('was changed while Fitter was closed'),
        'The log of job one was changed at entry 1.'
      ]
    })
  ])

  const restored = await run(folder, ['data', 'restore', backup])
  expect([restored.code, restored.value]).toEqual([
    0,
    { restored: true, kept: expect.stringContaining('before-restore') }
  ])
  expect((await run(folder, ['data', 'check'])).value).toEqual({ ok: true, findings: [] })

  const nowhere = await run(folder, ['data', 'backup', '--out', join(backup, 'inside.db')])
  expect([nowhere.code, (nowhere.value as Failure).error.code]).toEqual([2, 'INVALID_REQUEST'])
})

test(
  'waiting work can be dropped, sent again and closed with a reason, and only where it makes sense',
  limit,
  async () => {
    const dropped = tempFolder()
    addWork(dropped, 'pending')
    expect((await run(dropped, ['operations', 'drop', 'work'])).code).toBe(2)
    expect(await run(dropped, ['operations', 'drop', 'work', '--reason', 'not wanted'])).toMatchObject({
      code: 0,
      value: { id: 'work', state: 'cancelled' }
    })
    expect(await run(dropped, ['operations', 'drop', 'work', '--reason', 'not wanted'])).toMatchObject({
      code: 2,
      value: { error: { code: 'INVALID_REQUEST' } }
    })
    expect(await run(dropped, ['sync'])).toMatchObject({
      code: 0,
      value: { done: 0, waiting: 0, needsAttention: 0, failed: 0 }
    })

    const retried = tempFolder()
    addWork(retried, 'needsAttention')
    expect(await run(retried, ['sync'])).toMatchObject({ code: 1, value: { needsAttention: 1 } })
    expect(await run(retried, ['operations', 'retry', 'work', '--reason', 'the name is right now'])).toMatchObject({
      code: 0,
      value: { state: 'draft' }
    })

    const closed = tempFolder()
    addWork(closed, 'needsAttention')
    expect(await run(closed, ['operations', 'close', 'work', '--reason', 'the office sees it'])).toMatchObject({
      code: 0,
      value: { state: 'done' }
    })
    expect((await run(closed, ['operations', 'list'])).value).toEqual([
      expect.objectContaining({ id: 'work', kind: 'entities.link', key: 'vehicle:1', state: 'done', attempts: 0 })
    ])
  }
)

test(
  'a pause survives the end of Fitter, "sync" sends nothing meanwhile and says so, and one operation can be paused alone',
  limit,
  async () => {
    const folder = tempFolder()
    addWork(folder, 'pending')
    expect(await run(folder, ['operations', 'pause'])).toMatchObject({
      code: 0,
      value: { id: null, paused: { at: expect.any(String), by: '' } }
    })
    expect((await run(folder, ['operations', 'list'])).value).toEqual([
      expect.objectContaining({ id: 'work', waitsFor: 'pause', nextAt: null, paused: null })
    ])
    // Without a gateway it would end with 4: nothing is even asked.
    const sync = await run(folder, ['sync'])
    expect(sync).toMatchObject({ code: 0, value: { waiting: 1, paused: { at: expect.any(String) } } })
    expect(sync.stderr).toContain('Nothing new is sent.')
    expect(await run(folder, ['operations', 'resume'])).toMatchObject({ code: 0, value: { paused: null } })
    expect(await run(folder, ['operations', 'pause', 'work'])).toMatchObject({
      code: 0,
      value: { id: 'work', paused: { by: '' } }
    })
    expect(await run(folder, ['sync'])).toMatchObject({ code: 4 })
  }
)

test('"sync" without a gateway says so with exit code 4 when something waits, and nothing is lost', limit, async () => {
  const folder = tempFolder()
  addWork(folder, 'pending')
  const { code, value } = await run(folder, ['sync'])
  expect([code, (value as Failure).error.code]).toEqual([4, 'NOT_AUTHENTICATED'])
  expect((await run(folder, ['operations', 'list'])).value).toEqual([expect.objectContaining({ state: 'pending' })])
})

test(
  'work that was being sent when Fitter was killed is read back by the next "sync", not sent blindly',
  limit,
  async () => {
    const folder = tempFolder()
    const vehicle = yard.gateway.state.vehicles[0]
    const trailer = yard.gateway.state.assets.find(({ name }) => name === 'Trailer 12')
    addWork(folder, 'pending', {
      primary: { id: vehicle?.id, text: vehicle?.name },
      secondary: { id: trailer?.id, text: trailer?.name }
    })
    yard.gateway.setFault({ hang: true, after: true, operation: 'entities.link', times: 1 })
    const first = yard.start(folder, ['sync', '--json'])
    await expect.poll(() => yard.gateway.state.links.length, { timeout: 45_000, interval: 10 }).toBe(1)
    first.kill('SIGKILL')
    await first.ended
    const second = await yard.run(folder, ['sync', '--json'])
    expect([second.code, second.json(), second.stderr]).toEqual([
      0,
      expect.objectContaining({ done: 1, waiting: 0 }),
      ''
    ])
    expect(yard.gateway.state.links).toHaveLength(1)
    expect(yard.simulation.violations()).toEqual([])
  }
)

test('"sync --once" says with exit code 1 that something was not sent yet', limit, async () => {
  const folder = tempFolder()
  const vehicle = yard.gateway.state.vehicles[0]
  const trailer = yard.gateway.state.assets.find(({ name }) => name === 'Trailer 14')
  // As what was handed over: it is looked for before it is sent.
  addWork(folder, 'unknown', {
    primary: { id: vehicle?.id, text: vehicle?.name },
    secondary: { id: trailer?.id, text: trailer?.name }
  })
  const sync = await yard.run(folder, ['sync', '--once'])
  expect([sync.code, sync.stderr]).toEqual([1, expect.stringContaining('1 change was not sent yet.')])
})

test(
  'what was sent after a backup was made is read back after the backup is restored, and not sent again',
  limit,
  async () => {
    const folder = tempFolder()
    const vehicle = yard.gateway.state.vehicles[1]
    const trailer = yard.gateway.state.assets.find(({ name }) => name === 'Trailer 14')
    const linksBefore = yard.gateway.state.links.length
    addWork(folder, 'pending', {
      primary: { id: vehicle?.id, text: vehicle?.name },
      secondary: { id: trailer?.id, text: trailer?.name }
    })
    const backup = join(folder, 'backup.db')
    expect((await run(folder, ['data', 'backup', '--out', backup])).code).toBe(0)
    expect((await yard.run(folder, ['sync', '--json'])).json()).toMatchObject({ done: 1, waiting: 0 })
    expect(yard.gateway.state.links).toHaveLength(linksBefore + 1)
    expect((await run(folder, ['data', 'restore', backup])).code).toBe(0)
    expect((await run(folder, ['operations', 'list'])).value).toEqual([expect.objectContaining({ state: 'pending' })])
    const after = await yard.run(folder, ['sync', '--json'])
    expect([after.code, after.json()]).toEqual([0, expect.objectContaining({ done: 1, waiting: 0 })])
    expect(yard.gateway.state.links).toHaveLength(linksBefore + 1)
    expect((await run(folder, ['data', 'backups'])).value).toEqual([])
  }
)

test(
  'commands say at each start that the record of outputs that may be on was lost with the write-ahead log',
  limit,
  async () => {
    const [folder, killed] = [tempFolder(), tempFolder()]
    const data = join(folder, 'data')
    openStore(data).close()
    const store = openStore(data)
    store.outputLedger.begin({
      imei: '490154203237518',
      output: 'OUT1',
      path: 'local',
      vehicleId: null,
      address: 'ft4.local',
      since: '2026-11-20T09:00:00.000Z',
      by: 'T',
      jobId: null
    })
    // As a kill leaves it, after which the write-ahead log is gone.
    cpSync(folder, killed, { recursive: true })
    store.close()
    rmSync(join(killed, 'data', 'fitter.db-wal'))
    for (const command of [
      ['job', 'list'],
      ['operations', 'list'],
      ['job', 'list']
    ]) {
      const { code, stderr } = await run(killed, command)
      expect([code, stderr]).toEqual([
        0,
        expect.stringContaining('The data lost its record of an output that may still be on.')
      ])
    }
  }
)

const canMount =
  process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0

test.runIf(canRun(canMount, 'a read-only and a full disk need root on Linux'))(
  'a read-only data folder and a full one are looked at and not changed: what would write ends with exit code 5 and what to do',
  limit,
  async () => {
    const folder = tempFolder()
    makeLog(folder)
    addWork(folder, 'draft')
    const data = join(folder, 'data')
    const prepared = (script: string) => ['unshare', '-m', 'sh', '-ec', `${script}; exec "$@"`, 'sh']
    const readOnly = prepared(`mount --bind ${data} ${data}; mount -o remount,ro,bind ${data}`)
    const sentence =
      'Fitter cannot write to the data folder, so you can view everything and change nothing. Allow writing, or choose another folder with --data.'
    expect(await run(folder, ['job', 'list'], readOnly)).toMatchObject({ code: 0, value: [{ id: 'one' }] })
    const change = await run(folder, ['operations', 'drop', 'work', '--reason', 'Not wanted any more'], readOnly)
    expect([change.code, change.value]).toMatchObject([
      5,
      { error: { code: 'DATA_UNUSABLE', message: sentence, retryable: false } }
    ])

    mkdirSync(join(folder, 'small', 'data'), { recursive: true })
    const small = join(folder, 'small')
    const full = await run(small, ['job', 'list'], prepared(`mount -t tmpfs -o size=16k tmpfs ${small}/data`))
    expect([full.code, full.value]).toEqual([0, []])
    const pausing = await run(
      small,
      ['operations', 'pause'],
      prepared(`mount -t tmpfs -o size=16k tmpfs ${small}/data`)
    )
    expect([pausing.code, (pausing.value as Failure).error]).toMatchObject([
      5,
      { code: 'DATA_UNUSABLE', message: expect.stringContaining('is full') }
    ])
    expect((await run(folder, ['data', 'check'])).value).toEqual({ ok: true, findings: [] })
  }
)
