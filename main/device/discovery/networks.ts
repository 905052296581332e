import { networkInterfaces } from 'node:os'
import type { CardNetwork, SweepState } from '../../../preload/contract/device/discovery.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { Teller } from '../../../preload/contract/events.ts'
import { isOnCard, listCards, type Interfaces } from './cards.ts'
import type { Discovery } from './discovery.ts'
import { findGateways } from './gatewayRoutes.ts'
import { subnetHosts } from './sweep.ts'

export interface NetworksOptions {
  discovery: Pick<Discovery, 'sweep' | 'gatewayAddresses'>
  events: Teller
  interfaces?: (() => Interfaces) | undefined
  reportFault(error: unknown): void
}

/** The networks of this computer: their default gateways, and the sweep of one that a person starts. */
export type Networks = ReturnType<typeof createNetworks>

const tellEveryMs = 200
// The longest time of a sweep: eight at a time, 2 s each without an answer (see the prober).
const longestPerHostMs = 2_000 / 8

export function createNetworks({ discovery, events, interfaces = networkInterfaces, reportFault }: NetworksOptions) {
  let sweep: SweepState | null = null
  let stopping: AbortController | undefined
  let sweeping: Promise<void> = Promise.resolve()
  let toldAtMs = -Infinity

  function tell(next: SweepState, isUrgent: boolean): void {
    sweep = next
    const nowMs = performance.now()
    if (!isUrgent && nowMs - toldAtMs < tellEveryMs) return
    toldAtMs = nowMs
    events.tell('discovery.sweep', next)
  }

  async function run(start: SweepState, signal: AbortSignal): Promise<void> {
    let last = start
    try {
      await discovery.sweep(start.address, {
        signal,
        onProgress(progress) {
          if (signal.aborted) return
          last = { ...last, ...progress }
          tell(last, false)
        }
      })
      tell({ ...last, leftMs: 0, running: false, ended: 'done' }, true)
    } catch (error) {
      const isStopped = signal.aborted
      if (!isStopped) reportFault(error)
      const problem = isStopped ? null : error instanceof AppError ? error.sentence : message('discovery.sweepFault')
      tell({ ...last, leftMs: 0, running: false, ended: isStopped ? 'stopped' : 'failed', problem }, true)
    }
  }

  return {
    async networks(signal: AbortSignal): Promise<CardNetwork[]> {
      const [found] = await Promise.all([findGateways(), discovery.gatewayAddresses({ signal })])
      return listCards(interfaces()).map((card) => {
        const isOutside = !card.isLoopback
        return {
          card: card.name,
          address: card.address,
          kind: card.kind,
          gateways: isOutside ? found.filter((gateway) => isOnCard(gateway, card)) : [],
          sweepSize: isOutside ? subnetHosts(card).length : 0
        }
      })
    },
    sweep(cardName: string): SweepState {
      if (sweep?.running) throw new AppError('CONFLICT', message('discovery.stillSearched', { card: sweep.card }))
      const card = listCards(interfaces()).find(
        (item) => !item.isLoopback && (item.address === cardName || item.name === cardName)
      )
      if (!card) throw new AppError('INVALID_REQUEST', message('discovery.noSuchCard', { card: cardName }))
      const total = subnetHosts(card).length
      const start: SweepState = {
        card: card.name,
        address: card.address,
        asked: 0,
        total,
        found: 0,
        leftMs: Math.round(total * longestPerHostMs),
        running: true,
        ended: null,
        problem: null
      }
      stopping = new AbortController()
      tell(start, true)
      sweeping = run(start, stopping.signal)
      return start
    },
    stopSweep: (): void => stopping?.abort(),
    sweepState: (): SweepState | null => sweep,
    async stop(): Promise<void> {
      stopping?.abort()
      await sweeping
    }
  }
}
