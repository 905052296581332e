import { networkInterfaces } from 'node:os'
import { isLoopback } from '../../addresses/address.ts'
import { createLookout, type Lookout } from '../../connections/lookout.ts'
import { cardAddresses } from '../../internet/routes.ts'
import type { CoreOptions, Foundation } from './foundation.ts'
import type { GatewayRecords } from './gatewayRecords.ts'
import type { GatewayWork } from './gatewayWork.ts'

export interface GatewayWatchParts extends Pick<GatewayRecords, 'accounts' | 'copies'>, Pick<GatewayWork, 'operations' | 'sendSoon'> {
  options: CoreOptions
  ending: AbortSignal
  hasDeferred(): boolean
  noticesChanged(): void
  networkChanged(): void
}

/** Tells windows how the gateway stands, and lets what waits go on when it is back. */
export interface GatewayWatch {
  /** Something was heard of the gateway, or not. */
  heard(): void
  /** The computer woke up. */
  resumed(): void
  /** Nothing of it begins by itself any more. */
  rest(): void
}

/** Checks ask the gateway several times a second at their busiest; once a second is news enough. */
const tellAfterMs = 1_000
const wrongClockMs = 60_000

export function watchGateway({ store, connections, events }: Foundation, { options, ending, accounts, copies, operations, sendSoon, hasDeferred, noticesChanged, networkChanged }: GatewayWatchParts): GatewayWatch {
  const { reportFault } = options
  const { gateway } = connections
  let timer: NodeJS.Timeout | undefined
  let isClockWrong = false
  const lookout: Lookout | undefined = options.background
    ? createLookout({ gateway, network: presentNetwork, hasWork: () => operations.hasWork() || hasDeferred(), back: isBack, networkChanged, reportFault })
    : undefined

  function tellNow(): void {
    gateway.status().then((status) => events.tell('gateway.changed', status), reportFault)
  }

  function tellSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      tellNow()
      tellClock()
      if (!options.background) return
      accounts.learnRightsOnce(ending).catch(reportFault)
      refreshOldCopies().catch(reportFault)
    }, tellAfterMs)
  }

  async function refreshOldCopies(): Promise<void> {
    if (store.readOnly !== null || (await gateway.status()).state !== 'reachable' || ending.aborted) return
    await copies.refreshOld()
  }

  /** A clock that stands wrong is a notice; it goes when the clock is right again. */
  function tellClock(): void {
    const isWrong = Math.abs(gateway.clockDifferenceMs() ?? 0) >= wrongClockMs
    if (isWrong === isClockWrong) return
    isClockWrong = isWrong
    noticesChanged()
  }

  /** What waited goes on by itself, and every window hears of it at once. */
  function isBack(): void {
    operations.gatewayIsBack()
    sendSoon()
    clearTimeout(timer)
    timer = undefined
    tellNow()
    tellSoon()
  }

  function presentNetwork(): string {
    const cards = cardAddresses((options.interfaces ?? networkInterfaces)()).map(({ card, address }) => `${card} ${address}`).join()
    const url = URL.parse(options.gatewayUrl ?? store.settings.get().gatewayUrl)
    // A gateway on this computer itself needs no network.
    return url && isLoopback(url.hostname) ? `here ${cards}` : cards
  }

  return {
    heard() {
      tellSoon()
      lookout?.heard()
    },
    resumed: () => lookout?.resumed(),
    rest() {
      lookout?.stop()
      clearTimeout(timer)
    }
  }
}
