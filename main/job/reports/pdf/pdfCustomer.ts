import { acceptanceOf } from '../../../../preload/job/acceptance.ts'
import { message, plainMessage, type Message } from '../../../../preload/contract/messages.ts'
import type { Step } from '../../../../preload/contract/job/jobs.ts'
import { formatTime } from '../../../../preload/base/messages/times.ts'
import { colors, drawMark, toneColors } from './pdfMarks.ts'
import { addPictures, imeiSpans, type Photo } from './pdfDetails.ts'
import { resultBefore } from './pdfSections.ts'
import { contentWidth, page, styles, type FrontContext } from './pdfSheet.ts'
import { addSignatures, signHeight, type Signatures } from './pdfSignatures.ts'
import { heightOf, type Line, type Span } from './pdfText.ts'
import { shortenText } from '../redact.ts'
import { formatStamp } from '../values.ts'
import { judgeJob, sayStored, stateWord, stepWord } from '../stateTexts.ts'

const columnGap = 24
const columnWidth = (contentWidth - columnGap) / 2
const longestText = 110
const stripHeight = 42
const pictureHeights = { least: 96, most: 190 } as const

const isSent = (step: Step): boolean => step.state === 'pass' && step.isSent === true
const works = (step: Step): boolean =>
  step.kind !== 'signOff' && (step.state === 'pass' || step.state === 'warn') && step.waiver === null && !isSent(step)
const isReceived = ({ state, waiver }: Step): boolean => waiver === null && state === 'received'
/** What does not apply; and the sign-off, which the signatures show. */
const isLeftOut = ({ kind, state, waiver }: Step): boolean =>
  waiver === null && (state === 'notApplicable' || (kind === 'signOff' && state === 'pass'))

const isOpen = (step: Step): boolean => !works(step) && !isReceived(step) && !isLeftOut(step)

/** The first sentence for the customer: only what the steps of this job prove. */
export function customerHeadline(job: FrontContext['job']): Message[] {
  if (job.state === 'failed' || job.state === 'cancelled' || job.state === 'draft' || job.state === 'running') return []
  const open = job.steps.filter(isOpen).length
  const reports = job.steps.some((step) => step.kind === 'delivered' && works(step))
  const rest =
    open > 0
      ? [message('report.customer.open', { n: open })]
      : judgeJob(job).tone === 'pass'
        ? [message('report.customer.allVerified')]
        : []
  return [...(reports ? [message('report.customer.reports')] : []), ...rest]
}

interface Block {
  height: number
  draw: (top: number) => void
}

/** What gives way until everything is on one page: pictures first, then the second lines, then the ends of the lists. */
interface Density {
  hasPictures: boolean
  isShort: boolean
  /** The most entries of both lists; what is not verified comes before what works. */
  most: number
}

/**
 * The customer's page: what works, what is not verified and what follows, pictures, signatures and the code. It is one
 * page, whatever the job has: the evidence of each step is a file of its own.
 */
export function addCustomerPage(context: FrontContext, photos: readonly Photo[], signatures: Signatures): void {
  const { sheet, job, texts } = context
  const working = job.steps.filter(works)
  const open = job.steps.filter(isOpen)
  const bottomHeight = stripHeight + signHeight + 12
  const room = page.bottom - bottomHeight - sheet.y() - 12
  const densities: Density[] = [
    { hasPictures: true, isShort: false, most: Infinity },
    { hasPictures: true, isShort: true, most: Infinity },
    { hasPictures: false, isShort: true, most: Infinity },
    ...Array.from({ length: working.length + open.length }, (_, cut) => ({
      hasPictures: false,
      isShort: true,
      most: working.length + open.length - cut - 1
    }))
  ]
  for (const density of densities) {
    const blocks = blocksOf(context, { working, open }, density)
    const needed = blocks.reduce((sum, { height }) => sum + height, 0)
    if (needed + (density.hasPictures ? pictureHeights.least + 14 : 0) > room && density.most > 0) continue
    if (density.hasPictures) addPictures(context, photos, Math.min(pictureHeights.most, room - needed - 14))
    for (const { height, draw } of blocks) {
      const top = sheet.y()
      draw(top)
      sheet.moveTo(top + height)
    }
    break
  }
  sheet.moveTo(page.bottom - bottomHeight + 6)
  addStrip(context)
  addSignatures(context, signatures, (width) => genuineLines(context, width))

  function genuineLines({ sheet: { wrap } }: FrontContext, width: number): Line[] {
    const { evidenceName } = context
    return wrap(
      [
        { text: `${texts.say(message('report.customer.genuine'))}\n`, style: { ...styles.strong, size: 8.5 } },
        {
          text: texts.say(message('report.customer.genuineHow', { seal: job.seal.slice(0, 8), file: evidenceName })),
          style: styles.faint
        }
      ],
      width
    )
  }
}

function blocksOf(
  context: FrontContext,
  { working, open }: { working: readonly Step[]; open: readonly Step[] },
  { isShort, most }: Density
): Block[] {
  const { job, texts } = context
  const say = (text: Message): string => texts.say(text)
  const shownOpen = open.slice(0, most)
  const shownWorking = working.slice(0, Math.max(0, most - shownOpen.length))
  const left = open.length + working.length - shownOpen.length - shownWorking.length
  const received = job.steps
    .filter(isReceived)
    .map((step) => `${nameOf(context, step)}: ${shortenText(sayStored(step.summary, texts), longestText)}`)
  return [
    ...(shownWorking.length > 0
      ? [
          headingBlock(context, say(message('report.customer.works')), colors.text),
          ...pairs(
            context,
            shownWorking.map((step) => workingCell(context, step, isShort))
          )
        ]
      : []),
    ...(shownOpen.length > 0
      ? [
          headingBlock(context, say(message('report.customer.notVerified')), toneColors.warn.ink),
          ...shownOpen.map((step) => (isShort ? openLine(context, step) : openBlock(context, step)))
        ]
      : []),
    ...(received.length > 0
      ? [noteBlock(context, say(message('report.customer.received', { values: received.join(' · ') })))]
      : []),
    ...(left > 0 ? [noteBlock(context, say(message('report.customer.more', { n: left })))] : [])
  ]
}

function nameOf({ texts }: FrontContext, step: Step): string {
  return shortenText(sayStored(step.short ?? step.title, texts), 80)
}

/** What the vehicle can do, or what may be missing; a kind of step that has no sentence is called by its name. */
function sentenceOf(context: FrontContext, which: 'works' | 'open', step: Step): string {
  const id = `customer.${which}.${step.kind}`
  const lines = (step.inputs ?? []).map((one) => sayStored(one.name ?? one.line, context.texts))
  const name = lines.length > 0 ? shortenText(lines.join(', '), 80) : nameOf(context, step)
  return context.texts.say(context.texts.has(id) ? { id, values: { name } } : plainMessage(name))
}

function headingBlock({ sheet }: FrontContext, text: string, color: string): Block {
  return {
    height: 26,
    draw: (top) => {
      sheet.tags.element('H2', () =>
        sheet.drawLines(
          sheet.wrap([{ text, style: { ...styles.heading, size: 10, color } }], contentWidth).slice(0, 1),
          page.left,
          top + 8
        )
      )
      sheet.tags.artifact(() => sheet.line(page.left, top + 24, contentWidth, color))
    }
  }
}

function noteBlock({ sheet }: FrontContext, text: string): Block {
  const lines = sheet.wrap([{ text: shortenText(text, 400), style: styles.small }], contentWidth)
  return { height: heightOf(lines) + 8, draw: (top) => void sheet.drawLines(lines, page.left, top + 6) }
}

interface WorkingCell {
  height: number
  draw: (x: number, top: number) => void
}

/** What works: a sentence, and below it the value that proves it with its time. */
function workingCell(context: FrontContext, step: Step, isShort: boolean): WorkingCell {
  const { doc, sheet, texts } = context
  const { word, tone } = stepWord(step)
  const acceptance = acceptanceOf(step)
  const at = step.lastResult?.at ?? step.startedAt
  const proof = [
    step.figure ? shortenText(sayStored(step.figure, texts), 40) : '',
    at ? shortenText(formatTime(at, 'time', texts.settings), 20) : '',
    acceptance ? texts.say(message('report.acceptedByShort', { by: shortenText(acceptance.by, 60) })) : ''
  ].filter((part) => part !== '')
  const sentence: Span = {
    text: shortenText(sentenceOf(context, 'works', step), longestText),
    style: { ...styles.strong, size: 8.5 }
  }
  const lines = sheet.wrap(
    isShort && !acceptance
      ? [sentence]
      : [sentence, ...(proof.length > 0 ? [{ text: `\n${proof.join(' · ')}`, style: styles.small }] : [])],
    columnWidth - 16
  )
  return {
    height: heightOf(lines) + 6,
    draw: (x, top) => {
      sheet.tags.element('Figure', () => sheet.tags.text(() => drawMark(doc, tone, x, top + 3.5, 10)), {
        alt: texts.say(word)
      })
      sheet.drawLines(lines, x + 16, top + 3)
    }
  }
}

function pairs({ sheet }: FrontContext, cells: WorkingCell[]): Block[] {
  const half = Math.ceil(cells.length / 2)
  return cells.slice(0, half).map((left, index) => {
    const right = cells[index + half]
    const height = Math.max(left.height, right?.height ?? 0)
    return {
      height,
      draw: (top) => {
        left.draw(page.left, top)
        right?.draw(page.left + columnWidth + columnGap, top)
        sheet.tags.artifact(() => {
          sheet.line(page.left, top + height, columnWidth)
          if (right) sheet.line(page.left + columnWidth + columnGap, top + height, columnWidth)
        })
      }
    }
  })
}

const openWidths = [170, 150, contentWidth - 26 - 170 - 150 - 20] as const

/** What a step that confirmed nothing means: why, what its last test showed, and what follows. */
function openParts(context: FrontContext, step: Step) {
  const { texts } = context
  const { word, tone } = stepWord(step)
  const shown = step.waiver ? 'waive' : tone
  const follows =
    step.state === 'deferred'
      ? texts.say(message('report.customer.gatewayLater'))
      : isSent(step)
        ? texts.say(message('report.customer.cannotBeRead'))
        : sayStored(step.remedy, texts) || texts.say(message('report.customer.toArrange'))
  return {
    shown,
    colors: shown === 'wait' ? toneColors.warn : toneColors[shown],
    sentence: sentenceOf(context, 'open', step),
    why: step.waiver ? `«${shortenText(step.waiver.reason, longestText)}»` : texts.say(word),
    before: step.waiver ? lastResultOf(context, step) : sayStored(step.summary, texts),
    follows
  }
}

function openBlock(context: FrontContext, step: Step): Block {
  const { sheet, texts } = context
  const { sentence, why, before, follows, ...look } = openParts(context, step)
  const column = (label: Message, text: string, width: number): Line[] =>
    sheet.wrap(
      [
        { text: `${texts.say(label)}\n`, style: styles.small },
        { text: shortenText(text, longestText), style: { ...styles.body, size: 8 } }
      ],
      width
    )
  return openRow(
    context,
    look,
    [
      sheet.wrap(
        [
          { text: `${sentence}\n`, style: { ...styles.strong, size: 9 } },
          { text: why, style: { ...styles.body, size: 8 } }
        ],
        openWidths[0] - 8
      ),
      before === '' ? [] : column(message('report.customer.lastResult'), before, openWidths[1] - 8),
      column(message('report.customer.next'), follows, openWidths[2] - 8)
    ],
    13
  )
}

/** The same in a line, for a job with many of them. */
function openLine(context: FrontContext, step: Step): Block {
  const { sheet } = context
  const { sentence, why, follows, ...look } = openParts(context, step)
  const cell = (text: string, column: 0 | 1 | 2, weight: 400 | 600): Line[] =>
    sheet
      .wrap([{ text: shortenText(text, 60), style: { ...styles.body, size: 8, weight } }], openWidths[column] - 8)
      .slice(0, 2)
  return openRow(context, look, [cell(sentence, 0, 600), cell(why, 1, 400), cell(follows, 2, 400)], 10)
}

function openRow(
  { doc, sheet }: FrontContext,
  { shown, colors: { ink, soft } }: Pick<ReturnType<typeof openParts>, 'shown' | 'colors'>,
  columns: Line[][],
  markSize: number
): Block {
  const height = Math.max(...columns.map(heightOf)) + 7
  return {
    height: height + 2,
    draw: (top) => {
      sheet.tags.artifact(() => {
        doc.roundedRect(page.left, top + 2, contentWidth, height, 4).fill(soft)
        doc.rect(page.left, top + 5, 2.5, height - 6).fill(ink)
        drawMark(doc, shown, page.left + 8, top + 6, markSize)
      })
      columns.forEach((lines, index) =>
        sheet.drawLines(
          lines,
          page.left + 28 + openWidths.slice(0, index).reduce((sum, width) => sum + width, 0),
          top + 5.5
        )
      )
    }
  }
}

function lastResultOf({ texts }: FrontContext, step: Step): string {
  const { lastResult } = step
  return lastResult
    ? `${texts.say(stateWord(lastResult.state).word)}. ${sayStored(lastResult.summary, texts)}`
    : resultBefore(step, texts)
}

function addStrip({ sheet, job, texts }: FrontContext): void {
  const plain = (text: string): Span[] => [
    { text: shortenText(text, 40) || '–', style: { ...styles.strong, size: 8.5 } }
  ]
  const facts: [Message, Span[], number][] = [
    [message('report.fact.imei'), imeiSpans(job.device.imei.slice(0, 24)), 105],
    [message('report.fact.technician'), plain(job.technician), 110],
    [message('report.fact.started'), plain(formatStamp(job.createdAt, texts)), 150],
    [message('report.fact.order'), plain(job.order?.reference ?? ''), contentWidth - 365]
  ]
  const top = sheet.y()
  sheet.tags.artifact(() => sheet.line(page.left, top, contentWidth))
  let x: number = page.left
  for (const [label, value, width] of facts) {
    sheet.drawLines(sheet.wrap([{ text: texts.say(label), style: styles.small }], width - 10).slice(0, 1), x, top + 5)
    sheet.drawLines(sheet.wrap(value, width - 10).slice(0, 1), x, top + 16)
    x += width
  }
  sheet.tags.artifact(() => sheet.line(page.left, top + 32, contentWidth))
  sheet.moveTo(top + 34)
}

/** The verdict as the customer reads it, before the counts. */
export function customerVerdict(job: FrontContext['job']): {
  tone: ReturnType<typeof judgeJob>['tone']
  headline: Message[]
  rest: Message[]
  counts: Message[]
} {
  const { tone, counts, sentences } = judgeJob(job)
  const headline = customerHeadline(job)
  return headline.length > 0
    ? { tone, headline, rest: sentences, counts }
    : { tone, headline: sentences.slice(0, 1), rest: sentences.slice(1), counts }
}
