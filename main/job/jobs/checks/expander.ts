import type { SeenRow } from '../../../../preload/contract/job/jobSeen.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { AccessoryEvent } from '../engine/accessoryPort.ts'
import { askGateway } from '../engine/askGateway.ts'
import { fail, pass, unreadable, withFigure, type CheckContext, type Outcome } from '../engine/check.ts'
import type { GatewayLines } from '../engine/ports.ts'
import { finishByEvents, followEvents, notExposed, unreadableField, type EventJudge } from './accessoryEvents.ts'

/** The expander at one time, according to an event or the device's `ios_state`. */
interface Moment {
  atMs: number
  isConnected: boolean | null
  inputs: (boolean | null)[]
  event: AccessoryEvent | null
}

/**
 * The expander answers, and each ordered input switched as often as the profile requires. Its outputs are never
 * switched.
 */
export function checkExpander(context: CheckContext<'expander'>): Promise<Outcome> {
  const moments: Moment[] = []
  const judge = expanderJudge(moments)
  return followEvents(context, {
    giveUpS: context.profile.expander.giveUpS,
    say: context.plan.inputs
      ? message('accessoryChecks.operateExpander', { inputs: context.plan.inputs.map(String) })
      : message('accessoryChecks.readingExpander'),
    async judge(view) {
      const reply = await askGateway(() => context.gateway.readLines(context.job.device.imei, context.signal))
      const moment = reply.kind === 'answer' && reply.value ? momentOfLines(reply.value) : undefined
      if (moment && moment.atMs !== moments.at(-1)?.atMs) moments.push(moment)
      return judge(view)
    }
  })
}

export const finishExpander = finishByEvents<'expander'>(() => expanderJudge([]))

export function expanderJudge(lines: readonly Moment[]): EventJudge<'expander'> {
  return ({ events, before, fields, startMs, plan, profile, isSettled, isOver }) => {
    // The value of an input before the step began is its rest value.
    const rest = before.slice(-1).map(momentOfEvent)
    const later = [...events.map(momentOfEvent), ...lines.filter(({ atMs }) => atMs >= startMs - 2_000)].sort(
      (one, other) => one.atMs - other.atMs
    )
    const states = [...rest, ...later]
    const connected = later.findLast(({ isConnected }) => isConnected !== null)
    const { cycles } = profile.expander
    const names = plan.names ?? {}
    const inputs = [1, 2, 3, 4].map((number) => {
      const read = states.flatMap(({ inputs: all }) => {
        const isOn = all[number - 1]
        return isOn === undefined || isOn === null ? [] : [isOn]
      })
      const changes = read.filter((isOn, index) => index > 0 && isOn !== read[index - 1]).length
      const name = names[String(number)]
      const label =
        name === undefined
          ? message('accessoryChecks.expanderInput', { number })
          : message('accessoryChecks.expanderInputNamed', { number, name })
      return {
        number,
        label,
        isRead: read.length > 0,
        isOn: read.at(-1) ?? null,
        cycles: Math.floor(changes / 2),
        changes,
        isOrdered: plan.inputs?.includes(number) ?? false
      }
    })
    const wanted = inputs.filter(({ isOrdered }) => isOrdered)
    const rows: SeenRow[] = [
      {
        label: message('accessoryChecks.expander'),
        wanted: message('accessoryChecks.connected'),
        device: null,
        gateway:
          connected === undefined
            ? null
            : message(connected.isConnected ? 'accessoryChecks.connected' : 'accessoryChecks.notConnected'),
        verdict: connected?.isConnected ? 'agrees' : connected ? 'differs' : isOver ? 'missing' : 'waiting'
      },
      ...inputs
        .filter(({ isOrdered, changes }) => isOrdered || changes > 0)
        .map(({ number, label, isRead, isOn, cycles: done, isOrdered }): SeenRow => ({
          label,
          wanted: isOrdered ? message('accessoryChecks.toggled', { n: cycles }) : null,
          device: null,
          gateway: isRead ? message('accessoryChecks.inputSeen', { n: done, isOn: isOn ? 'yes' : 'no' }) : null,
          verdict: !isOrdered
            ? 'notOrdered'
            : done >= cycles
              ? 'agrees'
              : isRead
                ? isOver
                  ? 'missing'
                  : 'waiting'
                : fields.has(`io_exp_in${number}`)
                  ? 'waiting'
                  : 'notExposed'
        }))
    ]
    const seen = later
      .filter(({ event }) => event !== null)
      .slice(-1)
      .map(({ event }) => ({
        what: message('accessoryChecks.expanderSeen'),
        event: event as AccessoryEvent,
        thresholds: { cycles }
      }))
    return {
      outcome: outcomeOf(),
      rows,
      hint: moved(inputs.filter(({ isOrdered, changes }) => !isOrdered && changes > 0)),
      seen
    }

    function outcomeOf(): Outcome | null {
      const odd = unreadableField(events, [
        'io_exp_state',
        ...(plan.inputs ?? []).map((number) => `io_exp_in${number}`)
      ])
      if (odd && (isSettled || isOver))
        return unreadable(message('accessoryChecks.fieldUnreadable', { field: odd }), message('jobs.lookAtRawAnswer'))
      if (odd) return null
      if (!connected && !fields.has('io_exp_state')) return isSettled || isOver ? notExposed('io_exp_state') : null
      if (!connected?.isConnected)
        return (connected && isSettled) || isOver
          ? fail(message('accessoryChecks.expanderMissing'), message('accessoryChecks.checkExpander'), ['gateway'])
          : null
      const hidden = wanted.find(({ number, isRead }) => !isRead && !fields.has(`io_exp_in${number}`))
      if (hidden) return isSettled || isOver ? notExposed(`io_exp_in${hidden.number}`) : null
      const missing = wanted.filter((input) => input.cycles < cycles)
      if (missing.length > 0)
        return isOver
          ? fail(
              message('accessoryChecks.inputsNotToggled', { inputs: missing.map(({ label }) => label) }),
              message('inputs.takeSwitchSide'),
              ['gateway']
            )
          : null
      const text =
        wanted.length > 0
          ? message('accessoryChecks.expanderFine', { inputs: wanted.map(({ label }) => label) })
          : message('accessoryChecks.expanderAnswers')
      return withFigure(message('figures.lines', { n: wanted.length }), pass(text, ['gateway']))
    }
  }
}

function moved(inputs: readonly { label: Message }[]): Message | null {
  return inputs.length === 0
    ? null
    : message('accessoryChecks.expanderOthers', { inputs: inputs.map(({ label }) => label) })
}

function momentOfEvent(event: AccessoryEvent): Moment {
  return { atMs: event.eventAtMs, ...event.expander, event }
}

function momentOfLines({ values, atMs }: GatewayLines): Moment | undefined {
  if (atMs === null) return undefined
  const read = (name: string): boolean | null => values.get(name) ?? null
  return {
    atMs,
    isConnected: read('io_exp_state'),
    inputs: [1, 2, 3, 4].map((number) => read(`io_exp_in${number}`)),
    event: null
  }
}
