import { expect, test } from 'vitest'
import type { ApnLogin } from '../../../../preload/contract/device/deviceProfiles.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import {
  createProfilePlans,
  type PlannedJob,
  type ProfilePlansOptions
} from '../../../../main/support/deviceSession/deviceProfiles/plans.ts'
import { openStore } from '../../../../main/data/store/index.ts'
import { openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const imei = '867698040023064'
const login: ApnLogin = { user: 'u-canary', pass: 'p-canary', pin: '' }
const plan = {
  imei,
  jobId: 'job1',
  profile: { id: 'p1', name: 'Río Norte' },
  settings: ['apn'],
  plannedAt: '2026-11-27T08:00:00.000Z',
  plannedBy: 'A. Ruiz'
}
const profile = {
  id: 'p1',
  name: 'Río Norte',
  savedAt: plan.plannedAt,
  savedBy: '',
  from: { model: null, digits: '', vehicle: null, osVersion: null },
  settings: [{ kind: 'apn' as const, value: 'internet.rionorte' }]
}

/** Plans of one device, whose job and whose connection a test decides. */
function bench(store: ProfilePlansOptions['store']) {
  const world = {
    job: 'open' as PlannedJob,
    isInJob: false,
    key: imei as string | undefined,
    fails: null as Error | null
  }
  const sent: [string, ApnLogin][] = []
  const faults: unknown[] = []
  const plans = createProfilePlans({
    store,
    jobState: () => world.job,
    isInJob: () => world.isInJob,
    keyOf: () => world.key,
    apply: (key, _plan, sentLogin) =>
      world.fails ? Promise.reject(world.fails) : (sent.push([key, sentLogin]), Promise.resolve()),
    changed: () => undefined,
    reportFault: (error) => faults.push(error)
  })
  /** Tries, and waits until the attempt has ended. */
  async function tried(): Promise<void> {
    plans.soon()
    await plans.settled()
  }
  return { world, sent, faults, plans, tried }
}

function storeWithProfile(folder = tempFolder()) {
  const store = openTestStore(folder)
  store.deviceProfiles.add(profile)
  return store.deviceProfiles
}

test('nothing is sent while the job is open, and it is sent once after its end', async () => {
  const { world, sent, plans, tried } = bench(storeWithProfile())
  plans.add(plan, login)
  await tried()
  world.job = 'ended'
  world.isInJob = true
  await tried()
  expect(sent).toEqual([])
  world.isInJob = false
  await tried()
  await tried()
  expect(sent).toEqual([[imei, login]])
  expect(plans.list()).toEqual([])
})

test('it waits for a device that cannot be used, and does not ask a silent one again at once', async () => {
  const { world, sent, plans, tried } = bench(storeWithProfile())
  world.job = 'ended'
  world.key = undefined
  plans.add(plan, null)
  await tried()
  expect(plans.list()).toMatchObject([{ why: null }])
  world.key = imei
  world.fails = new AppError('TIMEOUT', message('workspace.noAddress'), { retryable: true })
  await tried()
  expect(plans.list()).toMatchObject([{ why: message('workspace.noAddress') }])
  world.fails = null
  await tried()
  expect(sent).toEqual([])
  await plans.close()
})

test('what is discarded is not sent, and a fault is told and shown', async () => {
  const { world, sent, faults, plans, tried } = bench(storeWithProfile())
  world.job = 'ended'
  plans.add(plan, null)
  plans.cancel(imei)
  await tried()
  expect(sent).toEqual([])
  world.fails = new TypeError('a fault')
  plans.add(plan, null)
  await tried()
  expect(faults).toEqual([world.fails])
  expect(plans.list()).toMatchObject([{ why: message('workspace.runFault') }])
  await plans.close()
})

test('a job that was handed over never lets its plan go out', async () => {
  const { world, sent, plans, tried } = bench(storeWithProfile())
  world.job = 'handedOver'
  plans.add(plan, null)
  await tried()
  expect(sent).toEqual([])
  expect(plans.list()).toMatchObject([{ why: message('deviceProfiles.planHandedOver') }])
})

test('after a restart a plan is there again; a login that was not empty is asked for', async () => {
  const folder = tempFolder()
  const first = openStore(folder)
  first.deviceProfiles.add(profile)
  bench(first.deviceProfiles).plans.add(plan, login)
  first.close()
  const { deviceProfiles } = openTestStore(folder)
  expect(JSON.stringify(deviceProfiles.plans())).not.toContain('canary')
  const { world, sent, plans, tried } = bench(deviceProfiles)
  world.job = 'ended'
  await tried()
  expect(sent).toEqual([])
  expect(plans.list()).toMatchObject([{ imei, hasLogin: true, why: message('deviceProfiles.planNeedsLogin') }])
  plans.add(plan, { user: '', pass: '', pin: '' })
  await tried()
  expect(sent).toEqual([[imei, { user: '', pass: '', pin: '' }]])
})

test('a profile that is removed takes its plans with it', () => {
  const deviceProfiles = storeWithProfile()
  bench(deviceProfiles).plans.add(plan, null)
  deviceProfiles.remove('p1')
  expect(deviceProfiles.plans()).toEqual([])
})
