import type { Diagnosis } from '../../../preload/contract/diagnosis.ts'
import type { Message } from '../../../preload/contract/messages.ts'

/** A witness that could not be heard, why, and where a person goes to change that. */
export interface WayToKnow {
  who: 'noDevice' | 'device' | 'noGateway' | 'gateway'
  why: Message | null
  to: 'devices' | 'signIn' | 'settings' | null
}

/** What is missing to know more. */
export function waysToKnow({ device, gateway }: Diagnosis): WayToKnow[] {
  const ways: WayToKnow[] = []
  if (device === null) ways.push({ who: 'noDevice', why: null, to: 'devices' })
  else if (device.state !== 'answers' && device.state !== 'asking') ways.push({ who: 'device', why: device.why, to: device.state === 'locked' ? 'signIn' : 'devices' })
  if (gateway === null || gateway.state === 'signedOut') ways.push({ who: 'noGateway', why: null, to: 'settings' })
  else if (gateway.state === 'away' || gateway.state === 'notShown') ways.push({ who: 'gateway', why: gateway.why, to: null })
  return ways
}
