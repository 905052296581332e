import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { SeenRow } from '../../../../preload/contract/job/jobSeen.ts'
import type { StepOf } from '../../../../preload/contract/job/steps/index.ts'
import {
  fail,
  notApplicable,
  pass,
  received,
  unreadable,
  withFigure,
  withRows,
  type CheckContext,
  type Outcome
} from '../engine/check.ts'
import { makeMeter, shareOf, timeLeft } from '../engine/meters.ts'
import { deviceLost } from '../engine/silence.ts'

type Channel = NonNullable<StepOf<'analog'>['channels']>[number]
const names = ['AN1', 'AN2', 'DAN'] as const
/** The ends of the channels' ranges (`GET /IO/all`, mV). */
const topMv = { AN1: 28_000, AN2: 28_000, DAN: 10_000 } as const

type View = 'waiting' | 'steady' | 'outside' | 'clipped' | 'unreadable'

/**
 * Each ordered analog channel stays in its range for some seconds. At the top of its range a channel no longer
 * measures.
 */
export async function checkAnalog(context: CheckContext<'analog'>): Promise<Outcome> {
  const { lines, profile, plan } = context
  const { steadyS, topMv: marginMv, nothingMv, giveUpS } = profile.analog
  const channels = plan.channels ?? []
  const thresholds = {
    steadyS,
    topMv: marginMv,
    channels: channels.map(({ channel, minMv, maxMv }) => ({ channel, minMv, maxMv }))
  }
  const insideSinceMs = new Map<Channel['channel'], number>()
  let lastAtMs: number | undefined
  /** The time since which all channels were in range, as of the last moment before the time limit. */
  let inTimeMs: number | undefined

  for (;;) {
    const sample = lines.latest()
    if (sample && sample.atMs !== lastAtMs) {
      // With such a gap between two readings, the channel's state in between is unknown.
      const isGap = lastAtMs !== undefined && sample.atMs - lastAtMs > 2_000
      lastAtMs = sample.atMs
      for (const { channel, minMv, maxMv } of channels) {
        const mv = sample.value[channel]
        const isInside = mv !== undefined && mv >= minMv && mv <= maxMv && !isClipped(channel, mv)
        if (!isInside || isGap) insideSinceMs.delete(channel)
        if (isInside && !insideSinceMs.has(channel)) insideSinceMs.set(channel, sample.atMs)
      }
    }
    const views = channels.map((channel) => ({ channel, view: viewOf(channel) }))
    const rows = [
      ...views.map(({ channel, view }) =>
        rowOf(channel, view, sample?.value[channel.channel], unreadableWhy(channel.channel))
      ),
      ...others()
    ]
    if (sample && channels.length === 0) {
      context.saw({ witness: 'device', what: message('analog.read'), raw: sample.value, thresholds })
      return rows.length > 0
        ? withRows(rows, received(message('analog.noneOrdered'), ['device']))
        : notApplicable(message('analog.noneOrdered'))
    }
    const isLate = context.elapsedMs() > giveUpS * 1000
    const isSettled = sample !== undefined && views.every(({ view }) => view === 'steady')
    // If all channels came into range in time, the measurement is completed.
    if (!isLate) inTimeMs = latestInside()
    const missingMs =
      sample && inTimeMs !== undefined && latestInside() === inTimeMs ? inTimeMs + steadyS * 1000 - sample.atMs : 0
    const isOver = isLate && missingMs <= 0
    if (isSettled || (isOver && sample && !lines.silence())) {
      context.saw({ witness: 'device', what: message('analog.read'), raw: sample.value, thresholds })
      return withRows(rows, judge(views, sample.value))
    }
    const lost = deviceLost(context, isOver)
    if (lost) return lost
    const leftMs = Math.max(missingMs, giveUpS * 1000 - context.elapsedMs())
    context.show({
      say: message('analog.measuring'),
      hint: null,
      meters: [
        ...channels.map((channel) => meterOf(channel, sample?.value[channel.channel])),
        timeLeft(leftMs, { progress: shareOf(leftMs, giveUpS * 1000) })
      ],
      rows,
      leftMs
    })
    await lines.next(context.signal)
  }

  /** The time since which all channels are in range; undefined while one is not. */
  function latestInside(): number | undefined {
    return channels.every(({ channel }) => insideSinceMs.has(channel)) ? Math.max(...insideSinceMs.values()) : undefined
  }

  function isClipped(channel: Channel['channel'], mv: number): boolean {
    return mv >= topMv[channel] - marginMv
  }

  function unreadableWhy(channel: Channel['channel']): Message | undefined {
    return lines.unreadable(channel)
  }

  function viewOf({ channel }: Channel): View {
    const sample = lines.latest()
    if (!sample) return 'waiting'
    const mv = sample.value[channel]
    if (mv === undefined || mv < 0) return 'unreadable'
    if (isClipped(channel, mv)) return 'clipped'
    const since = insideSinceMs.get(channel)
    if (since === undefined) return 'outside'
    return sample.atMs - since >= steadyS * 1000 ? 'steady' : 'waiting'
  }

  /** Channels that were not ordered but have a voltage. */
  function others(): SeenRow[] {
    const value = lines.latest()?.value ?? {}
    return names.flatMap((name): SeenRow[] => {
      const mv = value[name]
      if (channels.some(({ channel }) => channel === name) || mv === undefined || mv < nothingMv) return []
      return [
        {
          label: message('analog.channel', { channel: name }),
          wanted: null,
          device: message('common.textWord', { readMv: mv }),
          gateway: null,
          verdict: channels.length === 0 ? 'received' : 'notOrdered'
        }
      ]
    })
  }

  function judge(
    views: { channel: Channel; view: View }[],
    value: Partial<Record<Channel['channel'], number | undefined>>
  ): Outcome {
    const of = (...wanted: View[]) =>
      views.filter(({ view }) => wanted.includes(view)).map(({ channel }) => labelOf(channel))
    const blind = views.find(({ view }) => view === 'unreadable')
    const figure = message('figures.channels', { n: views.length })
    const outside = views.filter(({ view }) => view === 'outside')
    const unsteady = of('waiting')
    if (outside.length > 0) {
      const isDead = outside.every(
        ({ channel }) => (value[channel.channel] ?? Infinity) < Math.min(nothingMv, channel.minMv)
      )
      return fail(
        message('analog.outside', { channels: of('outside') }),
        message(isDead ? 'analog.notConnected' : 'analog.otherVoltage'),
        ['device']
      )
    }
    if (blind)
      return unreadable(
        message('analog.unreadable', {
          channel: labelOf(blind.channel),
          why: unreadableWhy(blind.channel.channel) ?? message('analog.noValue')
        }),
        message('jobs.lookAtRawAnswer')
      )
    if (of('clipped').length > 0)
      return unreadable(message('analog.clipped', { channels: of('clipped') }), message('analog.measureByHand'))
    if (unsteady.length > 0)
      return fail(message('analog.notSteady', { channels: unsteady, forS: steadyS }), message('analog.looseContact'), [
        'device'
      ])
    return withFigure(figure, pass(message('analog.within', { channels: of('steady'), forS: steadyS }), ['device']))
  }
}

function labelOf({ channel, name }: Channel): Message {
  return name === undefined ? message('analog.channel', { channel }) : message('analog.namedChannel', { channel, name })
}

function rangeOf({ minMv, maxMv }: Channel): Message {
  return message('analog.range', { minMv, maxMv })
}

function meterOf(channel: Channel, mv: number | undefined) {
  return makeMeter(labelOf(channel), mv === undefined ? undefined : message('common.textWord', { readMv: mv }), {
    target: rangeOf(channel)
  })
}

const verdicts = {
  waiting: 'waiting',
  steady: 'agrees',
  outside: 'differs',
  clipped: 'unreadable',
  unreadable: 'unreadable'
} as const satisfies Record<View, SeenRow['verdict']>

function rowOf(channel: Channel, view: View, mv: number | undefined, why: Message | undefined): SeenRow {
  const note = view === 'clipped' ? message('analog.atTop') : view === 'unreadable' ? why : undefined
  return {
    label: labelOf(channel),
    wanted: rangeOf(channel),
    device: mv === undefined ? null : message('common.textWord', { readMv: mv }),
    gateway: null,
    verdict: verdicts[view],
    ...(note ? { note } : {})
  }
}
