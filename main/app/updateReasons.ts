import type { UpdateReason } from '../../preload/contract/app/updates.ts'
import { message, type Message } from '../../preload/contract/messages.ts'
import { countsOf } from '../gateway/waitingWork/transitions.ts'
import type { Core } from './core.ts'

type Reasons = Pick<Core, 'jobs' | 'operations' | 'outputs' | 'store' | 'workspaceDevices'>

/** What an update would interrupt, lose or send only in part, the most urgent first. */
export function listUpdateReasons({ jobs, operations, outputs, store, workspaceDevices }: Reasons): UpdateReason[] {
  return [
    ...outputs.ledger().map(({ output, imei, vehicle, jobId }): UpdateReason => ({
      kind: 'output',
      id: jobId ?? '',
      title: message('updates.reason.output', { output }),
      detail: sayDevice(imei, vehicle?.name)
    })),
    ...jobs.openJobs().map(({ id, vehicle, device, stepsDone, stepsTotal }): UpdateReason => ({
      kind: 'job',
      id,
      title: message('updates.reason.job'),
      detail: message('updates.reason.jobAt', {
        what: sayDevice(device.imei, vehicle?.name),
        done: stepsDone,
        total: stepsTotal
      })
    })),
    ...workspaceDevices.deviceProfiles
      .runs()
      .filter(({ state }) => state === 'snapshot' || state === 'running')
      .map(({ key, imei, profile }): UpdateReason => ({
        kind: 'profileRun',
        id: key,
        title: message('updates.reason.profileRun'),
        detail: message('updates.reason.profileRunOf', { profile: profile.name, digits: (imei ?? '').slice(-6) })
      })),
    ...listHandOvers(store),
    ...sayWaiting(operations.counts().waiting)
  ]
}

/** The same from a data folder that no window has open; jobs run only in a window or a command. */
export function readUpdateReasons(store: Core['store']): UpdateReason[] {
  return [
    ...store.outputLedger.open().map(({ output, imei }): UpdateReason => ({
      kind: 'output',
      id: '',
      title: message('updates.reason.output', { output }),
      detail: sayDevice(imei, undefined)
    })),
    ...listHandOvers(store),
    ...sayWaiting(countsOf(store.operations.counts()).waiting)
  ]
}

function sayWaiting(n: number): UpdateReason[] {
  return n === 0
    ? []
    : [
        {
          kind: 'waiting',
          id: '',
          title: message('updates.reason.waiting', { n }),
          detail: message('updates.reason.waitingText')
        }
      ]
}

/** Of the team log: those that leave, return or are taken over and continue with the next connection. */
export function listHandOvers({ teamHolding }: Pick<Core['store'], 'teamHolding'>): UpdateReason[] {
  const open = [...teamHolding.underWay().map(({ to }) => to), ...teamHolding.takings().map(() => '')]
  return open.map((to) => ({
    kind: 'handOver',
    id: '',
    title: message('updates.reason.handOver'),
    detail: to === '' ? null : message('updates.reason.handOverTo', { to })
  }))
}

/** Real work is not open in training, so nothing is known about it. */
export function trainingReason(): UpdateReason[] {
  return [
    {
      kind: 'training',
      id: '',
      title: message('updates.reason.training'),
      detail: message('updates.reason.trainingText')
    }
  ]
}

function sayDevice(imei: string, vehicle: string | undefined): Message {
  const digits = imei.slice(-6)
  return vehicle
    ? message('updates.reason.ofDevice', { vehicle, digits })
    : message('updates.reason.device', { digits })
}
