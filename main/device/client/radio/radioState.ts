import { hasIp } from '../facts.ts'

/** Values of `state` for an interface that is up, and for one that is joining a network. */
const onWords =
  /^(enabled|completed|scanning|inactive|disconnected|associating|associated|authenticating|4way_handshake|group_handshake)$/i
const offWords = /^(disabled|interface_disabled)$/i

interface RadioAnswer {
  state?: string | undefined
  connected?: boolean | undefined
  ip?: string | undefined
}

/** Whether an interface is up; undefined for a state that nobody documents. */
export function isRadioUp({ state }: RadioAnswer): boolean | undefined {
  const word = state?.trim() ?? ''
  return onWords.test(word) ? true : offWords.test(word) ? false : undefined
}

/**
 * Whether the Wi-Fi is connected to a network. Systems that leave out `connected` tell it by the state, or by an
 * address.
 */
export function isJoined(answer: RadioAnswer): boolean {
  if (isRadioUp(answer) !== true) return false
  return answer.connected ?? (/^completed$/i.test(answer.state?.trim() ?? '') || hasIp(answer.ip))
}
