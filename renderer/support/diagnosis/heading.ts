import type { ChainLink, Diagnosis } from '../../../preload/contract/support/diagnosis.ts'
import { formatAgo, formatMoment, formatSeconds } from '../../base/format.ts'
import { say } from '../../base/say.ts'
import { t } from '../../base/texts.ts'
import { isReadOnly } from '../../base/ui/readOnly.ts'
import { shortAge } from './ages.ts'
import { withoutQuote } from '../../../preload/base/messages/withoutQuote.ts'

/** Without these links no data arrives. */
const reportingLinks: readonly ChainLink[] = ['power', 'sim', 'registration', 'address', 'apn', 'gatewayEvent']

/** The vehicle's name; its device when no vehicle is known. `label` is the person's name for the device. */
export function nameOf({ name, plate, imei, model, host }: Diagnosis['subject'], label: string): string {
  if (name) return name
  if (plate) return plate
  if (label !== '') return label
  if (imei) return [model, `…${imei.slice(-6)}`].filter(Boolean).join(' ')
  return host ?? t('windowDiagnosis.unnamed')
}

/**
 * The state in one sentence. Only the gateway can say whether a vehicle reports; without the gateway the sentence is
 * only about the chain.
 */
export function headingOf(look: Diagnosis, label: string, nowMs: number): string {
  const name = nameOf(look.subject, label)
  if (look.tone === 'fail' && look.headline && 'finding' in look.headline)
    return t('windowDiagnosis.wrongIdentity', { name })
  // Whoever may not look cannot say how it is.
  if (look.gateway?.trouble === 'account' || (look.brokenAt === 'visible' && look.lastReport === null))
    return t('windowDiagnosis.reportUnknown', { name })
  // An answer from a gateway that cannot be reached any more says nothing about now.
  const heard = look.gateway?.state === 'answers' ? look.lastReport : null
  if (heard) {
    const silentS = (nowMs - Date.parse(heard.at)) / 1000
    if (silentS > heard.reportsWithinS) return silentFor(name, silentS)
    const ago = formatAgo(heard.at, nowMs)
    const problems = look.findings.length
    if (look.tone === 'warn' && problems > 0)
      return t('windowDiagnosing.reportsBut', { name, n: problems, then: isReadOnly.value ? 'yes' : 'no' })
    // In a support bundle nothing is now.
    if (isReadOnly.value)
      return look.brokenAt === null
        ? t('windowDiagnosing.reportedThen', { name, when: formatMoment(heard.at, nowMs) })
        : t('windowDiagnosis.brokenAt', { name, link: t(`windowDiagnosis.link.${look.brokenAt}`) })
    // A link that broke a moment ago was working until then.
    if (look.brokenAt !== null && reportingLinks.includes(look.brokenAt))
      return t('windowDiagnosis.reportedUntil', { name, ago, link: t(`windowDiagnosis.link.${look.brokenAt}`) })
    return t('windowDiagnosis.reports', { name, ago })
  }
  if (look.brokenAt) return t('windowDiagnosis.brokenAt', { name, link: t(`windowDiagnosis.link.${look.brokenAt}`) })
  // The trouble is the headline below it.
  if (look.gateway?.state === 'away') return t('windowDiagnosis.reportUnknown', { name })
  if (look.gateway?.state === 'asking' && look.gateway.why === null) return t('windowDiagnosis.asking', { name })
  const why =
    look.gateway?.state === 'asking' || look.gateway?.state === 'signedOut' ? say(withoutQuote(look.gateway.why)) : ''
  if (why !== '') return t('common.nameWhy', { name, why })
  const refused = refusalOf(look)
  if (refused !== '') return t('common.nameWhy', { name, why: refused })
  const isKnown =
    look.gateway?.state === 'answers' &&
    look.chain.some(({ link, state }) => link === 'gatewayEvent' && state !== 'unknown')
  return t(isKnown ? 'windowDiagnosis.noReport' : 'windowDiagnosis.reportUnknown', { name })
}

/** The gateway's refusal, when it hides the device's data from this user. */
function refusalOf({ chain }: Diagnosis): string {
  const event = chain.find(({ link, state }) => link === 'gatewayEvent' && state === 'unknown')
  const why = event?.sentence.id === 'chain.gatewayEvent.unreadable' ? event.sentence.values['why'] : null
  return why && typeof why === 'object' && 'id' in why ? say(withoutQuote(why)) : ''
}

function silentFor(name: string, silentS: number): string {
  // A support bundle says how it was.
  if (isReadOnly.value) return t('windowDiagnosing.silentThen', { name, forText: formatSeconds(Math.floor(silentS)) })
  const minutes = Math.floor(silentS / 60)
  if (minutes < 120) return t('windowDiagnosis.silentMinutes', { name, n: minutes })
  const hours = Math.floor(minutes / 60)
  return hours < 48
    ? t('windowDiagnosis.silentHours', { name, n: hours })
    : t('windowDiagnosis.silentDays', { name, n: Math.floor(hours / 24) })
}

/** Identifies the device, and says how old the last report and the oldest answer are. */
export function subOf(look: Diagnosis, nowMs: number): string {
  const { name, plate, model, imei, copiedAt, copiedReportAt } = look.subject
  const heard = look.tone === 'warn' && look.gateway?.state === 'answers' ? look.lastReport : null
  return [
    plate === name ? null : plate,
    [model, imei].filter(Boolean).join(' '),
    copiedAt && t('windowDiagnosing.copiedName', { when: formatMoment(copiedAt, nowMs) }),
    copiedReportAt &&
      look.lastReport === null &&
      t('windowDiagnosing.copiedReport', { when: formatMoment(copiedReportAt, nowMs) }),
    heard && !isReadOnly.value && t('common.lastReport', { ago: formatAgo(heard.at, nowMs) }),
    heard && !isReadOnly.value ? oldestOf(look, nowMs) : askedOf(look, nowMs)
  ]
    .filter(Boolean)
    .join(' · ')
}

function oldestOf({ device, gateway }: Diagnosis, nowMs: number): string {
  const oldest = [device?.state === 'answers' ? device.readAt : null, gateway?.readAt]
    .filter((at) => at !== null && at !== undefined)
    .sort()[0]
  return oldest === undefined ? '' : t('windowDiagnosing.oldest', { age: shortAge(oldest, nowMs) })
}

function askedOf({ device, gateway }: Diagnosis, nowMs: number): string {
  const [here, there] = [device?.state === 'answers' ? device.readAt : null, gateway?.readAt]
  const oldest = here && there ? (here < there ? here : there) : (here ?? there)
  if (!oldest) return ''
  const who = here && there ? 'both' : here ? 'device' : 'gateway'
  return isReadOnly.value
    ? t('windowDiagnosing.readAt', { who, when: formatMoment(oldest, nowMs) })
    : t('windowDiagnosing.checked', { who, ago: formatAgo(oldest, nowMs) })
}
