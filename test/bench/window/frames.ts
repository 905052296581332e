import type { Page } from '@playwright/test'

export interface Frames {
  /** From one frame to the next. */
  apartMs: number[]
  /** From the beginning of a frame to when its picture is made: script, style, layout and paint. */
  workMs: number[]
}

/** A message that is sent in a frame comes when that frame has been made. */
export function countFrames(page: Page, seconds: number): Promise<Frames> {
  return page.evaluate(
    (forMs) =>
      new Promise<Frames>((resolve) => {
        const frames: Frames = { apartMs: [], workMs: [] }
        const { port1, port2 } = new MessageChannel()
        const firstMs = performance.now()
        let lastMs = 0
        let beganMs = 0
        port2.onmessage = () => frames.workMs.push(performance.now() - beganMs)
        const step = (now: number): void => {
          beganMs = performance.now()
          if (lastMs > 0) frames.apartMs.push(now - lastMs)
          lastMs = now
          port1.postMessage(null)
          if (beganMs - firstMs < forMs) requestAnimationFrame(step)
          else resolve(frames)
        }
        requestAnimationFrame(step)
      }),
    seconds * 1_000
  )
}

export const shareBelow = (times: readonly number[], limitMs: number): number =>
  (100 * times.filter((ms) => ms < limitMs).length) / times.length
