import { acceptanceOf } from '../../../../preload/job/acceptance.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { Step } from '../../../../preload/contract/job/jobs.ts'
import { formatTime } from '../../../../preload/base/messages/times.ts'
import { colors, drawMark, toneColors } from './pdfMarks.ts'
import {
  addPictures,
  addSignatures,
  drawWitnesses,
  imeiSpans,
  signHeight,
  type FrontContext,
  type Photo,
  type Signatures
} from './pdfDetails.ts'
import { resultBefore, witnessWord } from './pdfSections.ts'
import { contentWidth, page, styles } from './pdfSheet.ts'
import { heightOf, type Line, type Span } from './pdfText.ts'
import { shortenText } from '../redact.ts'
import { formatStamp } from '../values.ts'
import { judgeJob, sayStored, stateWord, stepWord } from '../stateTexts.ts'

const columnGap = 24
const columnWidth = (contentWidth - columnGap) / 2
const titleWidth = 82
const clockWidth = 60
const longestText = 110
const stripHeight = 42
/** Below the pictures the lists need room; above that the pictures take what is left. */
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

/**
 * The customer's page: results, pictures, signatures and code together. Longer lists continue; the signatures stay
 * first.
 */
export function addCustomerPage(context: FrontContext, photos: readonly Photo[], signatures: Signatures): void {
  const { doc, sheet, job, texts } = context
  const say = (text: Message): string => texts.say(text)
  const working = job.steps.filter(works)
  const open = job.steps.filter(isOpen)
  const received = job.steps.filter(isReceived)
  const leftOut = job.steps.filter((step) => isLeftOut(step) && step.state === 'notApplicable')
  const blocks = [
    ...(working.length > 0
      ? [headingBlock(say(message('report.customer.works')), colors.text), ...pairs(working.map(workingCell))]
      : []),
    ...(open.length > 0
      ? [headingBlock(say(message('report.customer.notVerified')), toneColors.warn.ink), ...open.map(openBlock)]
      : []),
    ...(received.length > 0
      ? [
          noteBlock(
            say(
              message('report.customer.received', {
                values: received
                  .map((step) => `${nameOf(step)}: ${shortenText(sayStored(step.summary, texts), longestText)}`)
                  .join(' · ')
              })
            )
          )
        ]
      : []),
    ...(leftOut.length > 0
      ? [
          noteBlock(
            say(
              message('report.customer.leftOut', {
                steps: leftOut.map((step) => shortenText(sayStored(step.title, texts), 80)).join(', ')
              })
            )
          )
        ]
      : [])
  ]
  const bottomHeight = stripHeight + signHeight + 12
  const needed = blocks.reduce((sum, { height }) => sum + height, 0) + bottomHeight
  addPictures(
    context,
    photos,
    Math.min(pictureHeights.most, Math.max(pictureHeights.least, sheet.room() - needed - 16))
  )

  let isSigned = false
  /** At the foot of the first page, also when the lists go on. */
  function sign(): void {
    isSigned = true
    sheet.moveTo(page.bottom - bottomHeight + 6)
    addStrip()
    addSignatures(context, signatures)
  }
  for (const { height, draw } of blocks) {
    if (sheet.room() - (isSigned ? 0 : bottomHeight) < height) {
      if (!isSigned) sign()
      sheet.newPage()
    }
    const top = sheet.y()
    draw(top)
    sheet.moveTo(top + height)
  }
  if (!isSigned) sign()

  function nameOf(step: Step): string {
    return shortenText(sayStored(step.short ?? step.title, texts), 80)
  }

  function headingBlock(text: string, color: string): Block {
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

  function noteBlock(text: string): Block {
    const lines = sheet.wrap([{ text: shortenText(text, 400), style: styles.small }], contentWidth)
    return { height: heightOf(lines) + 8, draw: (top) => void sheet.drawLines(lines, page.left, top + 6) }
  }

  /** A step that confirmed something: its name, the value that proves it, who saw it and when. */
  function workingCell(step: Step): { height: number; draw: (x: number, top: number) => void } {
    const { word, tone } = stepWord(step)
    const title = sheet.wrap([{ text: nameOf(step), style: { ...styles.strong, size: 8 } }], titleWidth - 6)
    const said = sayStored(step.figure ?? null, texts) || sayStored(step.summary, texts) || say(word)
    const acceptance = acceptanceOf(step)
    const accepted = acceptance && say(message('report.acceptedByShort', { by: shortenText(acceptance.by, 60) }))
    const result = sheet.wrap(
      [
        { text: shortenText(said, longestText) + (accepted ? `\n${accepted}` : ''), style: { ...styles.body, size: 8 } }
      ],
      columnWidth - 16 - titleWidth - clockWidth - 4
    )
    return {
      height: Math.max(heightOf(title), heightOf(result)) + 7,
      draw: (x, top) => {
        sheet.tags.element('Figure', () => sheet.tags.text(() => drawMark(doc, tone, x, top + 3.5, 10)), {
          alt: say(word)
        })
        sheet.drawLines(title, x + 16, top + 3.5)
        sheet.drawLines(result, x + 16 + titleWidth, top + 3.5)
        const at = step.lastResult?.at ?? step.startedAt
        const seen = [...new Set(step.witness)]
        drawWitnesses({ doc, sheet }, seen, {
          x: x + columnWidth - 28 - seen.length * 12,
          y: top + 3.5,
          alt: seen.map((one) => witnessWord(one, texts)).join(', '),
          stepX: 12
        })
        if (at) {
          const clock = sheet.wrap(
            [{ text: shortenText(formatTime(at, 'time', texts.settings), 5), style: styles.small }],
            30
          )
          sheet.drawLines(clock, x + columnWidth - sheet.widthOf(clock[0]), top + 3.5)
        }
      }
    }
  }

  function pairs(cells: ReturnType<typeof workingCell>[]): Block[] {
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

  /** A step that confirmed nothing: why, what was really seen, and what follows. */
  function openBlock(step: Step): Block {
    const { word, tone } = stepWord(step)
    const shown = step.waiver ? 'waive' : tone
    const { ink, soft } = shown === 'wait' ? toneColors.warn : toneColors[shown]
    const widths = [170, 150, contentWidth - 26 - 170 - 150 - 20] as const
    const before = step.waiver ? lastResultOf(step) : sayStored(step.summary, texts)
    const follows =
      step.state === 'deferred'
        ? say(message('report.customer.gatewayLater'))
        : isSent(step)
          ? say(message('report.customer.cannotBeRead'))
          : sayStored(step.remedy, texts) || say(message('report.customer.toArrange'))
    const columns: Line[][] = [
      sheet.wrap(
        [
          { text: `${nameOf(step)}\n`, style: { ...styles.strong, size: 9 } },
          {
            text: step.waiver ? `«${shortenText(step.waiver.reason, longestText)}»` : say(word),
            style: { ...styles.body, size: 8 }
          }
        ],
        widths[0] - 8
      ),
      before === '' ? [] : column(message('report.customer.lastResult'), before, widths[1] - 8),
      column(message('report.customer.next'), follows, widths[2] - 8)
    ]
    const height = Math.max(...columns.map(heightOf)) + 10
    return {
      height: height + 3,
      draw: (top) => {
        sheet.tags.artifact(() => {
          doc.roundedRect(page.left, top + 2, contentWidth, height, 4).fill(soft)
          doc.rect(page.left, top + 5, 2.5, height - 6).fill(ink)
          drawMark(doc, shown, page.left + 8, top + 7, 13)
        })
        columns.forEach((lines, index) =>
          sheet.drawLines(
            lines,
            page.left + 28 + widths.slice(0, index).reduce((sum, width) => sum + width, 0),
            top + 7
          )
        )
      }
    }
  }

  function lastResultOf(step: Step): string {
    const { lastResult } = step
    return lastResult
      ? `${say(stateWord(lastResult.state).word)}. ${sayStored(lastResult.summary, texts)}`
      : resultBefore(step, texts)
  }

  function column(label: Message, text: string, width: number): Line[] {
    return sheet.wrap(
      [
        { text: `${say(label)}\n`, style: styles.small },
        { text: shortenText(text, longestText), style: { ...styles.body, size: 8 } }
      ],
      width
    )
  }

  function addStrip(): void {
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
      sheet.drawLines(sheet.wrap([{ text: say(label), style: styles.small }], width - 10).slice(0, 1), x, top + 5)
      sheet.drawLines(sheet.wrap(value, width - 10).slice(0, 1), x, top + 16)
      x += width
    }
    sheet.tags.artifact(() => sheet.line(page.left, top + 32, contentWidth))
    sheet.moveTo(top + 34)
  }
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
