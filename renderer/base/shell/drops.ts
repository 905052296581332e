import { onBeforeUnmount, onMounted, shallowReactive } from 'vue'

/** What a file is that a person drops on the window, by its content. */
export type DropKind = 'bundle' | 'photo' | 'table' | 'checklist' | 'handover' | 'invitation' | 'unknown'

/** The pictures that a job accepts, as a browser names them; some name an HEIC only by its ending. */
export const photoTypes = [
  'image/jpeg',
  'image/png',
  'image/heic',
  'image/heif',
  'image/webp',
  'image/avif',
  '.heic',
  '.heif'
]

type Take = (files: File[]) => void

const takers = shallowReactive(new Map<DropKind, Take>())
/** Dropped on another screen; its own takes them when it opens. */
let waiting: { kind: DropKind; files: File[] } | null = null

/** True while a part of the screen accepts such files. */
export function isTaken(kind: DropKind): boolean {
  return takers.has(kind)
}

/** Accepts files of a kind that are dropped anywhere on the window, while the component is on the page. */
export function useDropTaker(kind: DropKind, take: Take): void {
  onMounted(() => {
    takers.set(kind, take)
    const held = waiting?.kind === kind ? waiting.files : null
    waiting = null
    if (held) take(held)
  })
  onBeforeUnmount(() => {
    if (takers.get(kind) === take) takers.delete(kind)
  })
}

/** Gives files to the part that accepts them, or keeps them for the screen that `open` goes to. */
export function giveDropped(kind: DropKind, files: File[], open: () => void): void {
  const take = takers.get(kind)
  if (take) return take(files)
  waiting = { kind, files }
  open()
}
