import type { Json } from '../../../preload/contract/define.ts'
import { evidence as evidenceSchema, type Evidence } from '../../../preload/contract/support/evidence.ts'
import {
  recordedSession,
  type RecordedChange,
  type RecordedSession
} from '../../../preload/contract/support/recording.ts'
import { keepLatest } from './keepLatest.ts'
import { applyChanges, changesBetween } from './changes.ts'

/** The subject; without a known device it is identified by its vehicle. */
export interface RecordedSubject {
  imei: string | null
  vehicleId: number | null
}

export interface RecordingSpan {
  fromMs: number
  toMs: number
  looks: number
  bytes: number
}

/** Some hours of work on one subject's wiring; the oldest part is dropped. Five subjects are kept: 40 MB at most. */
const mostBytes = 8_000_000
const mostSubjects = 5
const stepsOfPart = 200

interface Step {
  atMs: number
  /** As text: a third of the memory of the same objects. */
  changes: string
}
interface Part {
  atMs: number
  first: string
  steps: Step[]
  bytes: number
}
interface Kept {
  subject: RecordedSubject
  parts: Part[]
  last: { atMs: number; evidence: Json }
}

/**
 * The evidence of devices and vehicles that were on screen, in memory: the same functions compute the diagnosis of that
 * time.
 */
export function createRecording({ bytes: most = mostBytes } = {}) {
  /** The last used one is at the end. */
  const all = new Map<string, Kept>()
  const keyOf = ({ imei, vehicleId }: RecordedSubject) => imei ?? `vehicle ${String(vehicleId)}`

  /** A request by vehicle alone gets the recording of its device. */
  function find(subject: RecordedSubject): Kept | undefined {
    const ofVehicle = () =>
      [...all.values()].findLast(
        (kept) => subject.imei === null && subject.vehicleId !== null && kept.subject.vehicleId === subject.vehicleId
      )
    return all.get(keyOf(subject)) ?? ofVehicle()
  }
  function put(kept: Kept): void {
    keepLatest(all, keyOf(kept.subject), kept, mostSubjects)
  }
  function beginPart(kept: Kept, atMs: number, evidence: Json): void {
    const first = JSON.stringify(evidence)
    kept.parts.push({ atMs, first, steps: [], bytes: first.length })
    while (kept.parts.length > 1 && bytesOf(kept) > most) kept.parts.shift()
  }

  return {
    keep(subject: RecordedSubject, evidence: Evidence): void {
      const atMs = Date.parse(evidence.at)
      const now = evidence as unknown as Json
      const kept = all.get(keyOf(subject))
      // A clock that was set back starts a new recording: one axis cannot show both times.
      if (!kept || atMs < kept.last.atMs) {
        const begun: Kept = { subject, parts: [], last: { atMs, evidence: now } }
        beginPart(begun, atMs, now)
        put(begun)
        return
      }
      put({ ...kept, subject })
      const present = all.get(keyOf(subject)) as Kept
      if (atMs === present.last.atMs) return
      const part = present.parts.at(-1) as Part
      if (part.steps.length >= stepsOfPart || part.bytes > most / 4) beginPart(present, atMs, now)
      else {
        const changes = JSON.stringify(changesBetween(present.last.evidence, now))
        part.steps.push({ atMs, changes })
        part.bytes += changes.length
        while (present.parts.length > 1 && bytesOf(present) > most) present.parts.shift()
      }
      present.last = { atMs, evidence: now }
    },
    /**
     * The evidence at a moment: the last look before it, or the first one. Null without a recording, or when it is
     * unreadable.
     */
    at(subject: RecordedSubject, atMs: number): Evidence | null {
      const kept = find(subject)
      if (!kept) return null
      const part = kept.parts.findLast((one) => one.atMs <= atMs) ?? kept.parts[0]
      if (!part) return null
      try {
        const then = part.steps
          .filter((step) => step.atMs <= atMs)
          .reduce<Json>(
            (tree, { changes }) => applyChanges(tree, JSON.parse(changes) as RecordedChange[]),
            JSON.parse(part.first) as Json
          )
        return evidenceSchema.parse(then)
      } catch {
        // A file may contain invalid steps: unreadable evidence is not shown.
        return null
      }
    },
    span(subject: RecordedSubject): RecordingSpan | null {
      const kept = find(subject)
      const [first] = kept?.parts ?? []
      if (!kept || !first) return null
      return {
        fromMs: first.atMs,
        toMs: kept.last.atMs,
        looks: kept.parts.reduce((sum, { steps }) => sum + 1 + steps.length, 0),
        bytes: bytesOf(kept)
      }
    },
    give(subject: RecordedSubject): RecordedSession | null {
      const kept = find(subject)
      const [first] = kept?.parts ?? []
      if (!kept || !first) return null
      const parts = kept.parts.map(({ atMs, first: text, steps }) => ({
        atMs,
        first: JSON.parse(text) as Evidence,
        steps: steps.map((step) => ({ atMs: step.atMs, changes: JSON.parse(step.changes) as RecordedChange[] }))
      }))
      return { version: 1, subject: kept.subject, fromMs: first.atMs, toMs: kept.last.atMs, parts }
    },
    /** A session from a file replaces the recording of its subject. False for an invalid one. */
    take(given: unknown): boolean {
      const { success, data } = recordedSession.safeParse(given)
      if (!success || !isInOrder(data)) return false
      const parts = data.parts.map(({ atMs, first, steps }): Part => {
        const asText = steps.map((step): Step => ({ atMs: step.atMs, changes: JSON.stringify(step.changes) }))
        const text = JSON.stringify(first)
        return {
          atMs,
          first: text,
          steps: asText,
          bytes: text.length + asText.reduce((sum, { changes }) => sum + changes.length, 0)
        }
      })
      put({
        subject: data.subject,
        parts,
        last: { atMs: data.toMs, evidence: (data.parts.at(-1)?.first ?? null) as unknown as Json }
      })
      return true
    }
  }
}

function bytesOf({ parts }: Kept): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0)
}

function isInOrder({ fromMs, toMs, parts }: RecordedSession): boolean {
  const times = [fromMs, ...parts.flatMap(({ atMs, steps }) => [atMs, ...steps.map((step) => step.atMs)]), toMs]
  return times.every((atMs, index) => index === 0 || atMs >= (times[index - 1] ?? 0))
}
