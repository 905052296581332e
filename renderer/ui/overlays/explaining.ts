import { shallowReadonly, shallowRef } from 'vue'

/** A word that somebody wants explained, and where it stands. */
export interface Wanted {
  /** The id of a term (`device.gps.hdop`), or a code as an answer has it. */
  code: string
  /** The area that a code belongs to, where it is written alike elsewhere: `gateway.photo`. */
  within: string
  /** How it is called on the screen. */
  words: string
  /** What the other side itself says of it: told where no document names it. */
  said: string
  by: HTMLElement
}

const current = shallowRef<Wanted | null>(null)

/** What is explained at the moment. */
export const explaining = shallowReadonly(current)

/** Explains a word beside it; the same word again closes it. */
export function openExplanation(wanted: Wanted): void {
  current.value = current.value?.by === wanted.by ? null : wanted
}

export function endExplaining(): void {
  current.value = null
}
