import type { Fact, FactName, Verdict } from '../../../preload/contract/support/facts.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { Relation } from '../../base/ui/WitnessMark.vue'
import { relationOf } from '../../device/readings/relations.ts'

export interface AgreementLine {
  relation: Relation
  text: Message
}

const lineNames = [
  ['ignition', 'ignition'],
  ['power', 'power'],
  ['in1', 'input1'],
  ['in2', 'input2'],
  ['in3', 'input3']
] as const
const words = {
  vehicleDevice: { agree: 'windowVehicle.agree.imei', differ: 'windowVehicle.agree.otherImei' },
  sim: { agree: 'windowVehicle.agree.sim', differ: 'windowVehicle.agree.otherSim' }
} as const
const placeWords = {
  agree: 'windowVehicle.agree.place',
  stale: 'windowVehicle.agree.placeOld',
  differ: 'windowVehicle.agree.placeDiffers'
} as const
const lineWords = {
  agree: 'windowVehicle.agree.lines',
  stale: 'windowVehicle.agree.linesOld',
  differ: 'windowVehicle.agree.linesDiffer'
} as const

/** Where the connected device and the gateway agree, line by line; facts from only one of them are left out. */
export function agreementOf(facts: readonly Fact[]): AgreementLine[] {
  const find = (name: FactName) =>
    facts.find(({ fact, device, gateway }) => fact === name && device !== null && gateway !== null)
  const identities = (['vehicleDevice', 'sim'] as const).flatMap((name): AgreementLine[] => {
    const verdict = find(name)?.verdict
    return verdict === 'agree' || verdict === 'differ'
      ? [{ relation: verdict, text: message(words[name][verdict]) }]
      : []
  })
  const place = find('position')
  const placeText =
    place?.apart && isCompared(place.verdict)
      ? [
          {
            relation: relationOf(place.verdict),
            text: message(placeWords[place.verdict], { apartM: place.apart.value })
          }
        ]
      : []
  const lines = (['agree', 'differ', 'stale'] as const).flatMap((verdict): AgreementLine[] => {
    const of = lineNames.filter(([fact]) => find(fact)?.verdict === verdict)
    return of.length > 0
      ? [{ relation: relationOf(verdict), text: message(lineWords[verdict], { lines: said(of) }) }]
      : []
  })
  return [...identities, ...placeText, ...lines]
}

/**
 * "Same IMEI, SIM, position, power": one sentence for all in which device and gateway agree; null when that is only one
 * line.
 */
export function sameOf(facts: readonly Fact[]): Message | null {
  if (agreementOf(facts).filter(({ relation }) => relation === 'agree').length < 2) return null
  const is = (name: FactName) => facts.some(({ fact, verdict }) => fact === name && verdict === 'agree')
  const identities = (
    [
      ['vehicleDevice', 'imei'],
      ['sim', 'sim'],
      ['position', 'place']
    ] as const
  )
    .filter(([fact]) => is(fact))
    .map(([, word]) => message(`windowVehicle.line.${word}`))
  return message('windowVehicle.agree.lines', {
    lines: [...identities, ...said(lineNames.filter(([fact]) => is(fact)))]
  })
}

function isCompared(verdict: Verdict): verdict is keyof typeof placeWords {
  return verdict === 'agree' || verdict === 'stale' || verdict === 'differ'
}

/** All three inputs are one row. */
function said(names: readonly (typeof lineNames)[number][]): Message[] {
  const inputs = names.filter(([fact]) => fact.startsWith('in'))
  const shown = inputs.length === 3 ? names.filter((name) => !inputs.includes(name)) : names
  return [
    ...shown.map(([, name]) => message(`windowVehicle.line.${name}`)),
    ...(inputs.length === 3 ? [message('windowVehicle.line.inputs')] : [])
  ]
}
