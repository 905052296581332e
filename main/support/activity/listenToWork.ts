import type { EventName, Events } from '../../../preload/contract/events.ts'
import type { SeenDevice } from '../../../preload/contract/device/discovery.ts'
import type { StepHead } from '../../../preload/contract/job/jobs.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { NewEntry } from './activity.ts'

type Told = { [Name in EventName]?: (payload: Events[Name]) => void }

const ends: Partial<Record<StepHead['state'], (step: Message) => Pick<NewEntry, 'level' | 'text'>>> = {
  pass: (step) => ({ level: 'info', text: message('activity.passed', { step }) }),
  received: (step) => ({ level: 'info', text: message('activity.received', { step }) }),
  warn: (step) => ({ level: 'warning', text: message('activity.warned', { step }) }),
  fail: (step) => ({ level: 'error', text: message('windowStart.failed', { step }) }),
  unreadable: (step) => ({ level: 'error', text: message('activity.unreadable', { step }) }),
  waived: (step) => ({ level: 'info', text: message('activity.skipped', { step }) })
}

/** Writes what the core tells its windows into the log, each change once. `nameOfJob` says whose job it is. */
export function listenToWork(write: (entry: NewEntry) => void, nameOfJob: (id: string) => string) {
  const steps = new Map<string, StepHead['state']>()
  const devices = new Map<string, SeenDevice['standing']>()
  const operations = new Map<string, string>()
  const gateway = { state: '' }
  const team = { pushedAt: '', problem: '' }
  let isBackup = false

  function stepChanged({ jobId, step }: Events['jobs.step']): void {
    const key = `${jobId} ${step.id}`
    const before = steps.get(key)
    steps.set(key, step.state)
    const end = ends[step.state]
    // The state of a job that was opened is no news.
    if (before === undefined || before === step.state || end === undefined) return
    const place = { screen: 'job', id: jobId } as const
    write({
      ...end(step.title),
      topic: 'job',
      detail: step.summary ?? named(jobId),
      ...(before === 'running' ? { kind: 'checkEnded' as const } : {}),
      place
    })
  }

  function named(jobId: string): Message {
    return message('activity.ofJob', { job: nameOfJob(jobId) })
  }

  function deviceChanged({ devices: changed }: Events['discovery.changed']): void {
    for (const { key, imei, standing, signedIn, hostname, detail } of changed) {
      const before = devices.get(key)
      devices.set(key, standing)
      const device = imei ?? hostname ?? key
      const place = { screen: 'device', id: key } as const
      if (before !== undefined && before !== 'lost' && standing === 'lost')
        write({
          level: signedIn ? 'error' : 'warning',
          topic: 'device',
          text: message('activity.deviceLost', { device }),
          detail,
          ...(signedIn ? { kind: 'deviceLost' as const } : {}),
          place
        })
      else if (before === 'lost' && standing !== 'lost')
        write({ topic: 'device', text: message('activity.deviceBack', { device }), place })
      else if (before === undefined)
        write({ level: 'debug', topic: 'device', text: message('activity.deviceSeen', { device }), detail, place })
    }
  }

  function workChanged({ operation: { id, state, title, reason } }: Events['operations.changed']): void {
    const before = operations.get(id)
    operations.set(id, state)
    if (before === state) return
    const place = { screen: 'waiting', id: '' } as const
    if (state === 'done')
      write({ topic: 'gateway', text: message('activity.sent', { title }), kind: 'itemsSent', place })
    else if (state === 'failed' || state === 'needsAttention')
      write({
        level: 'warning',
        topic: 'gateway',
        text: message('activity.workNeedsYou', { title }),
        detail: reason,
        kind: 'needsYou',
        place
      })
    else write({ level: 'debug', topic: 'gateway', text: message('activity.workState', { title, state }), place })
  }

  function gatewayChanged({ state, detail, url }: Events['gateway.changed']): void {
    const before = gateway.state
    gateway.state = state
    if (before === state) return
    if (state === 'unreachable')
      write({ level: 'warning', topic: 'gateway', text: message('stories.gatewayAway'), detail })
    else if (state === 'reachable') write({ topic: 'gateway', text: message('activity.gatewayBack', { url }) })
    else if (state === 'signedOut' && before !== '')
      write({ topic: 'gateway', text: message('activity.signedOut', { url }) })
  }

  function dataChanged({ work, ended }: Events['data.changed']): void {
    if (work) isBackup = work.kind === 'backUp'
    if (work || !ended) return
    write({
      level: ended.ok ? 'info' : 'warning',
      topic: 'data',
      text: isBackup && ended.ok ? message('activity.backupMade') : ended.sentence,
      ...(isBackup ? { kind: 'backupMade' as const, place: { screen: 'settings', id: 'data' } as const } : {})
    })
    isBackup = false
  }

  function teamChanged({ pushedAt, problem, joined, waiting }: Events['team.changed']): void {
    const before = { ...team }
    team.pushedAt = pushedAt ?? ''
    team.problem = problem?.id ?? ''
    if (problem && problem.id !== before.problem)
      write({ level: 'warning', topic: 'team', text: message('activity.teamAway'), detail: problem })
    else if (joined && before.pushedAt !== '' && pushedAt !== null && pushedAt !== before.pushedAt && waiting === 0)
      write({ topic: 'team', text: message('activity.teamPushed', { team: joined.team }), kind: 'jobsSynced' })
  }

  const told: Told = {
    'jobs.step': stepChanged,
    'discovery.changed': deviceChanged,
    'operations.changed': workChanged,
    'gateway.changed': gatewayChanged,
    'data.changed': dataChanged,
    'team.changed': teamChanged
  }
  return (name: EventName, payload: unknown): void =>
    (told[name] as ((payload: unknown) => void) | undefined)?.(payload)
}
