import { colourOf, type ChartLine } from './chartLines.ts'
import { readColours } from './colours.ts'

export interface PictureText {
  title: string
  /** Below the title: the time range. */
  when: string
  /** Under the plot, a line each. */
  summary: readonly string[]
}

/** The plot with its title, the names of its lines and their values, as a PNG in base64. */
export function chartPicture(
  plot: HTMLCanvasElement,
  lines: readonly ChartLine[],
  { title, when, summary }: PictureText
): string {
  const colours = readColours()
  const ratio = devicePixelRatio
  const [headPx, rowPx, edgePx] = [58, 20, 14].map((px) => px * ratio) as [number, number, number]
  const canvas = document.createElement('canvas')
  canvas.width = plot.width + 2 * edgePx
  canvas.height = headPx + plot.height + summary.length * rowPx + edgePx
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('The browser gives no canvas to draw on')
  pen.fillStyle = colours.panel
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.textBaseline = 'middle'
  pen.fillStyle = colours.text
  pen.font = `650 ${15 * ratio}px ${colours.font}`
  pen.fillText(title, edgePx, 18 * ratio)
  pen.fillStyle = colours.muted
  pen.font = `${12 * ratio}px ${colours.font}`
  pen.fillText(when, edgePx, 40 * ratio)
  pen.drawImage(plot, edgePx, headPx)
  summary.forEach((text, index) => {
    const y = headPx + plot.height + (index + 0.5) * rowPx
    const line = lines[index]
    pen.fillStyle = line ? colours[colourOf(line, index)] : colours.muted
    pen.fillRect(edgePx, y - ratio, 14 * ratio, 2 * ratio)
    pen.fillStyle = colours.text
    pen.fillText(text, edgePx + 22 * ratio, y)
  })
  return canvas.toDataURL('image/png').slice('data:image/png;base64,'.length)
}
