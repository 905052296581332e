import { networkInterfaces } from 'node:os'
import { isLoopback } from '../../base/addresses/address.ts'
import { createLookout, type Lookout } from '../../gateway/accounts/lookout.ts'
import { cardAddresses } from '../../base/internet/routes.ts'
import type { CoreOptions, Foundation } from './foundation.ts'
import type { GatewayRecords } from './gatewayRecords.ts'
import type { GatewayWork } from './gatewayWork.ts'

export interface GatewayWatchParts
  extends Pick<GatewayRecords, 'accounts' | 'copies'>, Pick<GatewayWork, 'operations' | 'sendSoon'> {
  options: CoreOptions
  ending: AbortSignal
  hasDeferred(): boolean
  noticesChanged(): void
  networkChanged(): void
}

/** Busy checks ask the gateway several times a second; once a second is enough for news. */
const tellAfterMs = 1_000
const wrongClockMs = 60_000

/** Reports the gateway's state to windows, and continues waiting work when it is back. */
export function watchGateway(
  { store, connections, events }: Foundation,
  {
    options,
    ending,
    accounts,
    copies,
    operations,
    sendSoon,
    hasDeferred,
    noticesChanged,
    networkChanged
  }: GatewayWatchParts
) {
  const { reportFault } = options
  const { gateway } = connections
  let timer: NodeJS.Timeout | undefined
  let isClockWrong = false
  const lookout: Lookout | undefined = options.background
    ? createLookout({
        gateway,
        network: presentNetwork,
        hasWork: () => operations.hasWork() || hasDeferred(),
        back: isBack,
        networkChanged,
        reportFault
      })
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

  /** A wrong clock is a notice, which disappears when the clock is right again. */
  function tellClock(): void {
    const isWrong = Math.abs(gateway.clockDifferenceMs() ?? 0) >= wrongClockMs
    if (isWrong === isClockWrong) return
    isClockWrong = isWrong
    noticesChanged()
  }

  /** Waiting work continues automatically, and every window is informed at once. */
  function isBack(): void {
    operations.gatewayIsBack()
    sendSoon()
    clearTimeout(timer)
    timer = undefined
    tellNow()
    tellSoon()
  }

  function presentNetwork(): string {
    const cards = cardAddresses((options.interfaces ?? networkInterfaces)())
      .map(({ card, address }) => `${card} ${address}`)
      .join()
    const url = URL.parse(options.gatewayUrl ?? store.settings.get().gatewayUrl)
    // A gateway on this computer needs no network.
    return url && isLoopback(url.hostname) ? `here ${cards}` : cards
  }

  return {
    /** The gateway answered, or did not. */
    noticeGateway(): void {
      tellSoon()
      lookout?.noticeGateway()
    },
    resumed: () => lookout?.resumed(),
    /** From now on nothing starts automatically. */
    rest(): void {
      lookout?.stop()
      clearTimeout(timer)
    }
  }
}
