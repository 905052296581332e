import { AppError } from '../../../../preload/contract/errors.ts'
import type { Teller } from '../../../../preload/contract/events.ts'
import type { CallOutput } from '../../../../preload/contract/index.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { SyncResult } from '../../../../preload/contract/gateway/operations.ts'
import type { Paused } from '../../../../preload/contract/gateway/stories.ts'
import type { Operations } from '../engine.ts'
import type { Stories } from './stories.ts'
import { sayPause } from './storyTexts.ts'

export interface WaitingParts {
  operations: Operations
  stories: Stories
  kept: { paused(): Paused; setPaused(paused: Paused): void }
  sync(signal: AbortSignal): Promise<SyncResult>
  technician(): string
  events: Teller
  /** Runs a pass soon; nobody waits for it. */
  sendSoon(): void
  now?: () => Date
}

/** A person's actions on waiting work: pause, resume, try now. */
export type Waiting = ReturnType<typeof createWaiting>

const heldAtMost = 20

export function createWaiting({
  operations,
  stories,
  kept,
  sync,
  technician,
  events,
  sendSoon,
  now = () => new Date()
}: WaitingParts) {
  function setAll(paused: Paused): void {
    kept.setPaused(paused)
    events.tell('operations.paused', { paused })
  }

  function targets(id: string | null): string[] {
    const ids = stories.targets(id)
    if (id !== null && ids.length === 0) throw new AppError('NOT_FOUND', message('operations.noSuch', { id }))
    return ids
  }

  return {
    paused: (): Paused => kept.paused(),
    /** Since when all is paused and by whom; null when it is not. */
    sentence: (): Message | null => (kept.paused() === null ? null : sayPause(kept.paused())),
    pause(id: string | null): void {
      const paused = { at: now().toISOString(), by: technician() }
      if (id === null) {
        // The start of an existing pause stays.
        if (kept.paused() === null) setAll(paused)
        return
      }
      operations.setPaused(
        targets(id).filter((one) => (operations.get(one)?.paused ?? null) === null),
        paused
      )
    },
    resume(id: string | null): void {
      if (id === null) setAll(null)
      else operations.setPaused(targets(id), null)
      sendSoon()
    },
    async tryNow(id: string | null, signal: AbortSignal): Promise<CallOutput<'operations.tryNow'>> {
      const ids = targets(id)
      await operations.idle(signal)
      const limited = operations.tryNow(ids)
      const held = await stories.heldBack(ids, limited)
      const counts = await sync(signal)
      return { counts, held: held.slice(0, heldAtMost), moreHeld: Math.max(0, held.length - heldAtMost) }
    }
  }
}
