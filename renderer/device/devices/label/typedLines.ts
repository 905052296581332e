/** Nobody keeps this pace for a whole line; scanners are faster. */
const fastestPersonMsPerKey = 50
const fewestKeys = 8
/** A scanner that sends a label of several lines continues at once. */
const pauseMs = 200

/**
 * Distinguishes a scanner from a person by its speed. A person's line is passed on at once; lines that a scanner types
 * one after the other belong to one label and are passed on together.
 */
export function createTypedLines(give: (text: string) => void) {
  let lines: string[] = []
  let keys = 0
  let firstKeyMs = 0
  let lastKeyMs = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const text = lines.join('\n')
    lines = []
    give(text)
  }

  return {
    /**
     * A key was pressed, at this time of the keyboard's own clock (`event.timeStamp`): a busy window must not look like
     * a slow hand.
     */
    key(atMs: number): void {
      if (keys === 0) firstKeyMs = atMs
      lastKeyMs = atMs
      keys += 1
      if (timer !== undefined) {
        clearTimeout(timer)
        timer = setTimeout(flush, pauseMs)
      }
    },
    /** Enter was pressed behind this text. */
    line(text: string): void {
      const isScanner = keys >= fewestKeys && (lastKeyMs - firstKeyMs) / keys < fastestPersonMsPerKey
      keys = 0
      if (text.trim() !== '') lines.push(text)
      clearTimeout(timer)
      if (isScanner || (timer !== undefined && lines.length > 1)) timer = setTimeout(flush, pauseMs)
      else flush()
    },
    stop: (): void => clearTimeout(timer)
  }
}
