import type { Evidence } from '../../../preload/contract/support/evidence.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { LiveReading } from '../../../preload/contract/device/workspace.ts'
import { cardOf } from '../../device/client/radio/mobileNetwork.ts'

export interface ExpectedParts {
  /** The last APN that was set on this device from here and accepted. */
  lastSet: { at: string; input: unknown } | undefined
  installed: { takenAt: string; readings: Partial<Record<string, LiveReading>> } | null
}

/** The expected APN and SIM: as set from here, or as at the installation, whichever is later. */
export function expectedOf({ lastSet, installed }: ExpectedParts): Evidence['expected'] {
  const valueOf = (operation: string) =>
    installed?.readings[operation]?.failure === null ? installed.readings[operation].value : null
  const modem = valueOf('modem.information')
  const card = modem === null || typeof modem !== 'object' ? undefined : cardOf(modem as Parameters<typeof cardOf>[0])
  const simId = card?.id ? card.id : null
  const { apn: set } = (lastSet?.input ?? {}) as { apn?: unknown }
  if (lastSet && typeof set === 'string' && set.trim() !== '' && lastSet.at > (installed?.takenAt ?? '')) {
    return { apn: set.trim(), simId, from: message('chain.expected.set', { setAt: lastSet.at }) }
  }
  const { APN: was } = (valueOf('modem.configuration') ?? {}) as { APN?: unknown }
  if (installed === null) return { apn: null, simId: null, from: null }
  return {
    apn: typeof was === 'string' && was.trim() !== '' ? was.trim() : null,
    simId,
    from: message('chain.expected.installed', { takenAt: installed.takenAt })
  }
}
