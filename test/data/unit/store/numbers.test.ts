import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../../../../preload/contract/define.ts'
import { createWorkNumbers } from '../../../../main/job/reports/workNumbers.ts'
import { countJob } from '../../../../main/data/store/jobs/jobNumbers.ts'
import { makePastJobs } from '../../../world/data/pastJobs.ts'
import { openTestStore } from '../../../world/data/storedJobs.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fitter-numbers-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const entry = (type: string, stepId: string | null, data: Json, minute = 0) => ({
  at: `2026-11-20T10:${String(minute).padStart(2, '0')}:00.000Z`,
  type,
  stepId,
  data
})
const created = entry('jobCreated', null, {
  template: {
    steps: [
      { id: 'power', kind: 'externalPower', title: 'Power' },
      { id: 'in', kind: 'inputs', title: 'Inputs' },
      { id: 'sign', kind: 'signOff', title: 'Sign-off' }
    ]
  }
})
const ended = (stepId: string, attempt: number, state: string, minute: number, summary: Json = null) =>
  entry('stepEnded', stepId, { attempt, state, durationMs: 60_000, summary }, minute)
const done = entry('stateChanged', null, { state: 'done' }, 30)

describe('The numbers of a job', () => {
  it('add up every attempt of a step, and keep what it failed with first', () => {
    const numbers = countJob([
      created,
      entry('stepStarted', 'power', { attempt: 1 }, 1),
      ended('power', 1, 'fail', 2, { id: 'externalPower.none', values: {} }),
      entry('stepStarted', 'power', { attempt: 2 }, 3),
      ended('power', 2, 'fail', 4, { id: 'externalPower.drops', values: {} }),
      entry('stepStarted', 'power', { attempt: 3 }, 5),
      ended('power', 3, 'pass', 6),
      entry('stepStarted', 'in-2', { attempt: 1 }, 7),
      ended('in-2', 1, 'pass', 8),
      done
    ])
    expect(numbers).toMatchObject({ endedAt: done.at, lastedMs: 29 * 60_000, isFirstTime: false })
    expect(numbers?.steps).toEqual([
      {
        stepId: 'power',
        kind: 'externalPower',
        title: '"Power"',
        state: 'pass',
        attempts: 3,
        workMs: 180_000,
        isFirstTime: false,
        failure: '{"id":"externalPower.none","values":{}}',
        failures: 2
      },
      {
        stepId: 'in-2',
        kind: 'inputs',
        title: '"Inputs"',
        state: 'pass',
        attempts: 1,
        workMs: 60_000,
        isFirstTime: true,
        failure: null,
        failures: 0
      }
    ])
  })

  it('last until the signature: what the gateway confirms later is no work', () => {
    const numbers = countJob([
      created,
      entry('stepStarted', 'power', { attempt: 1 }, 1),
      ended('power', 1, 'deferred', 2),
      entry('stepStarted', 'sign', { attempt: 1 }, 3),
      ended('sign', 1, 'pass', 5),
      entry('stateChanged', null, { state: 'installedAwaitingGateway' }, 5),
      done
    ])
    expect(numbers).toMatchObject({ endedAt: done.at, lastedMs: 4 * 60_000 })
  })

  it('never call a step right that was skipped or stopped, nor a job that has one', () => {
    expect(
      countJob([
        created,
        entry('stepStarted', 'power', { attempt: 1 }, 1),
        ended('power', 1, 'waiting', 2),
        entry('waived', 'power', { reason: 'x', by: 'T' }, 3),
        done
      ])
    ).toMatchObject({ isFirstTime: false, steps: [{ state: 'waived', isFirstTime: false }] })
    expect(countJob([created, done])).toBeUndefined()
    expect(countJob([created, entry('stepStarted', 'power', { attempt: 1 }, 1)])).toBeUndefined()
  })
})

describe('Numbers about the work', () => {
  it('say which times the middle 80 % of the runs took, and do not mistake the mean for them', async () => {
    makePastJobs(folder, 12)
    const store = openTestStore(folder)
    await store.readNumbers({})
    const sql = new Database(store.file)
    const rows = sql.prepare("select job_id as id from step_numbers where kind = 'identity' order by job_id").all() as {
      id: string
    }[]
    const times = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 600]
    rows.forEach(({ id }, index) =>
      sql
        .prepare("update step_numbers set work_ms = ? where kind = 'identity' and job_id = ?")
        .run((times[index] ?? 0) * 1_000, id)
    )
    const lasted = sql.prepare('update job_numbers set lasted_ms = ? where job_id = ?')
    rows.forEach(({ id }, index) => lasted.run((times[index] ?? 0) * 1_000, id))
    sql.close()
    const numbers = await store.readNumbers({})
    // Of an even number of runs, the middle lies between the two in the middle.
    expect(numbers.middleMs).toBe(6_500)
    expect(numbers.steps.find(({ kind }) => kind === 'identity')).toMatchObject({
      lowMs: 2_000,
      middleMs: 6_500,
      highMs: 11_000
    })
  })

  it('are kept as jobs end, and are the same when they are taken up from the logs of before', async () => {
    makePastJobs(folder, 36)
    const store = openTestStore(folder)
    const kept = await store.readNumbers({})
    expect(kept.jobs).toBe(36)
    expect(kept.groups.filter(({ by }) => by === 'technician').map(({ value, jobs }) => [value, jobs])).toEqual([
      ['Technician One', 12],
      ['Technician Three', 12],
      ['Technician Two', 12]
    ])
    expect(kept.groups.find(({ by, value }) => by === 'model' && value === 'cc3')).toMatchObject({
      jobs: 36,
      commonest: { sentence: { id: 'power.none' } }
    })
    expect(kept.steps.find(({ kind }) => kind === 'identity')).toMatchObject({ averageMs: 5_000, failures: 0 })
    expect(kept.steps.reduce((sum, { failures }) => sum + failures, 0)).toBe(6)
    // Each finding is about all of the log: nothing is counted twice, and nothing is left out.
    expect(kept.failedSteps).toBe(6)
    expect(kept.causes.reduce((sum, { steps }) => sum + steps, 0)).toBe(6)
    expect(kept.months.reduce((sum, { jobs }) => sum + jobs, 0)).toBe(36)
    expect(kept.months.reduce((sum, { firstTimeJobs }) => sum + firstTimeJobs, 0)).toBe(kept.firstTimeJobs)
    const waived = kept.steps.reduce((sum, step) => sum + step.waived, 0)
    for (const by of ['technician', 'template', 'model'])
      expect(kept.groups.filter((group) => group.by === by).reduce((sum, group) => sum + group.waived, 0)).toBe(waived)
    for (const { lowMs, middleMs, highMs } of kept.steps) expect(lowMs <= middleMs && middleMs <= highMs).toBe(true)
    expect(kept.steps.find(({ kind }) => kind === 'identity')).toMatchObject({
      lowMs: 5_000,
      middleMs: 5_000,
      highMs: 5_000
    })
    expect(kept.uncounted).toBe(0)
    expect((await store.readNumbers({ technician: 'Technician One', template: 'standard-installation' })).jobs).toBe(12)
    expect(
      (await store.readNumbers({ from: new Date(Date.now() - 1.5 * 86_400_000).toISOString() })).jobs
    ).toBeLessThan(7)

    const sql = new Database(store.file)
    sql.exec('delete from step_numbers; delete from job_numbers')
    sql.close()
    expect(await store.readNumbers({})).toMatchObject({ jobs: 0, uncounted: 36, months: [], causes: [] })
    expect((await store.readNumbers({ technician: 'Technician One' })).uncounted).toBe(12)
    const told: number[] = []
    expect(await store.buildNumbers({ progress: (done) => void told.push(done) })).toBe(36)
    expect(told.at(-1)).toBe(36)
    expect(await store.readNumbers({})).toEqual(kept)
    expect(store.numbers.isBuilt()).toBe(true)
    // What is there already is not taken up again.
    expect(await store.buildNumbers()).toBe(0)
  })

  it('come as a table in the words of the reader', async () => {
    makePastJobs(folder, 12)
    const desk = createWorkNumbers({
      store: openTestStore(folder),
      reader: () => ({ language: 'es' }),
      reportFault: (error) => {
        throw error
      }
    })
    const { content, fileName } = await desk.table({}, AbortSignal.timeout(20_000))
    expect(fileName).toMatch(/^fitter-numbers-\d{4}-\d\d-\d\d\.csv$/)
    const lines = content.trim().split('\r\n')
    expect(lines[0]).toBe(
      'agrupado por,valor,trabajos,bien a la primera,media s,omitidos,fallidos,lo que más falla,con'
    )
    expect(lines).toContainEqual(expect.stringMatching(/^paso,Identidad,12,/))
    expect(lines).toContainEqual(expect.stringMatching(/^técnico,Technician One,4,/))
    await desk.stop()
  })
})
