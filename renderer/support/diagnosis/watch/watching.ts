import { shallowReactive } from 'vue'
import type { DiagnosisSubject } from '../../../../preload/contract/support/diagnosis.ts'
import { BridgeError, call } from '../../../base/bridge.ts'
import { formatMoment, formatTimeOfDay } from '../../../base/format.ts'
import { useGateway } from '../../../base/shell/gateway.store.ts'
import { useToasts } from '../../../base/shell/toasts.store.ts'
import { t } from '../../../base/texts.ts'
import { isFrozen } from '../../../base/ui/time/frozen.ts'

/** Each check costs about five of the gateway's calls: once a minute leaves most of them for people. */
export const watchEveryMs = 60_000
/** A watch that nobody ends must not run for ever. */
export const watchForMs = 4 * 3_600_000
/** With fewer calls left, the watch waits for its next minute. */
const fewestCalls = 10

export interface Watch {
  name: string
  untilMs: number
  /** The last report when the watch began; a later one means that the vehicle is back. */
  sinceAt: string | null
  checkedAt: string | null
  /** The gateway allowed too few calls for the last check. */
  isWaiting: boolean
}

const watches = shallowReactive(new Map<string, Watch>())
const timers = new Map<string, ReturnType<typeof setTimeout>>()
const keyOf = (subject: DiagnosisSubject): string => JSON.stringify(subject)

/** The watch of a subject; undefined: nobody watches it. */
export function watchOf(subject: DiagnosisSubject): Watch | undefined {
  return watches.get(keyOf(subject))
}

/** Checks a subject every minute, also while another screen is shown, until it reports again or the time is over. */
export function startWatch(subject: DiagnosisSubject, name: string, sinceAt: string | null): void {
  watches.set(keyOf(subject), { name, untilMs: Date.now() + watchForMs, sinceAt, checkedAt: null, isWaiting: false })
  plan(subject)
}

export function stopWatch(subject: DiagnosisSubject): void {
  const key = keyOf(subject)
  clearTimeout(timers.get(key))
  timers.delete(key)
  watches.delete(key)
}

function plan(subject: DiagnosisSubject): void {
  const key = keyOf(subject)
  clearTimeout(timers.get(key))
  timers.set(
    key,
    setTimeout(() => void check(subject), watchEveryMs)
  )
}

async function check(subject: DiagnosisSubject): Promise<void> {
  const key = keyOf(subject)
  const watch = watches.get(key)
  if (!watch) return
  if (Date.now() > watch.untilMs)
    return end(subject, t('windowDiagnosing.watch.over', { name: watch.name, at: formatTimeOfDay(watch.untilMs) }))
  const { status, callsLeft } = useGateway()
  const isShort = callsLeft < fewestCalls && Date.parse(status?.rateLimit?.resetAt ?? '') > Date.now()
  if (isShort || isFrozen.value) {
    watches.set(key, { ...watch, isWaiting: true })
    return plan(subject)
  }
  let back: string | null = null
  try {
    const { gateway, lastReport, at } = await call('diagnosis.look', { subject, atMs: null })
    const isNow = gateway?.state === 'answers' && lastReport !== null && lastReport.ageS <= lastReport.reportsWithinS
    if (isNow && (watch.sinceAt === null || lastReport.at > watch.sinceAt)) back = lastReport.at
    if (watches.has(key)) watches.set(key, { ...watch, checkedAt: at, isWaiting: false })
  } catch (error) {
    // The next check may succeed.
    if (!(error instanceof BridgeError)) throw error
  }
  if (!watches.has(key)) return
  if (back === null) plan(subject)
  else end(subject, t('windowDiagnosing.watch.back', { name: watch.name, at: formatMoment(back, Date.now()) }))
}

function end(subject: DiagnosisSubject, text: string): void {
  stopWatch(subject)
  useToasts().announce(text)
}
