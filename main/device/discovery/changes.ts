import type { DeviceTable, TableChange } from '../../../preload/contract/device/discovery.ts'
import type { DeviceEntry } from './sighting.ts'
import type { SightingTable } from './table.ts'

export interface ChangesOptions {
  table: () => SightingTable
  cards: () => DeviceTable['cards']
  lastHeardAt: () => string | null
  nowMs: () => number
}

const gapMs = 25
// The last-seen time is shown in minutes, so a change for each poll of each device would be noise.
const seenStepMs = 15_000

/** Reports the changes to the table since the last report; with hundreds of devices the whole table is far too much. */
export function createChanges({ table, cards, lastHeardAt, nowMs }: ChangesOptions) {
  const listeners = new Set<(change: TableChange) => void>()
  const told = new Map<string, { text: string; seenAt: string }>()
  const touched = new Set<string>()
  let isAllTouched = true
  let toldCards = '[]'
  let toldHeardAt: string | null = null
  let timer: NodeJS.Timeout | undefined
  let toldAtMs = -Infinity
  // Starts from the clock, so that a table of an earlier search never accepts a change of this one as its next.
  let changeNumber = Date.now()

  /** The devices that look different now; marks them as reported. */
  function takeChanged(): TableChange['devices'] {
    const devices: TableChange['devices'] = []
    for (const key of isAllTouched
      ? table()
          .entries()
          .map((entry) => entry.key)
      : touched) {
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
    const change: TableChange = {
      devices: takeChanged(),
      gone: takeGone(),
      cards: cards(),
      lastHeardAt: lastHeardAt(),
      changeNumber: changeNumber + 1
    }
    const cardText = JSON.stringify(change.cards)
    const isNews =
      change.devices.length > 0 ||
      change.gone.length > 0 ||
      cardText !== toldCards ||
      isLater(toldHeardAt, change.lastHeardAt)
    if (!isNews) return
    changeNumber = change.changeNumber
    toldAtMs = nowMs()
    toldCards = cardText
    toldHeardAt = change.lastHeardAt
    for (const listener of listeners) listener(change)
  }

  return {
    onChange(listener: (change: TableChange) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Reports that one device, or everything, may look different. Reported at once; a storm of answers in steps. */
    changed(entry?: DeviceEntry): void {
      if (entry) touched.add(entry.key)
      else isAllTouched = true
      if (listeners.size === 0 || timer) return
      timer = setTimeout(tell, Math.max(0, toldAtMs + gapMs - nowMs()))
    },
    /** The number of the last reported change. */
    changeNumber: (): number => changeNumber,
    stop(): void {
      clearTimeout(timer)
      timer = undefined
    }
  }
}

function isLater(told: string | null, now: string | null): boolean {
  if (told === null || now === null) return told !== now
  return Date.parse(now) - Date.parse(told) >= seenStepMs
}
