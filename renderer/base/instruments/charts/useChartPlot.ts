import { onBeforeUnmount, onMounted, ref, watch, type Ref } from 'vue'
import { watchTheme } from '../../ui/theme.ts'
import type { Plot, PlotOptions } from './plot.ts'

/** The plot of a chart while the chart is on the page; uPlot is loaded for the first one. */
export function useChartPlot(options: {
  stage: Readonly<Ref<HTMLElement | null>>
  widthPx: Readonly<Ref<number>>
  heightPx: () => number
  /** The plot is rebuilt when one of these changes. */
  lines: () => readonly unknown[]
  make: () => Omit<PlotOptions, 'widthPx' | 'heightPx'>
  redraw: () => void
}): { plot: () => Plot | undefined; isMissing: Readonly<Ref<boolean>> } {
  const isMissing = ref(false)
  let plot: Plot | undefined
  let isOver = false
  let stopTheme: (() => void) | undefined

  async function load(): Promise<void> {
    try {
      const { openPlot } = await import('./plot.ts')
      if (isOver || !options.stage.value) return
      plot?.close()
      plot = openPlot(options.stage.value, {
        ...options.make(),
        widthPx: options.widthPx.value || 300,
        heightPx: options.heightPx()
      })
      options.redraw()
    } catch {
      // The text and the table remain; a message replaces the missing picture.
      isMissing.value = true
    }
  }

  onMounted(() => {
    void load()
    stopTheme = watchTheme(() => {
      plot?.restyle()
      options.redraw()
    })
  })
  onBeforeUnmount(() => {
    isOver = true
    stopTheme?.()
    plot?.close()
  })
  watch([options.widthPx, options.heightPx], () => {
    if (options.widthPx.value > 0) plot?.resize(options.widthPx.value, options.heightPx())
    options.redraw()
  })
  watch(options.lines, () => void load())

  return { plot: () => plot, isMissing }
}
