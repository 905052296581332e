import { onBeforeUnmount, onMounted } from 'vue'
import type { ShortcutId } from '../../../../preload/app/keys/keyTable.ts'
import { isFrozen } from '../../ui/time/frozen.ts'
import { boundKeys, shortcutOf } from './bindings.ts'
import { isInDialog, isPressable, isTyping, pressedKey } from './pressed.ts'

/** An action that lasts while the key is held down. */
export interface HeldKey {
  press(): void
  release(): void
}
export type KeyActs = Partial<Record<ShortcutId, (() => void) | HeldKey>>

interface Bound {
  acts: KeyActs
  when: () => boolean
}

const sequenceMs = 1_500
/** The component mounted last reacts first. */
const bound: Bound[] = []
let first: { key: string; atMs: number } | null = null
let held: { name: string; act: HeldKey } | null = null

function mayAct(id: ShortcutId, key: string, event: KeyboardEvent): boolean {
  const { also, repeats } = shortcutOf(id)
  if (event.repeat && !repeats) return false
  if (also === 'always') return true
  if (isInDialog(event.target)) return false
  if (also === 'typing') return true
  if (isTyping(event.target)) return false
  return !(key === 'enter' || key === 'space') || !isPressable(event.target)
}

function entries({ acts, when }: Bound): [ShortcutId, (() => void) | HeldKey][] {
  return when() ? (Object.entries(acts) as [ShortcutId, (() => void) | HeldKey][]) : []
}

/** The shortcut for these keys in the current context. */
function findAct(keys: string, event: KeyboardEvent): (() => void) | HeldKey | undefined {
  for (const one of bound) {
    for (const [id, act] of entries(one)) {
      if (boundKeys(id) === keys && mayAct(id, keys, event)) return act
    }
  }
  return undefined
}

function beginsSequence(key: string, event: KeyboardEvent): boolean {
  return bound.some((one) => entries(one).some(([id]) => boundKeys(id).startsWith(`${key} `) && mayAct(id, key, event)))
}

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || isFrozen.value) return
  const key = pressedKey(event)
  if (key === null) return
  const begun = first && event.timeStamp - first.atMs <= sequenceMs && !key.startsWith('ctrl+') ? first.key : null
  first = null
  const act = findAct(begun === null ? key : `${begun} ${key}`, event)
  if (act) {
    event.preventDefault()
    run(act, event.key)
  } else if (begun === null && beginsSequence(key, event)) {
    event.preventDefault()
    first = { key, atMs: event.timeStamp }
  }
}

function run(act: (() => void) | HeldKey, name: string): void {
  if (typeof act === 'function') return act()
  held?.act.release()
  held = { name, act }
  act.press()
}

function endHold(): void {
  held?.act.release()
  held = null
}

function keyUp(event: KeyboardEvent): void {
  if (event.key === held?.name) endHold()
}

function listen(isOn: boolean): void {
  const change = isOn ? window.addEventListener.bind(window) : window.removeEventListener.bind(window)
  change('keydown', press as EventListener)
  change('keyup', keyUp as EventListener)
  change('blur', endHold)
}

/**
 * Binds shortcuts by id while the component is on the page. Shortcuts are off while someone types, in dialogs, and with
 * any other modifier; `when` switches them off for a while.
 */
export function useKeys(acts: KeyActs, when = (): boolean => true): void {
  const mine: Bound = { acts, when }
  onMounted(() => {
    if (bound.length === 0) listen(true)
    bound.unshift(mine)
  })
  onBeforeUnmount(() => {
    bound.splice(bound.indexOf(mine), 1)
    if (bound.length > 0) return
    endHold()
    first = null
    listen(false)
  })
}
