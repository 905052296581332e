import { expect, onTestFinished, test } from 'vitest'
import { bundleSubjectOf, createBundleSources } from '../../../../../main/app/bundleSources.ts'
import { openLaptop } from '../../../../world/team/laptop.ts'
import { nameSnapshot } from '../../../../world/data/bundles/namedSnapshot.ts'
import { tempFolder } from '../../../../world/tempFolder.ts'

const imei = '490154203237518'
const device = { imei, model: 'ft4' as const, host: '127.0.0.1:1' }
const connections = { discovery: { table: () => ({ devices: [] }) }, seen: () => ({ imei, model: 'ft4' }) }

test('the newest job of a device goes along in a bundle about it, with all snapshots of the device', async () => {
  const laptop = openLaptop({ folder: tempFolder() })
  onTestFinished(() => laptop.end())
  const parts = {
    store: laptop.store,
    jobs: laptop.jobs,
    connections,
    vehicles: { copy: { get: () => Promise.resolve(null) } },
    dataFolder: tempFolder()
  } as never
  expect(await bundleSubjectOf({ imei }, parts)).toMatchObject({ jobId: null, imei })
  const [old, open] = [laptop.makeJob(), laptop.makeJob('Vehicle Two')]
  nameSnapshot(laptop, old, 'signOff', { device })
  nameSnapshot(laptop, open, 'jobStart', { device })
  for (const about of [{ imei }, { key: 'device' }])
    expect(await bundleSubjectOf(about, parts)).toMatchObject({ jobId: open, imei })
  expect(await bundleSubjectOf({ imei: '356938035643809' }, parts)).toMatchObject({ jobId: null })
  const { snapshots } = createBundleSources(parts)
  expect(snapshots(await bundleSubjectOf({ imei }, parts))).toHaveLength(2)
  expect(snapshots(await bundleSubjectOf({ jobId: open }, parts))).toHaveLength(1)

  await laptop.jobs.cancel(open, 'not wanted any more')
  await laptop.jobs.cancel(old, 'not wanted any more')
  expect(await bundleSubjectOf({ imei }, parts)).toMatchObject({ jobId: open })
})
