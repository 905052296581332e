import type { Meter } from '../../../../preload/contract/job/jobs.ts'
import { asMessage, message, type Message } from '../../../../preload/contract/messages.ts'
import type { MessageOrText } from './check.ts'

type More = Partial<Omit<Meter, 'label' | 'value' | 'target'>> & { target?: MessageOrText }

/** A live value with its unit, its target, and the progress towards it. */
export function makeMeter(
  label: MessageOrText,
  value: MessageOrText | undefined,
  { target, ...more }: More = {}
): Meter {
  return {
    label: asMessage(label),
    value: value === undefined ? null : asMessage(value),
    target: target === undefined ? null : asMessage(target),
    progress: null,
    tone: value === undefined ? 'wait' : 'live',
    ...more
  }
}

/** The best reading since a step began: satellites and signal vary while an antenna is moved. */
export function createPeakHold(monotonicMs: () => number) {
  let best: { value: number; atMs: number } | undefined
  return {
    /** A reading that equals the best one renews its time. */
    see(value: number | undefined): void {
      if (value !== undefined && (!best || value >= best.value)) best = { value, atMs: monotonicMs() }
    },
    /** For a meter; nothing before the first reading. */
    best(say: (value: number) => Message): Pick<Meter, 'best'> {
      return best ? { best: { value: say(best.value), agoS: Math.round((monotonicMs() - best.atMs) / 1000) } } : {}
    }
  }
}

export function timeLeft(leftMs: number, more: More = {}): Meter {
  return makeMeter(message('meters.timeLeft'), message('meters.left', { leftS: wholeSeconds(leftMs) }), {
    tone: 'wait',
    ...more
  })
}

export function onOrOff(isOn: boolean | undefined): Message | undefined {
  return isOn === undefined ? undefined : isOn ? message('meters.on') : message('meters.off')
}

/** The conditions of an interlock: how many are not met now. */
export function conditionsMeter(missing: number): Meter {
  return missing === 0
    ? makeMeter(message('output.conditions'), message('output.allHold'), { tone: 'pass' })
    : makeMeter(message('output.conditions'), message('output.someMissing', { n: missing }), { tone: 'warn' })
}

export function shareOf(part: number, whole: number): number {
  return whole <= 0 ? 1 : Math.max(0, Math.min(1, part / whole))
}

/** Whole seconds of a countdown, 0 only when it is over. */
export function wholeSeconds(ms: number): number {
  return Math.max(0, Math.ceil(ms / 1000))
}

/** The same as minutes and seconds, `0:58`. */
export function minutesAndSeconds(ms: number): string {
  const seconds = wholeSeconds(ms)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** No instrument is more accurate. */
export function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10
}
