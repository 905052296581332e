import { askGateway, createPatience } from '../engine/askGateway.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { CheckContext, MessageOrText } from '../engine/check.ts'
import type { LineChange, LineName } from '../../../device/client/lineRecorder.ts'

export type GatewayView =
  /** With the time from the device's change to its arrival at the gateway. */
  | { kind: 'agrees'; what: Message; afterMs: number }
  | { kind: 'differs'; what: Message }
  /** The gateway shows fewer lines than the device: that is not a failure. */
  | { kind: 'notExposed'; what: Message }
  /** The gateway does not show the device at all. */
  | { kind: 'notShown'; what: Message }
  | { kind: 'away'; what: Message }

const pauseMs = 1_000
/** Reports and readings use whole seconds and arrive with different delays. */
const clockSlackMs = 2_000

/**
 * Waits for the gateway to show the device's value of the same moment, after the first change: an earlier value proves
 * nothing.
 */
export async function compareGatewayLine(
  context: CheckContext,
  request: { field: string; line: LineName; label: MessageOrText; withinS: number; showing(leftMs: number): void }
): Promise<GatewayView> {
  const { field, line, label, withinS } = request
  const untilMs = context.monotonicMs() + withinS * 1000
  const patience = createPatience()
  for (;;) {
    const reply = await askGateway(() => context.gateway.readLines(context.job.device.imei, context.signal))
    const leftMs = untilMs - context.monotonicMs()
    if (reply.kind === 'away' && (patience.isOver(reply) || leftMs <= 0))
      return { kind: 'away', what: message('gatewayLine.notAsked', { why: reply.why }) }
    if (reply.kind === 'no' || (reply.kind === 'answer' && reply.value === null)) {
      return { kind: 'notShown', what: message('gatewayLine.deviceNotShown') }
    }
    if (reply.kind === 'answer' && reply.value) {
      const { values, ageS, raw } = reply.value
      const shown = values.get(field)
      if (shown === undefined) return { kind: 'notExposed', what: message('gatewayLine.notExposed', { label }) }
      const nowMs = context.monotonicMs()
      const heardMs = ageS === null ? nowMs : nowMs - ageS * 1000
      const change = findChange(context.lines.changes(line), shown, heardMs)
      if (change) {
        const what = message('gatewayLine.agrees', { label, isOn: yesOrNo(shown) })
        context.saw({ witness: 'gateway', what, raw })
        return { kind: 'agrees', what, afterMs: Math.max(0, Math.round(heardMs - change.atMs)) }
      }
      if (leftMs <= 0) {
        const here = context.lines.latest()?.value[line]
        const what = message('gatewayLine.differs', {
          label,
          atGateway: yesOrNo(shown),
          atDevice: here === undefined ? 'unknown' : yesOrNo(here)
        })
        context.saw({ witness: 'gateway', what, raw })
        return { kind: 'differs', what }
      }
    }
    request.showing(Math.max(0, leftMs))
    await context.pause(pauseMs)
  }
}

function yesOrNo(isOn: boolean): 'yes' | 'no' {
  return isOn ? 'yes' : 'no'
}

/** The change that gave the line this value, if the line still had it at the time of the gateway's report. */
function findChange(changes: LineChange[], shown: boolean, heardMs: number): LineChange | undefined {
  return changes.findLast((change, index) => {
    const endMs = changes[index + 1]?.atMs ?? Infinity
    return change.on === shown && change.atMs <= heardMs + clockSlackMs && endMs >= heardMs - clockSlackMs
  })
}
