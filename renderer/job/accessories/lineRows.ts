import type { Fact, FactName } from '../../../preload/contract/support/facts.ts'
import type { LineState } from '../../../preload/contract/gateway/accessories.ts'
import { t } from '../../base/texts.ts'

export type LineKind = LineState['kind']
export interface ShownLine {
  kind: LineKind
  n: number
  /** Null: neither the gateway shows it, nor a connected device. */
  on: boolean | null
  isShorted: boolean
  /** Only the connected device reports it. */
  isOfDevice: boolean
}

/** The lines of a device in rows, as many as its connector has. */
const rows: readonly {
  id: 'power' | 'inputs' | 'outputs' | 'expanderIn' | 'expanderOut'
  kinds: readonly LineKind[]
  n: number
}[] = [
  { id: 'power', kinds: ['power', 'ignition'], n: 1 },
  { id: 'inputs', kinds: ['input'], n: 7 },
  { id: 'outputs', kinds: ['output'], n: 4 },
  { id: 'expanderIn', kinds: ['expanderInput'], n: 4 },
  { id: 'expanderOut', kinds: ['expanderOutput'], n: 4 }
]

const factOf = ({ kind, n }: Pick<ShownLine, 'kind' | 'n'>): string =>
  ({
    power: 'power',
    ignition: 'ignition',
    input: `in${String(n)}`,
    output: `out${String(n)}`,
    expanderInput: '',
    expanderOutput: ''
  })[kind]

/** Each line by the gateway; what it does not show by the connected device, if there is one. */
export function lineRows(lines: readonly LineState[], facts: readonly Fact[]) {
  return rows.map(({ id, kinds, n }) => ({
    id,
    lines: kinds.flatMap((kind) =>
      Array.from({ length: n }, (_, index): ShownLine => {
        const at = { kind, n: index + 1 }
        const line = lines.find(
          (one) => one.kind === kind && (kind === 'power' || kind === 'ignition' || one.number === at.n)
        )
        const own = facts.find(({ fact }) => fact === (factOf(at) as FactName))?.device?.value
        const isOfDevice = (line?.on ?? null) === null && typeof own === 'boolean'
        return { ...at, on: isOfDevice ? own : (line?.on ?? null), isShorted: line?.isShorted === true, isOfDevice }
      })
    )
  }))
}

/** A line by its name: "Input 2". */
export function nameOfLine(kind: LineKind, n: number): string {
  return kind === 'power' || kind === 'ignition' ? t(`windowRemote.${kind}`) : t(`windowRemote.${kind}`, { n })
}
