/** The shapes of a status. Each appears with a word and a colour; none of the three appears alone. */
export type Shape =
  'pass' | 'warn' | 'fail' | 'live' | 'wait' | 'defer' | 'waived' | 'unknown' | 'none' | 'sent' | 'received'

/** The colour of a shape: the name of a token. */
export const shapeTone: Record<Shape, 'pass' | 'warn' | 'fail' | 'live' | 'wait' | 'defer'> = {
  pass: 'pass',
  warn: 'warn',
  fail: 'fail',
  live: 'live',
  wait: 'wait',
  defer: 'defer',
  waived: 'warn',
  unknown: 'warn',
  none: 'wait',
  sent: 'wait',
  received: 'wait'
}
