import { shallowReadonly, shallowRef } from 'vue'

/** A word to explain, and its place on the page. */
export interface Wanted {
  /** The id of a term (`device.gps.hdop`), or a code as an answer has it. */
  code: string
  /** The area of a code that is also used elsewhere: `gateway.photo`. */
  within: string
  /** The word's text on the screen. */
  words: string
  /** The explanation from the device or gateway itself: shown when no document explains the code. */
  said: string
  by: HTMLElement
}

const current = shallowRef<Wanted | null>(null)

/** The current explanation. */
export const explaining = shallowReadonly(current)

/** Opens the explanation of a word beside it; the same word again closes it. */
export function openExplanation(wanted: Wanted): void {
  current.value = current.value?.by === wanted.by ? null : wanted
}

export function endExplaining(): void {
  current.value = null
}
