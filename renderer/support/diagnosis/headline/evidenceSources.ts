import type { Diagnosis } from '../../../../preload/contract/support/diagnosis.ts'
import type { Message } from '../../../../preload/contract/messages.ts'

/** A witness that could not be asked, the reason, and where to fix it. */
export interface EvidenceSource {
  who: 'noDevice' | 'device' | 'noGateway' | 'gateway'
  why: Message | null
  to: 'devices' | 'signIn' | 'settings' | null
}

/** The sources that could add information and are missing. */
export function evidenceSources({ device, gateway }: Diagnosis): EvidenceSource[] {
  const ways: EvidenceSource[] = []
  if (device === null) ways.push({ who: 'noDevice', why: null, to: 'devices' })
  else if (device.state !== 'answers' && device.state !== 'asking')
    ways.push({ who: 'device', why: device.why, to: device.state === 'locked' ? 'signIn' : 'devices' })
  if (gateway === null || gateway.state === 'signedOut')
    ways.push({ who: 'noGateway', why: gateway?.why ?? null, to: 'settings' })
  else if (gateway.state === 'away' || gateway.state === 'notShown')
    ways.push({ who: 'gateway', why: gateway.why, to: null })
  return ways
}
