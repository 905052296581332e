import type { SeenRow } from '../../../../preload/contract/job/jobSeen.ts'
import type { Applications, Reading, Sparse } from '../../../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { asMessage, message, plainMessage, type Message } from '../../../../preload/contract/messages.ts'
import { readUpdateMessage, type UpdateState } from '../../../device/client/updateMessage.ts'
import { fail, missingField, pass, unreadable, withRows, type CheckContext, type Outcome } from '../engine/check.ts'
import { timeLeft } from '../engine/meters.ts'

const askEveryMs = 5_000

interface Os {
  version: string | undefined
  problem: Message | string | undefined
  state: UpdateState
  said: string
}

/**
 * System and applications have their ordered versions. A person starts this step: checking for updates may start one.
 */
export async function checkSoftware(context: CheckContext<'software'>): Promise<Outcome> {
  const { giveUpS } = context.profile.software
  const { osVersion, apps = [] } = context.plan
  const thresholds = {
    osVersion: osVersion ?? null,
    apps: apps.map(({ name, version }) => ({ name, version: version ?? null }))
  }

  for (;;) {
    const leftMs = giveUpS * 1000 - context.elapsedMs()
    const read = await ask(context)
    if ('failure' in read) {
      // A device restarts to install an update, and gets time for that. An answer in an undocumented form will not
      // change.
      if (leftMs <= 0 || read.failure.code === 'UNREADABLE')
        return unreadable(
          message('software.unreadable', { why: read.failure.sentence }),
          message('jobs.runAgainWhenAnswering')
        )
    } else {
      const { os, listed } = read
      const rows = [
        ...osRows(os, osVersion),
        ...apps.map((app) => appRow(app, listed.value)),
        ...otherRows(listed.value, apps)
      ]
      const isWaiting = os.state === 'inProgress' || os.state === 'updated'
      if (!isWaiting || leftMs <= 0) {
        context.saw({
          witness: 'device',
          what: message('software.seen', { version: os.version ?? '?', said: os.said }),
          raw: {
            osVersion: os.version ?? null,
            said: os.said,
            apps: listed.value.map((app) => ({
              name: app?.name ?? null,
              version: app?.version ?? null,
              status: app?.status ?? null
            }))
          },
          thresholds
        })
        return withRows(rows, judge(os, rows, listed))
      }
      context.show({
        say: message('software.updating'),
        hint: message('software.doNotSwitchOff'),
        meters: [timeLeft(leftMs)],
        rows,
        leftMs
      })
    }
    await context.pause(askEveryMs)
  }

  function judge(os: Os, rows: SeenRow[], listed: Reading<Applications>): Outcome {
    if (os.state === 'inProgress' || os.state === 'updated')
      return fail(message('software.stillUpdating'), message('software.waitForUpdate'), ['device'])
    if (os.state === 'failed' || os.state === 'other')
      return unreadable(message('software.notTold', { said: os.said }), message('software.needsInternet'))
    if (osVersion !== undefined && os.version === undefined)
      return unreadable(
        message('software.unreadable', { why: os.problem ?? message('jobs.missingInAnswer', { path: 'osVersion' }) }),
        message('jobs.lookAtRawAnswer')
      )
    const blind = rows.find(({ verdict }) => verdict === 'unreadable')
    if (blind)
      return unreadable(
        message('software.unreadable', {
          why: message('software.ofApp', { name: blind.label, why: listed.problems[0] ?? message('network.noAnswer') })
        }),
        message('jobs.lookAtRawAnswer')
      )
    const wrong = rows.filter(({ verdict }) => verdict === 'differs' || verdict === 'missing')
    if (wrong.length > 0)
      return fail(
        message('software.differs', { names: wrong.map(({ label }) => asMessage(label)) }),
        message(os.state === 'available' ? 'software.updateAfterJob' : 'software.askOffice'),
        ['device']
      )
    return pass(message('software.good', { version: os.version ?? '', n: apps.length }), ['device'])
  }
}

async function ask(
  context: CheckContext<'software'>
): Promise<{ os: Os; listed: Reading<Applications> } | { failure: AppError }> {
  const { device, signal } = context
  try {
    const system = await device.system.info({ signal })
    const update = await device.updates.osCheck({ signal })
    const listed = await device.apps.list({ signal })
    const { state, said } = readUpdateMessage(update.value)
    return {
      os: { version: system.value.osVersion, problem: missingField(system, ['osVersion']), state, said },
      listed
    }
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.code === 'CANCELLED') throw failure
    return { failure }
  }
}

function osRows(os: Os, wanted: string | undefined): SeenRow[] {
  const isTold = os.state !== 'failed' && os.state !== 'other'
  return [
    ...(wanted === undefined
      ? []
      : [
          {
            label: message('software.os'),
            wanted: plainMessage(wanted),
            device: os.version === undefined ? null : plainMessage(os.version),
            gateway: null,
            verdict: os.version === undefined ? 'unreadable' : os.version === wanted ? 'agrees' : 'differs'
          } as const satisfies SeenRow
        ]),
    {
      label: message('software.updates'),
      wanted: message('software.upToDate'),
      device: plainMessage(os.said),
      gateway: null,
      verdict: !isTold
        ? 'unreadable'
        : os.state === 'upToDate'
          ? 'agrees'
          : os.state === 'available'
            ? 'differs'
            : 'waiting'
    }
  ]
}

function appRow(
  { name, version }: { name: string; version?: string | undefined },
  listed: Sparse<Applications>
): SeenRow {
  const row = {
    label: plainMessage(name),
    wanted: version === undefined ? message('software.active') : message('software.activeVersion', { version }),
    gateway: null
  }
  const named = listed.filter((app) => app?.name === name)
  const app = named.find((one) => one?.status === 'active') ?? named[0]
  if (!app)
    return {
      ...row,
      device: null,
      verdict: listed.some((one) => one?.name === undefined) || listed.length === 0 ? 'unreadable' : 'missing'
    }
  if (app.status === undefined || (version !== undefined && app.version === undefined))
    return { ...row, device: null, verdict: 'unreadable' }
  const device = message('software.stateOf', { state: app.status, version: app.version ?? '?' })
  return {
    ...row,
    device,
    verdict: app.status === 'active' && (version === undefined || app.version === version) ? 'agrees' : 'differs'
  }
}

/** Running applications that were not ordered are reported if applications were ordered. */
function otherRows(listed: Sparse<Applications>, apps: readonly { name: string }[]): SeenRow[] {
  if (apps.length === 0) return []
  return listed
    .filter((app) => app?.status === 'active' && app.name !== undefined && !apps.some(({ name }) => name === app.name))
    .map((app) => ({
      label: plainMessage(app?.name ?? ''),
      wanted: null,
      device: message('software.stateOf', { state: app?.status ?? '', version: app?.version ?? '?' }),
      gateway: null,
      verdict: 'notOrdered'
    }))
}
