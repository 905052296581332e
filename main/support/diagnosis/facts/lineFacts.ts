import type { Fact, FactName } from '../../../../preload/contract/support/facts.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { BothSay } from './bothSay.ts'
import { judgeFact } from './judge.ts'

interface Line {
  fact: FactName
  name: string
  /** The matching field of the gateway; null: none is documented. */
  field: string | null
  say(isOn: boolean): Message
  notExposed?: Message
}

const onOff = (isOn: boolean) => message(isOn ? 'facts.on' : 'facts.off')
const ofNumber = (from: 'in' | 'out' | 'so', count: number, shown: number): Line[] =>
  Array.from({ length: count }, (_, index) => index + 1).map((n) => ({
    fact: `${from}${n}` as FactName,
    name: `${from.toUpperCase()}${n}`,
    field: n > shown ? null : from === 'so' ? `io_out${n}_short` : `io_${from}${n}`,
    say: from === 'so' ? (isShort: boolean) => message(isShort ? 'facts.short' : 'facts.noShort') : onOff,
    notExposed: message(from === 'in' ? 'facts.inputsShown' : 'facts.outputsShown', { n: shown })
  }))

/**
 * The gateway shows three inputs and two outputs of the device's lines; the rest is not exposed, which is no failure.
 */
const lines: readonly Line[] = [
  { fact: 'ignition', name: 'IGN', field: 'io_ign', say: onOff },
  { fact: 'engine', name: 'TIG', field: null, say: (runs) => message(runs ? 'facts.runs' : 'facts.stopped') },
  { fact: 'power', name: 'PWR', field: 'io_pwr', say: (is) => message(is ? 'facts.present' : 'facts.missing') },
  ...ofNumber('in', 7, 3),
  ...ofNumber('out', 4, 2),
  ...ofNumber('so', 4, 2)
]

export function lineFacts({ device, gateway, evidence, tolerances }: BothSay): (Fact | null)[] {
  const nowMs = Date.parse(evidence.at)
  return lines.map(({ fact, name, field, say, notExposed }) =>
    judgeFact<boolean>(
      {
        fact,
        unit: null,
        device: device.line(name),
        gateway: field === null ? 'notExposed' : gateway.line(field),
        oldAfterS: tolerances.gatewayAgeS,
        isOfAnotherTime: ({ device: here, gateway: there }) =>
          !contradicts(
            { evidence, name, isOn: here.value, heardMs: nowMs - (there.ageS ?? 0) * 1000 },
            (there.ageS ?? Infinity) <= tolerances.lineAgeS
          ),
        say,
        ...(notExposed ? { notExposed } : {})
      },
      tolerances
    )
  )
}

/** Times of the gateway have whole seconds, and its clock is known only to that precision. */
const resolutionMs = 1_000

/**
 * Whether the line had its present value when the gateway received another. Unwatched, only a recent value contradicts.
 */
function contradicts(
  { evidence, name, isOn, heardMs }: { evidence: BothSay['evidence']; name: string; isOn: boolean; heardMs: number },
  isYoung: boolean
): boolean {
  const changes = evidence.device?.lately?.lines.find((line) => line.name === name)?.changes ?? []
  const last = changes.at(-1)
  if (last === undefined || last[1] === null) return isYoung
  // It was switched after the last reading.
  if (last[1] !== isOn) return false
  const wasSo = last[0] + resolutionMs <= heardMs
  const isChange = changes.length > 1
  return wasSo || (!isChange && isYoung)
}
