import { orAborted, pause } from '../../../base/time/pause.ts'
import type { AccessoryPort } from './accessoryPort.ts'
import type { GatewayPort } from './ports.ts'

export interface PaceOptions {
  /** The pause between two requests of one kind, from any check. */
  everyMs: number
  monotonicMs(): number
  /** Cancels running requests for all. */
  signal: AbortSignal
}

/**
 * The gateway for parallel checks: repeated requests are shared, because a user may have only 30 a minute. No reading
 * is older than its question.
 */
export function paceGateway(gateway: GatewayPort, options: PaceOptions): GatewayPort {
  const readLines = paced((imei: string, signal) => gateway.readLines(imei, signal), options)
  const readEvents = paced(
    (request: Parameters<GatewayPort['readEvents']>[0], signal) => gateway.readEvents(request, signal),
    options
  )
  const readEngineBus = paced(
    (request: Parameters<GatewayPort['readEngineBus']>[0], signal) => gateway.readEngineBus(request, signal),
    options
  )
  const readAccessories = paced(
    (request: Parameters<AccessoryPort['readEvents']>[0], signal) => gateway.accessories.readEvents(request, signal),
    options
  )
  return {
    ...gateway,
    readLines,
    readEvents,
    readEngineBus,
    accessories: { ...gateway.accessories, readEvents: readAccessories }
  }
}

function paced<Request, Answer>(
  ask: (request: Request, signal: AbortSignal) => Promise<Answer>,
  { everyMs, monotonicMs, signal }: PaceOptions
): (request: Request, signal: AbortSignal) => Promise<Answer> {
  const next = new Map<string, Promise<Answer>>()
  let begunMs = -Infinity

  async function takeTurn(key: string, request: Request): Promise<Answer> {
    // The question is in the table before its turn can end.
    await Promise.resolve()
    try {
      // A delayed question lets later ones pass, so its turn is determined again.
      for (let waitMs = begunMs + everyMs - monotonicMs(); waitMs > 0; waitMs = begunMs + everyMs - monotonicMs())
        await pause(waitMs, signal)
      begunMs = monotonicMs()
    } finally {
      next.delete(key)
    }
    return ask(request, signal)
  }

  return (request, ownSignal) => {
    const key = JSON.stringify(request)
    let answer = next.get(key)
    if (!answer) {
      answer = takeTurn(key, request)
      next.set(key, answer)
    }
    return orAborted(answer, ownSignal)
  }
}
