import type { SaidNumber } from '../../../../preload/contract/job/jobSeen.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import { inSteps, type Outcome } from './check.ts'

export const whoWords: Record<SaidNumber['who'], Message> = {
  label: message('identity.theLabel'),
  hostName: message('identity.theHostName'),
  modem: message('identity.theModem'),
  gateway: message('identity.theGateway')
}

/** A break of identity with both numbers, and the way out of it. */
export function otherNumber(outcome: Outcome, wanted: string, said: SaidNumber[]): Outcome {
  const other = said.find(({ isSame, says }) => !isSame && says !== null)
  const seen = /\d{15}/.exec(other?.says ?? '')?.[0] ?? other?.says ?? ''
  const digits = wanted.slice(-6)
  // A device that answers by its own name is on its own network, whatever the label says.
  const isElsewhere = said.some(({ who, isSame }) => who === 'hostName' && !isSame)
  const network = isElsewhere ? [message('identity.stepNetwork', { digits, imei: wanted })] : []
  return {
    ...inSteps(
      outcome,
      message('identity.stepLook'),
      ...network,
      message('identity.stepAside', { digits: seen.slice(-6) })
    ),
    other: { wanted, seen, said }
  }
}
