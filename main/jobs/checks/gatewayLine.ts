import { askGateway } from '../askGateway.ts'
import type { CheckContext } from '../check.ts'
import type { GatewayLines } from '../ports.ts'

export type GatewayView =
  | { kind: 'agrees'; what: string }
  | { kind: 'differs'; what: string }
  /** The gateway shows fewer lines than the device: that is no failure. */
  | { kind: 'notExposed'; what: string }
  | { kind: 'away'; what: string }

const askEveryMs = 4_000

/**
 * Waits until the gateway shows a line as the device has it, in a state that it heard after the device's last change.
 * Both witnesses must have had the chance to see the same thing; a value from before the change proves nothing.
 */
export async function compareGatewayLine(
  context: CheckContext,
  request: { field: string; label: string; deviceValue(): boolean | undefined; lastChangeMs: number; withinS: number; showing(leftMs: number): void }
): Promise<GatewayView> {
  const { field, label, withinS } = request
  const untilMs = context.monotonicMs() + withinS * 1000
  let last: GatewayLines | undefined
  for (;;) {
    const reply = await askGateway(() => context.gateway.readLines(context.job.device.imei, context.signal))
    if (reply.kind === 'away') return { kind: 'away', what: `The gateway could not be asked: ${reply.why}` }
    if (reply.kind === 'no' || reply.value === null) return { kind: 'away', what: 'The gateway does not show this device: not found or not permitted.' }
    last = reply.value
    const shown = last.values.get(field)
    if (shown === undefined) return { kind: 'notExposed', what: `${label} is not exposed by the gateway.` }
    const heardAgoMs = last.ageS === null ? null : last.ageS * 1000
    const changeAgoMs = context.monotonicMs() - request.lastChangeMs
    const isAfterChange = heardAgoMs === null || heardAgoMs <= changeAgoMs + 1_000
    if (shown === request.deviceValue() && isAfterChange) {
      const what = `${label} at the gateway: ${shown ? 'on' : 'off'}, as at the device`
      context.saw({ witness: 'gateway', what, raw: last.raw })
      return { kind: 'agrees', what }
    }
    const leftMs = untilMs - context.monotonicMs()
    if (leftMs <= 0) {
      const what = `${label} at the gateway is ${shown ? 'on' : 'off'}, the device says ${request.deviceValue() ? 'on' : 'off'}`
      context.saw({ witness: 'gateway', what, raw: last.raw })
      return { kind: 'differs', what }
    }
    request.showing(leftMs)
    await context.pause(Math.min(askEveryMs, leftMs))
  }
}
