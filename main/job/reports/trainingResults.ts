import type { ExerciseLevel, ExerciseResult } from '../../../preload/contract/app/exercises.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { ReaderSettings } from '../../../preload/base/messages/settings.ts'
import { formatTime } from '../../../preload/base/messages/times.ts'
import { createTexts } from '../../base/messages/texts.ts'
import { openDocument } from './pdf/pdfDocument.ts'
import { colors, drawMark, toneColors } from './pdf/pdfMarks.ts'
import { contentWidth, page, styles } from './pdf/pdfSheet.ts'
import type { TextStyle } from './pdf/pdfText.ts'

/** The print-out for a team leader. */
export interface TrainingResultsInput {
  /** Newest first; of all technicians, or one result. */
  results: readonly ExerciseResult[]
  /** The exercises of the list, in their order. */
  list: readonly { id: string; level: ExerciseLevel }[]
  company: string
  generatedAt: string
  appVersion: string
  reader: ReaderSettings
  fontFolder?: string
}

interface PersonResults {
  name: string
  found: ReadonlySet<string>
  points: number
  dangers: number
  last: string
}

const mostDangers = 12
const mostNamed = 3
const big = { size: 20, weight: 700, color: colors.text } as const satisfies TextStyle
const rowHeight = 34

/**
 * What the page says, without its form: people with the best points first, exercises that were hardest, what each
 * should do next.
 */
export function summarize({ results, list }: Pick<TrainingResultsInput, 'results' | 'list'>) {
  const ids = new Set(list.map(({ id }) => id))
  const people = [...Map.groupBy(results, ({ by }) => by)].map(([name, own]): PersonResults => {
    const best = [...Map.groupBy(own, ({ id, at }) => id ?? at).values()].map((tries) =>
      Math.max(...tries.map(({ points }) => points))
    )
    return {
      name,
      found: new Set(own.flatMap(({ id, isFound }) => (isFound && id !== null && ids.has(id) ? [id] : []))),
      points: average(best),
      dangers: own.reduce((sum, { dangers }) => sum + dangers.length, 0),
      last: own[0]?.at ?? ''
    }
  })
  const tried = list
    .map(({ id }) => ({ id, tries: results.filter((one) => one.id === id) }))
    .filter(({ tries }) => tries.length > 0)
  return {
    people: people.sort((a, b) => b.points - a.points || a.name.localeCompare(b.name)),
    found: people.reduce((sum, { found }) => sum + found.size, 0),
    total: people.length * list.length,
    points: average(people.map(({ points }) => points)),
    spentS: Math.round(results.reduce((sum, { tookS }) => sum + tookS, 0) / 60) * 60,
    dangers: results.flatMap(({ dangers, by }) => dangers.map((danger) => ({ ...danger, by }))),
    hardest: tried
      .map(({ id, tries }) => ({ id, tries: tries.length, found: tries.filter(({ isFound }) => isFound).length }))
      .filter(({ tries, found }) => found < tries)
      .sort((a, b) => a.found / a.tries - b.found / b.tries)
      .slice(0, mostNamed),
    next: people.flatMap(({ name, found }) => {
      const open = list.find(({ id }) => !found.has(id))
      return open ? [{ name, id: open.id }] : []
    })
  }
}

function average(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : Math.round(numbers.reduce((sum, one) => sum + one, 0) / numbers.length)
}

const titleOf = (id: string): Message => message(`exercises.${id}.title` as 'exercises.w2.title')

/**
 * Training results as a document to print: A4, searchable, each page marked as practice. UNREADABLE when the fonts are
 * missing.
 */
export async function drawTrainingResults(
  input: TrainingResultsInput
): Promise<{ fileName: string; mediaType: string; content: Uint8Array }> {
  const { results, list, company, generatedAt, appVersion, reader, fontFolder } = input
  const texts = createTexts(reader)
  const say = (id: Parameters<typeof message>[0], values: Record<string, string | number> = {}): string =>
    texts.say({ id, values })
  const levels = [...new Set(list.map(({ level }) => level))]
  const sum = summarize(input)
  const fileName = `${say('training.print.fileName')}_${generatedAt.slice(0, 10)}.pdf`
  const { doc, sheet, frameEachPage, finish } = await openDocument({
    language: reader.language,
    title: say('training.print.title'),
    appVersion,
    generatedAt,
    fontFolder
  })
  const { tags } = sheet

  function put(
    text: string,
    style: TextStyle,
    x: number,
    y: number,
    width: number,
    side: 'left' | 'right' = 'left'
  ): void {
    const lines = sheet.wrap([{ text, style }], width)
    lines.forEach((line, index) =>
      sheet.drawLines([line], side === 'right' ? x + width - sheet.widthOf(line) : x, y + index * line.height)
    )
  }

  const nameOf = (name: string): string => (name === '' ? say('common.unnamed') : name)
  const day = (at: string): string => (at === '' ? '' : formatTime(at, 'dayAndMonth', texts.settings))

  function addTop(): void {
    put('Fitter', { size: 13, weight: 700, color: colors.accent }, page.left, 40, 60)
    put(company, styles.small, page.left + 52, 44, 240)
    put(say('training.print.printed', { printedAt: generatedAt }), styles.small, page.right - 200, 44, 200, 'right')
    tags.artifact(() => sheet.rule(62))
    sheet.moveTo(76)
    tags.element('H1', () => sheet.paragraph([{ text: say('training.print.title'), style: styles.title }]))
    const [first, last] = [results.at(-1)?.at, results[0]?.at]
    const period =
      first && last
        ? ` · ${say('training.print.period', { from: formatTime(first, 'day', texts.settings), until: formatTime(last, 'day', texts.settings) })}`
        : ''
    sheet.paragraph(
      [
        {
          text: `${say('windowTeamScreen.head.technicians', { n: sum.people.length })}${period}`,
          style: { ...styles.body, color: colors.muted }
        }
      ],
      { after: 12 }
    )
  }

  function addSums(): void {
    const y = sheet.y()
    const width = contentWidth / 4
    const sums: [string, string, string][] = [
      [String(sum.found), say('training.print.found', { total: sum.total }), colors.text],
      [String(sum.points), say('training.print.average'), colors.text],
      [
        String(sum.dangers.length),
        say('training.print.dangers'),
        sum.dangers.length > 0 ? toneColors.fail.ink : colors.text
      ],
      [texts.say(message('common.forS', { forS: sum.spentS })), say('training.print.time'), colors.text]
    ]
    tags.artifact(() => sheet.rule(y))
    sums.forEach(([figure, text, color], index) => {
      const x = page.left + index * width + (index > 0 ? 12 : 0)
      put(figure, { ...big, color }, x, y + 9, width - 14)
      put(text, styles.small, x, y + 38, width - 14)
      if (index > 0)
        tags.artifact(() =>
          doc
            .moveTo(page.left + index * width, y)
            .lineTo(page.left + index * width, y + 58)
            .lineWidth(0.6)
            .strokeColor(colors.line)
            .stroke()
        )
    })
    tags.artifact(() => sheet.rule(y + 58))
    sheet.moveTo(y + 58)
  }

  function addPeople(): void {
    sheet.heading(say('training.print.byPerson'), { keepWith: 120 })
    const [nameWidth, endWidth] = [92, 37]
    const cell = (contentWidth - nameWidth - 3 * endWidth) / levels.length
    const ends = [say('training.print.points'), say('training.print.dangerous'), say('training.print.last')]
    const endX = (index: number): number => page.right - (3 - index) * endWidth
    tags.element('Table', () => {
      const y = sheet.y()
      tags.element('TR', () => {
        tags.element('TH', () => put(say('common.technician'), styles.label, page.left, y + 2, nameWidth))
        levels.forEach((level, index) =>
          tags.element('TH', () =>
            put(
              texts.say(message(`training.level.${level}`)),
              { ...styles.label, size: 6.8 },
              page.left + nameWidth + index * cell,
              y + 2,
              cell - 4
            )
          )
        )
        ends.forEach((text, index) =>
          tags.element('TH', () => put(text, { ...styles.label, size: 6.8 }, endX(index), y + 2, endWidth, 'right'))
        )
      })
      sheet.moveTo(y + 38)
      sheet.rule(y + 38)
      for (const person of sum.people) addPerson(person)
    })

    function addPerson({ name, found, points, dangers, last }: PersonResults): void {
      sheet.keep(rowHeight)
      const y = sheet.y()
      tags.element('TR', () => {
        tags.element('TD', () => put(nameOf(name), { ...styles.strong, size: 9 }, page.left, y + 5, nameWidth - 6))
        levels.forEach((level, index) => {
          const own = list.filter((one) => one.level === level)
          const n = own.filter(({ id }) => found.has(id)).length
          const x = page.left + nameWidth + index * cell
          tags.artifact(() => {
            doc.roundedRect(x, y + 8, cell - 10, 4, 2).fill(toneColors.wait.soft)
            if (n > 0) doc.roundedRect(x, y + 8, ((cell - 10) * n) / own.length, 4, 2).fill(toneColors.pass.ink)
          })
          tags.element('TD', () =>
            put(say('common.nOfTotal', { n, total: own.length }), styles.small, x, y + 16, cell - 4)
          )
        })
        tags.element('TD', () => put(String(points), styles.strong, endX(0), y + 9, endWidth, 'right'))
        if (dangers > 0) tags.artifact(() => drawMark(doc, 'fail', endX(1) + endWidth - 24, y + 11, 9))
        tags.element('TD', () =>
          put(
            String(dangers),
            { ...styles.body, color: dangers > 0 ? toneColors.fail.ink : colors.text },
            endX(1),
            y + 9,
            endWidth,
            'right'
          )
        )
        tags.element('TD', () => put(day(last), styles.small, endX(2), y + 10, endWidth, 'right'))
      })
      sheet.moveTo(y + rowHeight)
      sheet.rule(y + rowHeight)
    }
  }

  function addDangers(): void {
    sheet.heading(say('training.print.discuss'))
    if (sum.dangers.length === 0)
      sheet.markedParagraph('pass', [{ text: say('training.print.noDangers'), style: styles.body }])
    for (const { kind, by, at } of sum.dangers.slice(0, mostDangers)) {
      sheet.markedParagraph('fail', [
        { text: texts.say(message(`training.danger.${kind}`)), style: styles.strong },
        { text: `  ${nameOf(by)}, ${day(at)}\n`, style: styles.small },
        { text: texts.say(message(`training.danger.${kind}.why`)), style: { ...styles.body, color: colors.muted } }
      ])
      sheet.moveTo(sheet.y() + 6)
    }
  }

  function addLists(): void {
    const lists: [string, string[]][] = [
      [
        say('training.print.hardest'),
        sum.hardest.map(({ id, found, tries }) =>
          say('training.print.foundOf', { title: texts.say(titleOf(id)), found, tries })
        )
      ],
      [
        say('training.print.next'),
        sum.next
          .slice(0, mostNamed)
          .map(({ name, id }) => say('training.print.for', { person: nameOf(name), title: texts.say(titleOf(id)) }))
      ]
    ]
    for (const [title, lines] of lists) {
      if (lines.length === 0) continue
      sheet.heading(title)
      lines.forEach((line, index) => sheet.paragraph([{ text: `${index + 1}. ${line}`, style: styles.body }]))
    }
  }

  function addSigning(): void {
    sheet.keep(60)
    const y = Math.max(sheet.y() + 40, 740)
    const width = contentWidth / 2 - 12
    for (const [index, text] of [say('training.print.leader'), say('training.print.date')].entries()) {
      const x = page.left + index * (width + 24)
      tags.artifact(() => sheet.line(x, y, width, colors.text))
      put(text, styles.small, x, y + 5, width)
    }
  }

  addTop()
  addSums()
  addPeople()
  addDangers()
  addLists()
  addSigning()
  frameEachPage((index, count) =>
    tags.artifact(() => {
      doc.rect(0, 0, doc.page.width, 20).fill(toneColors.live.ink)
      const [band] = sheet.wrap(
        [{ text: say('training.print.band'), style: { size: 8.5, weight: 600, color: '#ffffff' } }],
        contentWidth
      )
      if (band) sheet.drawLines([band], (doc.page.width - sheet.widthOf(band)) / 2, 10 - band.height / 2)
      sheet.rule(800)
      put(fileName, styles.faint, page.left, 806, contentWidth / 2)
      put(say('training.print.page', { n: index + 1, total: count }), styles.faint, page.right - 120, 806, 120, 'right')
    })
  )
  return { fileName, mediaType: 'application/pdf', content: await finish() }
}
