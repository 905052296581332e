import { axisPx, type Layout } from '../../../base/instruments/charts/lanes/layout.ts'
import { readLaneColours } from '../../../base/instruments/charts/lanes/colours.ts'
import type { LinesStory } from '../../../../preload/job/linesStory.ts'
import type { Span } from '../../../base/instruments/charts/lanes/view.ts'
import { formatVolts, formatWhen } from '../../../base/format.ts'
import { saveBlob } from '../../../base/saveFile.ts'
import { t } from '../../../base/texts.ts'
import { stateText } from '../../../device/readings/linesText.ts'
import { lanesCsv } from './lanesCsv.ts'
import type { ShownLine, ShownVoltage } from './shown.ts'

/** The lanes as currently drawn. */
export interface DrawnLanes {
  chart: { canvas(): HTMLCanvasElement | undefined; layout: Layout; span(): Span }
  rows: readonly ShownLine[]
  voltages: readonly ShownVoltage[]
  device: string
}

export function saveCsv(fileName: string, story: LinesStory, span: Span): void {
  saveBlob(fileName, new Blob([lanesCsv(story, span)], { type: 'text/csv;charset=utf-8' }))
}

/** The lanes as a picture, with labels and values, the device and the time. */
export function savePicture(fileName: string, { chart, rows, voltages, device }: DrawnLanes): void {
  const drawn = chart.canvas()
  if (!drawn) return
  const { layout } = chart
  const [labelsPx, valuesPx, headPx] = [190, 110, 34]
  const ratio = devicePixelRatio
  const widthPx = labelsPx + drawn.width / ratio + valuesPx
  const picture = document.createElement('canvas')
  picture.width = widthPx * ratio
  picture.height = (headPx + layout.heightPx + axisPx + 6) * ratio
  const context = picture.getContext('2d')
  if (!context) return
  const { colours, voltages: voltageColours } = readLaneColours()
  const style = getComputedStyle(document.documentElement)
  const [font, mono] = [style.getPropertyValue('--font'), style.getPropertyValue('--mono')]
  context.scale(ratio, ratio)
  context.fillStyle = colours.panel
  context.fillRect(0, 0, widthPx, picture.height)
  const write = (
    text: string,
    [x, y]: [number, number],
    { bold = false, isMono = false, colour = colours.text, align = 'left' as CanvasTextAlign } = {}
  ) => {
    context.font = `${bold ? '600 ' : ''}12px ${isMono ? mono : font}`
    context.fillStyle = colour
    context.textAlign = align
    context.textBaseline = 'middle'
    context.fillText(text, x, y)
  }
  const [fromMs, toMs] = chart.span()
  write(
    t('windowLines.pictureTitle', {
      device,
      from: formatWhen(new Date(fromMs).toISOString()),
      forS: Math.round((toMs - fromMs) / 1000)
    }),
    [12, headPx / 2],
    { bold: true }
  )
  context.drawImage(drawn, labelsPx, headPx, drawn.width / ratio, drawn.height / ratio)
  for (const { text, topPx, heightPx } of layout.titles)
    write(text, [12, headPx + topPx + heightPx / 2], { bold: true, colour: colours.muted })
  for (const lane of layout.lanes) {
    const y = headPx + lane.topPx + lane.heightPx / 2
    const row = rows.find(({ line }) => line === lane.line)
    write(lane.line, [12, y], { bold: true, isMono: true })
    write(lane.about, [58, y], { colour: colours.muted })
    write(stateText(row?.on), [widthPx - 40, y], { isMono: true, align: 'right' })
    write(String(row?.changes || ''), [widthPx - 12, y], { isMono: true, colour: colours.muted, align: 'right' })
  }
  for (const [index, voltage] of voltages.entries()) {
    const y = headPx + (layout.voltages?.topPx ?? 0) + 26 + index * 16
    const colour = voltage.isDrawn ? (voltageColours[index] ?? colours.text) : colours.muted
    write(voltage.name, [12, y], { bold: true, isMono: true, colour })
    write(voltage.about, [58, y], { colour: colours.muted })
    write(voltage.valueMv === null ? t('windowLines.unread') : formatVolts(voltage.valueMv), [widthPx - 12, y], {
      isMono: true,
      colour,
      align: 'right'
    })
  }
  picture.toBlob((blob) => {
    if (blob) saveBlob(fileName, blob)
  }, 'image/png')
}
