import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { Evidence, Job, Step, Witness } from '../../../../preload/contract/job/jobs.ts'
import type { Texts } from '../../../base/messages/texts.ts'
import { colors, toneColors } from './pdfMarks.ts'
import { contentWidth, styles, type FrontContext, type ReportContext } from './pdfSheet.ts'
import { codeSide, drawCode } from './pdfSignatures.ts'
import type { Span } from './pdfText.ts'
import { formatTime } from '../../../../preload/base/messages/times.ts'
import { formatDuration, formatLimits, formatStamp } from '../values.ts'
import { operationKindWord, operationWord, sayStored, stateWord, stepWord, waivedSteps } from '../stateTexts.ts'

/** The width of what stands beside the code. */
const besideCode = contentWidth - codeSide - 20

export function vehicleText({ vehicle, vehicleText: text }: Job, texts: Texts): string {
  if (vehicle) return texts.say(message('report.vehicleKnown', { name: vehicle.name, vehicleId: vehicle.id }))
  return text ? texts.say(message('report.vehicleTyped', { text })) : ''
}

/** A checklist or a profile, as it is named with its version. */
export function versionText({ name, version }: { name: string | Message; version: number }, texts: Texts): string {
  return texts.say(message('report.version', { name: sayStored(name, texts), version }))
}

/** Every skipped step, before anything that passed, with its last test result beside the reason. */
export function addWaivers({ sheet, job, texts }: ReportContext): void {
  const steps = waivedSteps(job)
  if (steps.length === 0) return
  sheet.heading(texts.say(message('report.skippedTitle', { n: steps.length })), { keepWith: 120 })
  for (const step of steps) {
    const { waiver } = step
    const by = waiver
      ? texts.say(message('report.skippedBy', { by: nameOf(waiver.by), when: formatStamp(waiver.at, texts) }))
      : ''
    const before = resultBefore(step, texts)
    sheet.callout(
      'waive',
      [
        { text: sayStored(step.title, texts), style: { ...styles.strong, size: 10.5 } },
        {
          text: `\n${texts.say(message('report.reason', { reason: waiver?.reason || message('report.noReason') }))}`,
          style: styles.body
        },
        ...(before === '' ? [] : [{ text: `\n${before}`, style: styles.body }]),
        ...(by === '' ? [] : [{ text: `\n${by}`, style: styles.small }])
      ],
      toneColors.waive
    )
  }
}

function nameOf(by: string): string | Message {
  return by || message('report.unnamed')
}

/** The result of the last attempt at a skipped step. Logs of earlier versions have only its text. */
export function resultBefore(step: Step, texts: Texts): string {
  const { lastResult } = step
  if (lastResult)
    return texts.say(
      message('report.lastResult', {
        state: stateWord(lastResult.state).word,
        summary: sayStored(lastResult.summary, texts)
      })
    )
  const summary = sayStored(step.summary, texts)
  const isReasonAgain = step.waiver !== null && summary.endsWith(step.waiver.reason)
  return summary === '' || isReasonAgain ? '' : texts.say(message('report.seenBefore', { summary }))
}

export function witnessWord(witness: Witness, texts: Texts): string {
  return texts.say(message(`report.witness.${witness}`))
}

export function addOperations({ sheet, job, texts }: ReportContext): void {
  if (job.operations.length === 0) return
  sheet.heading(texts.say(message('report.operations')), { keepWith: 90 })
  const rows = job.operations.map(({ id, kind, state }) => {
    const { word, tone } = operationWord(state, texts)
    return [
      {
        mark: tone,
        spans: [{ text: texts.say(word), style: { ...styles.strong, size: 9, color: toneColors[tone].ink } }]
      },
      { spans: [{ text: texts.say(operationKindWord(kind, texts)), style: styles.body }] },
      { spans: [{ text: id, style: styles.small }] }
    ]
  })
  sheet.table(
    [
      { title: texts.say(message('report.column.state')), width: 166 },
      { title: texts.say(message('report.column.operation')), width: 166 },
      { title: texts.say(message('report.column.id')), width: contentWidth - 332 }
    ],
    rows
  )
}

export function addEvidence(context: ReportContext): void {
  const { sheet, job, texts } = context
  sheet.newPage()
  sheet.heading(texts.say(message('report.evidence')))
  sheet.paragraph(
    [
      {
        text: texts.say(message('report.evidenceNote', { profile: versionText(job.profile, texts) })),
        style: styles.small
      }
    ],
    { after: 10 }
  )
  for (const [index, step] of job.steps.entries()) addStepEvidence(context, step, index + 1)
}

function addStepEvidence({ sheet, job, texts }: ReportContext, step: Step, number: number): void {
  const { word, tone } = stepWord(step)
  const ink = toneColors[tone].ink
  sheet.keep(step.evidence.length > 0 ? 110 : 50)
  sheet.markedParagraph(tone, [
    { text: `${number}. ${sayStored(step.title, texts)} `, style: { ...styles.strong, size: 11 } },
    { text: `· ${texts.say(word)}`, style: { ...styles.strong, color: ink } }
  ])
  const facts = [texts.say(message('report.attempts', { n: step.attempts }))]
  if (step.startedAt) facts.push(texts.say(message('report.started', { when: formatStamp(step.startedAt, texts) })))
  if (step.durationMs !== null)
    facts.push(texts.say(message('report.took', { took: formatDuration(step.durationMs, texts) })))
  sheet.paragraph([{ text: facts.join(' · '), style: styles.small }], { after: 4 })
  if (step.waiver) {
    const text = texts.say(message('report.skippedReason', { by: nameOf(step.waiver.by), reason: step.waiver.reason }))
    sheet.paragraph([{ text, style: { ...styles.small, weight: 600, color: toneColors.waive.ink } }], { after: 4 })
  }
  if (step.evidence.length === 0) {
    sheet.paragraph([{ text: texts.say(message('report.noEvidence')), style: styles.small }], { after: 14 })
    return
  }
  sheet.table(
    [
      { title: texts.say(message('report.column.time')), width: 128 },
      { title: texts.say(message('common.witness')), width: 62 },
      { title: texts.say(message('report.column.seen')), width: contentWidth - 128 - 62 - 58 },
      { title: texts.say(message('report.column.entry')), width: 58 }
    ],
    step.evidence.map((one) => [
      { spans: timeSpans(one, texts) },
      { spans: [{ text: witnessWord(one.witness, texts), style: { ...styles.strong, size: 8.5 } }] },
      { spans: seenSpans(one, step, job, texts) },
      {
        spans: [
          { text: `${one.seq}`, style: styles.small },
          { text: `\n${one.hash.slice(0, 8)}`, style: styles.faint }
        ]
      }
    ])
  )
  sheet.moveTo(sheet.y() + 14)
}

/** By this computer's clock, and by the others if known. */
function timeSpans({ at, clocks }: Evidence, texts: Texts): Span[] {
  const others = [
    clocks?.device
      ? message('report.clock.device', { when: formatTime(clocks.device, 'timeWithSeconds', texts.settings) })
      : null,
    clocks?.gateway
      ? message('report.clock.gateway', { when: formatTime(clocks.gateway, 'timeWithSeconds', texts.settings) })
      : null
  ]
  return [
    { text: formatStamp(at, texts), style: styles.small },
    ...others.flatMap((one) => (one ? [{ text: `\n${texts.say(one)}`, style: styles.faint }] : []))
  ]
}

function seenSpans(one: Evidence, step: Step, job: Job, texts: Texts): Span[] {
  const spans: Span[] = [{ text: sayStored(one.what, texts), style: { ...styles.body, size: 9 } }]
  if (step.attempts > 1)
    spans.push({ text: ` ${texts.say(message('report.attempt', { n: one.attempt }))}`, style: styles.small })
  const { profile, ...limits } = one.thresholds ?? {}
  if (Object.keys(limits).length > 0) {
    // The evidence names the profile of its time as "id version"; the job's profile usually is the same and has a name.
    const isOther = typeof profile === 'string' && profile !== `${job.profile.id} ${job.profile.version}`
    const held = isOther ? message('report.otherProfile', { profile }) : versionText(job.profile, texts)
    spans.push({
      text: `\n${texts.say(message('report.heldAgainst', { profile: held, limits: formatLimits(limits, texts) }))}`,
      style: styles.faint
    })
  }
  return spans
}

/** The hash for comparison with this paper, as a code as well, and how to compare. */
export function addSeal(context: FrontContext, written: Message, hasMissing: boolean): void {
  const { sheet, job, texts } = context
  sheet.heading(texts.say(message('report.seal')), { keepWith: 180 })
  const top = sheet.y()
  drawCode(context, top, () => [])
  const seal = (job.seal.match(/.{1,8}/g) ?? []).join(' ')
  sheet.paragraph(
    [{ text: seal || texts.say(message('report.noSeal')), style: { size: 10, weight: 600, color: colors.text } }],
    { after: 6, width: besideCode }
  )
  const notes = [
    message('report.sealNote'),
    sealedBy(job),
    ...snapshotNote(job),
    message('report.verifyNote'),
    ...(hasMissing ? [message('report.missingCharacters')] : []),
    written
  ]
  for (const note of notes)
    sheet.paragraph([{ text: texts.say(note), style: styles.small }], { after: 4, width: besideCode })
}

/** The device at the start and at the end; each snapshot with the beginning of its hash. */
function snapshotNote({ snapshots = [] }: Job): Message[] {
  const last = new Map(snapshots.flatMap((one) => (one.sha256 === null ? [] : [[one.cause, one] as const])))
  const named = [...last.values()].map(({ cause, takenAt, sha256 }) =>
    message('report.snapshot', { cause, takenAt, hash: (sha256?.slice(0, 16).match(/.{4}/g) ?? []).join(' ') })
  )
  return named.length === 0 ? [] : [message('report.snapshots', { named })]
}

/** The key, or that there was none: always in the same words. */
function sealedBy({ sealed }: Job): Message {
  if (!sealed) return message('report.notSealed')
  return sealed.fingerprint === null
    ? message('report.sealHashOnly')
    : message('report.sealKey', { fingerprint: (sealed.fingerprint.match(/.{4}/g) ?? []).join(' ') })
}
