import type { Message } from '../../contract/messages.ts'

/** The gateway's own text may contain anything: a headline uses only Fitter's. */
export function withoutQuote(why: Message | null): Message | null {
  const what = why?.id === 'gateway.itSays' ? why.values['what'] : null
  return what && typeof what === 'object' && 'id' in what ? what : why
}
