import { setImmediate } from 'node:timers/promises'
import type { Evidence, Job, Step } from '../../preload/contract/jobs.ts'
import { colors, toneColors } from './pdfMarks.ts'
import { contentWidth, page, styles, type Sheet } from './pdfSheet.ts'
import type { Span } from './pdfText.ts'
import { formatDuration, formatThresholds, type UnitSystem } from './values.ts'
import { operationWord, plural, stepWords, waivedSteps, witnessWords } from './words.ts'

export interface ReportContext {
  sheet: Sheet
  job: Job
  time: (iso: string) => string
  units: UnitSystem
}

const gap = 18
const half = (contentWidth - gap) / 2

/** Who, what and where, in two columns. */
export function addFacts({ sheet, job, time }: ReportContext): void {
  const plain = (text: string): Span[] => [{ text: text || '–', style: styles.strong }]
  const facts: [string, Span[]][] = [
    ['Customer', plain(job.customer)],
    ['Technician', plain(job.technician)],
    ['Vehicle', plain(vehicleText(job))],
    ['Device', plain([job.device.model, job.device.address].filter(Boolean).join(' at '))],
    ['IMEI', imeiSpans(job.device.imei)],
    ['Checklist', plain(`${job.template.name}, version ${job.template.version}`)],
    ['Started', plain(time(job.createdAt))],
    ['Last change', plain(time(job.updatedAt))],
    ['Thresholds', plain(profileText(job))],
    ['Job', plain(job.id)]
  ]
  sheet.moveTo(sheet.y() + 8)
  for (let index = 0; index < facts.length; index += 2) {
    const cells = facts.slice(index, index + 2).map(([label, spans]) =>
      sheet.wrap([{ text: `${label}\n`, style: styles.label }, ...spans], half)
    )
    const height = Math.max(...cells.map((lines) => lines.reduce((sum, line) => sum + line.height, 0)))
    sheet.keep(height)
    const top = sheet.y()
    cells.forEach((lines, column) => sheet.drawLines(lines, page.left + column * (half + gap), top))
    sheet.moveTo(top + height + 7)
  }
}

function vehicleText(job: Job): string {
  if (job.vehicle) return `${job.vehicle.name} (gateway id ${job.vehicle.id})`
  return job.vehicleText ? `${job.vehicleText} (as typed, not confirmed by the gateway)` : ''
}

function profileText({ profile }: Job): string {
  return `${profile.name}, version ${profile.version}`
}

/** The last six digits are what is printed large on the label. */
function imeiSpans(imei: string): Span[] {
  return [
    { text: imei.slice(0, -6), style: styles.body },
    { text: imei.slice(-6), style: { ...styles.strong, weight: 700 } }
  ]
}

/** Every override, before anything that passed. */
export function addWaivers({ sheet, job, time }: ReportContext): void {
  const steps = waivedSteps(job)
  if (steps.length === 0) return
  const tones = toneColors.waive
  sheet.heading(`Waived: ${plural(steps.length, 'step')} not proven`, { keepWith: 120 })
  for (const step of steps) {
    const by = step.waiver ? `\nWaived by ${step.waiver.by || 'an unnamed person'} on ${time(step.waiver.at)}.` : ''
    sheet.callout(
      'waive',
      [
        { text: step.title, style: { ...styles.strong, size: 10.5 } },
        { text: `\nReason: ${step.waiver?.reason || 'none was recorded'}`, style: styles.body },
        { text: by, style: styles.small },
        ...(step.summary ? [{ text: `\nSeen before: ${step.summary}`, style: styles.small }] : [])
      ],
      tones
    )
  }
}

/** One row a step: state, result, who vouches for it, how long it took. */
export function addSteps({ sheet, job }: ReportContext): void {
  sheet.heading('Steps', { keepWith: 100 })
  const rows = job.steps.map((step, index) => {
    const { word, tone } = stepWords[step.state]
    return [
      { spans: [{ text: String(index + 1), style: styles.small }] },
      { mark: tone, spans: [{ text: word, style: { ...styles.strong, size: 9, color: toneColors[tone].ink } }] },
      { spans: resultSpans(step) },
      { spans: [{ text: witnessText(step), style: styles.small }] },
      { spans: [{ text: formatDuration(step.durationMs), style: styles.small }] }
    ]
  })
  sheet.table(
    [
      { title: '#', width: 26 },
      { title: 'State', width: 104 },
      { title: 'Step and result', width: contentWidth - 26 - 104 - 68 - 68 },
      { title: 'Witness', width: 68 },
      { title: 'Duration', width: 68 }
    ],
    rows
  )
}

function resultSpans(step: Step): Span[] {
  const spans: Span[] = [{ text: step.title, style: styles.strong }]
  if (step.summary) spans.push({ text: `\n${step.summary}`, style: styles.small })
  if (step.waiver) spans.push({ text: `\nWaived: ${step.waiver.reason}`, style: { ...styles.small, color: toneColors.waive.ink } })
  if (step.remedy && step.state !== 'pass') {
    spans.push({ text: `\nTo do: ${step.remedy}`, style: { ...styles.small, color: colors.text } })
  }
  return spans
}

/** A step that is waived has no witness, whoever looked at it before. */
function witnessText(step: Step): string {
  if (step.state === 'waived') return 'none (waived)'
  return step.witness.map((one) => witnessWords[one]).join(', ') || '–'
}

export function addOperations({ sheet, job }: ReportContext): void {
  if (job.operations.length === 0) return
  sheet.heading('Gateway operations', { keepWith: 90 })
  const rows = job.operations.map(({ id, kind, state }) => {
    const { word, tone } = operationWord(state)
    return [
      { mark: tone, spans: [{ text: word, style: { ...styles.strong, size: 9, color: toneColors[tone].ink } }] },
      { spans: [{ text: kind, style: styles.body }] },
      { spans: [{ text: id, style: styles.small }] }
    ]
  })
  sheet.table(
    [
      { title: 'State', width: 166 },
      { title: 'Operation', width: 166 },
      { title: 'Id', width: contentWidth - 332 }
    ],
    rows
  )
}

/** Each step with everything that was seen, on pages of its own. */
export async function addEvidence(context: ReportContext): Promise<void> {
  const { sheet, job } = context
  sheet.newPage()
  sheet.heading('Evidence')
  sheet.paragraph(
    [
      {
        text: `What each witness said, in the order of the log. Limits are those of ${profileText(job)}. The raw readings are in the JSON report.`,
        style: styles.small
      }
    ],
    { after: 10 }
  )
  for (const [index, step] of job.steps.entries()) {
    addStepEvidence(context, step, index + 1)
    // A long job takes a second: running checks of another one must not stand still for it.
    await setImmediate()
  }
}

function addStepEvidence({ sheet, job, time, units }: ReportContext, step: Step, number: number): void {
  const { word, tone } = stepWords[step.state]
  const ink = toneColors[tone].ink
  sheet.keep(step.evidence.length > 0 ? 110 : 50)
  sheet.markedParagraph(tone, [
    { text: `${number}. ${step.title} `, style: { ...styles.strong, size: 11 } },
    { text: `· ${word}`, style: { ...styles.strong, color: ink } }
  ])
  const facts = [plural(step.attempts, 'attempt')]
  if (step.startedAt) facts.push(`started ${time(step.startedAt)}`)
  if (step.durationMs !== null) facts.push(`took ${formatDuration(step.durationMs)}`)
  sheet.paragraph([{ text: facts.join(' · '), style: styles.small }], { after: 4 })
  if (step.waiver) {
    const text = `Waived by ${step.waiver.by || 'an unnamed person'}: ${step.waiver.reason}`
    sheet.paragraph([{ text, style: { ...styles.small, weight: 600, color: toneColors.waive.ink } }], { after: 4 })
  }
  if (step.evidence.length === 0) {
    sheet.paragraph([{ text: 'No evidence was recorded.', style: styles.small }], { after: 14 })
    return
  }
  sheet.table(
    [
      { title: 'Time', width: 128 },
      { title: 'Witness', width: 62 },
      { title: 'Seen', width: contentWidth - 128 - 62 - 58 },
      { title: 'Log entry', width: 58 }
    ],
    step.evidence.map((one) => [
      { spans: [{ text: time(one.at), style: styles.small }] },
      { spans: [{ text: witnessWords[one.witness], style: { ...styles.strong, size: 8.5 } }] },
      { spans: seenSpans(one, step, job, units) },
      { spans: [{ text: `${one.seq}`, style: styles.small }, { text: `\n${one.hash.slice(0, 8)}`, style: styles.faint }] }
    ])
  )
  sheet.moveTo(sheet.y() + 14)
}

function seenSpans(one: Evidence, step: Step, job: Job, units: UnitSystem): Span[] {
  const spans: Span[] = [{ text: one.what, style: { ...styles.body, size: 9 } }]
  if (step.attempts > 1) spans.push({ text: ` (attempt ${one.attempt})`, style: styles.small })
  const { profile, ...limits } = one.thresholds ?? {}
  if (Object.keys(limits).length > 0) {
    // The evidence names the profile of its own time as "id version"; the job's is the usual one and has a name.
    const isOther = typeof profile === 'string' && profile !== `${job.profile.id} ${job.profile.version}`
    const held = isOther ? `profile ${profile}` : profileText(job)
    spans.push({ text: `\nHeld against ${held}: ${formatThresholds(limits, units)}`, style: styles.faint })
  }
  return spans
}

/** The hash that this paper can be held against, and how. */
export function addSeal({ sheet, job }: ReportContext, written: string, hasMissing: boolean): void {
  sheet.heading('Seal', { keepWith: 130 })
  const seal = (job.seal.match(/.{1,8}/g) ?? []).join(' ')
  sheet.paragraph([{ text: seal || 'This job has no seal yet.', style: { size: 10, weight: 600, color: colors.text } }], { after: 6 })
  const lines = [
    'This is the SHA-256 hash of the last entry of the job log. It covers every entry before it: a changed, added or removed entry gives another seal.',
    'To verify: run "fitter job verify FILE" on the JSON report of this job. It checks every byte of the file, the log and the evidence; the seal it names must be the one printed here.',
    ...(hasMissing ? ['A question mark can stand for a character that the font of this document does not have. The JSON report holds every text as it was entered.'] : []),
    written
  ]
  for (const text of lines) sheet.paragraph([{ text, style: styles.small }], { after: 4 })
}
