import { afterEach, expect, it } from 'vitest'
import { accessoryEvent } from '../../../../main/gateway/client/accessories/accessoryReadings.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { stepOfWords } from '../../../world/window/english.ts'
import { openVirtualJob, type VirtualJob } from '../../../world/device/virtualJob.ts'

let job: VirtualJob
afterEach(() => job.close())

const gone = new AppError('UNREACHABLE', plainMessage('Gone.'), { fate: 'away' })
const tag = 'A4C138001122'

function heardAt(epochS: number): void {
  const event = accessoryEvent({
    event_epoch: epochS,
    system_epoch: epochS + 1,
    btt_mac: tag,
    btt_battery: 92,
    btt_temp: 215
  })
  job.gateway.accessories = () => ({
    events: event ? [event] : [],
    ofOthers: 0,
    fields: new Set(['btt_mac']),
    nowMs: Date.now()
  })
}

const finish = async () => {
  const finished = job.jobs.finishDeferred(new AbortController().signal)
  await job.pass(1_000)
  await finished
}

it('a tag that the vehicle heard while nobody could ask the gateway is found in the events of that time', async () => {
  job = openVirtualJob([
    stepOfWords({ id: 'tag', kind: 'btTag', title: 'Tag', instruction: 'Move the tag.', macs: [tag] })
  ])
  job.gateway.isAway = gone
  await job.connect()
  expect(await job.run('tag')).toMatchObject({
    state: 'deferred',
    remedy: expect.stringContaining('Do your part now') as string
  })
  const startedS = Math.floor(Date.now() / 1000)
  await job.jobs.pause(job.id)
  job.gateway.isAway = null
  heardAt(startedS - 600)
  await finish()
  expect(job.step('tag')).toMatchObject({ state: 'deferred' })
  heardAt(startedS + 5)
  await finish()
  expect(job.step('tag')).toMatchObject({
    state: 'pass',
    witness: ['gateway'],
    summary: `Received: ${tag}`,
    rows: [{ verdict: 'agrees' }]
  })
})

it('a tag that nobody heard in that time is missing, once all of it must have arrived', async () => {
  job = openVirtualJob([
    stepOfWords({ id: 'tag', kind: 'btTag', title: 'Tag', instruction: 'Move the tag.', macs: [tag, 'A4C138009999'] })
  ])
  job.gateway.isAway = gone
  await job.connect()
  await job.run('tag')
  heardAt(Math.floor(Date.now() / 1000) + 5)
  await job.jobs.pause(job.id)
  await job.pass(120_000)
  job.gateway.isAway = null
  await finish()
  expect(job.step('tag')).toMatchObject({ state: 'fail', summary: 'Not received: A4C138009999' })
})
