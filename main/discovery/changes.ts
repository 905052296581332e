import type { DeviceTable, TableChange } from '../../preload/contract/device/discovery.ts'
import type { DeviceEntry, SightingTable } from './table.ts'

export interface ChangesOptions {
  table: () => SightingTable
  cards: () => DeviceTable['cards']
  lastHeardAt: () => string | null
  nowMs: () => number
}

export interface Changes {
  onChange(listener: (change: TableChange) => void): () => void
  /** One device may look different now, or everything may. Told at once; a storm of answers in steps. */
  changed(entry?: DeviceEntry): void
  /** Of the last change that was told. */
  changeNumber(): number
  stop(): void
}

const gapMs = 25
// How long ago a device was seen is shown in minutes; telling each poll of each device would be all that is told.
const seenStepMs = 15_000

/** Tells what changed in the table since it was told last: with hundreds of devices the whole of it is far too much. */
export function createChanges({ table, cards, lastHeardAt, nowMs }: ChangesOptions): Changes {
  const listeners = new Set<(change: TableChange) => void>()
  const told = new Map<string, { text: string; seenAt: string }>()
  const touched = new Set<string>()
  let isAllTouched = true
  let toldCards = '[]'
  let toldHeardAt: string | null = null
  let timer: NodeJS.Timeout | undefined
  let toldAtMs = -Infinity
  // Goes on from the clock: a table of an earlier search never takes a change of this one for its next.
  let changeNumber = Date.now()

  /** The devices that look different now; what was told of them is noted. */
  function takeChanged(): TableChange['devices'] {
    const devices: TableChange['devices'] = []
    for (const key of isAllTouched ? table().entries().map((entry) => entry.key) : touched) {
      const entry = table().get(key)
      if (!entry) continue
      const shown = table().show(entry)
      const { lastSeenAt: seenAt, ...rest } = shown
      const text = JSON.stringify(rest)
      const before = told.get(key)
      if (before && before.text === text && !isLater(before.seenAt, seenAt)) continue
      told.set(key, { text, seenAt })
      devices.push(shown)
    }
    touched.clear()
    isAllTouched = false
    return devices
  }

  function takeGone(): string[] {
    const gone = [...told.keys()].filter((key) => !table().get(key))
    for (const key of gone) told.delete(key)
    return gone
  }

  function tell(): void {
    timer = undefined
    const change: TableChange = { devices: takeChanged(), gone: takeGone(), cards: cards(), lastHeardAt: lastHeardAt(), changeNumber: changeNumber + 1 }
    const cardText = JSON.stringify(change.cards)
    const isNews = change.devices.length > 0 || change.gone.length > 0 || cardText !== toldCards || isLater(toldHeardAt, change.lastHeardAt)
    if (!isNews) return
    changeNumber = change.changeNumber
    toldAtMs = nowMs()
    toldCards = cardText
    toldHeardAt = change.lastHeardAt
    for (const listener of listeners) listener(change)
  }

  return {
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    changed(entry) {
      if (entry) touched.add(entry.key)
      else isAllTouched = true
      if (listeners.size === 0 || timer) return
      timer = setTimeout(tell, Math.max(0, toldAtMs + gapMs - nowMs()))
    },
    changeNumber: () => changeNumber,
    stop() {
      clearTimeout(timer)
      timer = undefined
    }
  }
}

function isLater(told: string | null, now: string | null): boolean {
  if (told === null || now === null) return told !== now
  return Date.parse(now) - Date.parse(told) >= seenStepMs
}
