import type { Plot } from './plot.ts'
import type { ChartView } from './useChartView.ts'

interface ChartHands {
  press(event: KeyboardEvent): void
  wheel(event: WheelEvent): void
  drag(event: PointerEvent): void
}

/** Keys, wheel and pointer on a focused plot; `act` makes a change and redraws. */
export function createChartHands(options: {
  view: ChartView
  plot: () => Plot | undefined
  widthPx: () => number
  act: (change: () => void) => void
}): ChartHands {
  const { view, act } = options

  function msOf(px: number): number {
    const { fromMs, toMs } = view.span()
    return (px / Math.max(1, options.widthPx())) * (toMs - fromMs)
  }

  return {
    press(event) {
      if (event.ctrlKey || event.altKey || event.metaKey) return
      const direction = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
      if (direction !== 0) {
        act(() =>
          view.active.value
            ? view.stepCursor(direction * (event.shiftKey ? 10 : 1))
            : view.pan(msOf((direction * options.widthPx()) / 10))
        )
      } else if (event.key === '0') act(view.reset)
      else if (event.key === 'Escape' && view.active.value) act(view.dropCursors)
      else return
      event.preventDefault()
    },
    wheel(event) {
      const plot = options.plot()
      // Without the focus the wheel scrolls the page, as everywhere.
      if (event.ctrlKey || !plot || document.activeElement !== event.currentTarget) return
      event.preventDefault()
      const at = plot.timeAt(event.clientX)
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
        act(() => view.pan(msOf(event.deltaX || event.deltaY)))
      else act(() => view.zoom(event.deltaY > 0 ? 1.25 : 0.8, at))
    },
    drag(event) {
      if (!event.shiftKey || event.button !== 0 || !(event.currentTarget instanceof HTMLElement)) return
      const target = event.currentTarget
      target.setPointerCapture(event.pointerId)
      let x = event.clientX
      const move = (moved: PointerEvent): void => {
        act(() => view.pan(msOf(x - moved.clientX)))
        x = moved.clientX
      }
      target.addEventListener('pointermove', move)
      target.addEventListener('lostpointercapture', () => target.removeEventListener('pointermove', move), {
        once: true
      })
    }
  }
}
