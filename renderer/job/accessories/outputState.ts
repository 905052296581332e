import type { AccessoryTest, LineState } from '../../../preload/contract/gateway/accessories.ts'
import type { LedgerEntry } from '../../../preload/contract/device/outputs.ts'
import { t } from '../../base/texts.ts'

/** An output that the gateway can switch: of the expander, or wired to the device. */
export interface RemoteOutput {
  wiring: 'expander' | 'wired'
  n: number
}

export const remoteOutputs: readonly RemoteOutput[] = [
  ...[1, 2, 3, 4].map((n) => ({ wiring: 'expander' as const, n })),
  ...[1, 2].map((n) => ({ wiring: 'wired' as const, n }))
]

export function nameOfOutput({ wiring, n }: RemoteOutput): string {
  return wiring === 'expander' ? t('windowOutputs.expanderOut', { n }) : t('windowAccessories.out.wiredOut', { n })
}

export function lineOfOutput({ wiring, n }: RemoteOutput, lines: readonly LineState[]): LineState | undefined {
  return lines.find(
    ({ kind, number, on }) =>
      kind === (wiring === 'expander' ? 'expanderOutput' : 'output') && number === n && on !== null
  )
}

/** Whether a command that is followed was for this output. */
export function isForOutput({ title }: AccessoryTest, { wiring, n }: RemoteOutput): boolean {
  const name = title.values['name']
  if (name === null || typeof name !== 'object' || !('id' in name)) return false
  return (name.id === 'gatewayOutputs.expander') === (wiring === 'expander') && Number(name.values['out']) === n
}

const isOn = (test: AccessoryTest): boolean => test.title.id === 'gatewayOutputs.titleOn'
const loggedNotes: readonly string[] = [
  'gatewayOutputs.lineNotShown',
  'gatewayOutputs.lineNotYet',
  'gatewayOutputs.lateOn'
]

export interface Phase {
  id: 'sent' | 'logged' | 'on' | 'off'
  /** Undefined: not yet. Null: it happened at an unknown time. */
  at: string | null | undefined
}

/** How far the latest "on" is, and the "off" after it, as far as the gateway confirmed them. */
export function phasesOf(tests: readonly AccessoryTest[]): Phase[] {
  const on = tests.find(isOn)
  const off = tests.find((test) => !isOn(test) && (on === undefined || test.startedAt >= on.startedAt))
  const first = on ?? off
  if (!first) return []
  const isLogged = first.state === 'found' || loggedNotes.includes(first.note.id)
  const entryAt = (first.evidence as { entry?: { at?: string | null } | null } | null)?.entry?.at ?? null
  return [
    { id: 'sent', at: first.startedAt },
    { id: 'logged', at: isLogged ? entryAt : undefined },
    ...(on ? [{ id: 'on' as const, at: on.state === 'found' ? on.endedAt : undefined }] : []),
    { id: 'off', at: off?.state === 'found' ? off.endedAt : undefined }
  ]
}

export type OutputLook = 'on' | 'goingOn' | 'goingOff' | 'mayBeOn' | 'off' | 'unknown'

/** The ledger knows more than the line: what was sent may still take effect. */
export function lookOfOutput(entry: LedgerEntry | undefined, line: LineState | undefined): OutputLook {
  if (entry) return entry.state === 'watched' ? 'goingOff' : entry.state
  return line === undefined ? 'unknown' : line.on ? 'on' : 'off'
}
