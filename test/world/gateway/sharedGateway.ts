import { z } from 'zod'
import type { OperationKind } from '../../../main/gateway/waitingWork/kind.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'

export const cacheLagMs = 15_000

/** One gateway that several laptops write to, with a clock for all of them. */
export interface SharedGateway {
  nowMs(): number
  advance(ms: number): void
  /** What was applied: by whom and when. */
  effects: { name: string; by: string; atMs: number }[]
  /** What work of this kind does there, as one laptop sees it. */
  kindFor(by: string): OperationKind
}

/**
 * @param options.refusesSecond a second one of the same is answered with "exists already", as key fobs are.
 * @param options.isLagging nobody sees what is younger than the lag of the cache.
 * @param options.losesReply whether the answer to this write is lost, and whether it was applied.
 */
export function makeSharedGateway(options: {
  refusesSecond?: boolean
  isLagging?: boolean
  losesReply?: () => 'no' | 'applied' | 'notApplied'
  dies?: () => void
}): SharedGateway {
  let clockMs = 0
  const effects: SharedGateway['effects'] = []
  return {
    nowMs: () => clockMs,
    advance: (ms) => void (clockMs += ms),
    effects,
    kindFor: (by) => ({
      kind: 'shared',
      payload: z.object({ name: z.string() }),
      title: (payload) => plainMessage(String((payload as { name?: string }).name)),
      resendWhenAbsent: true,
      maxAttempts: 3,
      send(payload) {
        const { name } = payload as { name: string }
        options.dies?.()
        const loss = options.losesReply?.() ?? 'no'
        if (loss === 'notApplied') return Promise.reject(new AppError('TIMEOUT', plainMessage('lost')))
        if (options.refusesSecond && effects.some((effect) => effect.name === name))
          return Promise.reject(new AppError('CONFLICT', plainMessage('exists'), { status: 409 }))
        effects.push({ name, by, atMs: clockMs })
        options.dies?.()
        if (loss === 'applied') return Promise.reject(new AppError('TIMEOUT', plainMessage('lost')))
        return Promise.resolve({ what: plainMessage('It was accepted.'), raw: null })
      },
      look(payload, { sinceMs }) {
        const { name } = payload as { name: string }
        options.dies?.()
        const newestMs = options.isLagging ? clockMs - cacheLagMs : clockMs
        const isSeen = effects.some(
          (effect) => effect.name === name && effect.atMs <= newestMs && effect.atMs >= (sinceMs ?? 0) - 1
        )
        return Promise.resolve({
          seen: isSeen ? 'found' : 'absent',
          what: plainMessage(isSeen ? 'It is there.' : 'It is not there.'),
          raw: null
        })
      }
    })
  }
}
