/**
 * One output of one device as this Fitter knows it, and what may happen to it next. It does nothing itself: the controller
 * carries out the effects and returns the events. Small enough that a test walks all its paths.
 * Three rules: the ledger is written before "on" is sent; only a reading from the right device ends an entry, and only when
 * no "on" can still take effect; and everything unclear leads to "off".
 */
export interface OutputState {
  /** claimed: its conditions are watched. goingOn: "on" may have been sent. goingOff: it must go off, however often tried. */
  phase: 'off' | 'claimed' | 'goingOn' | 'on' | 'goingOff'
  /** The ledger has an entry for it. */
  isInLedger: boolean
  /** The sent "on" took effect, or never will: nothing comes on late. */
  isOnSettled: boolean
  /** It was answered. Together with a reading of "on" it has taken effect; a reading alone may show another Fitter's. */
  isOnAnswered: boolean
}

export type OutputEvent =
  /** A check, a screen or a command wants to work with it. */
  | 'claimed'
  | 'released'
  /** The person armed it, every condition is met and the device confirmed its identity. */
  | 'armed'
  | 'ledgerWritten'
  | 'ledgerFailed'
  /** The device cannot have received "on", or refused it. */
  | 'onRefused'
  /** It is unknown whether "on" arrived. */
  | 'onLost'
  /** It was answered, which proves nothing yet. */
  | 'onAnswered'
  /** Readings requested after the last command, from the right device. */
  | 'readOn'
  | 'readOff'
  /** A person, a condition, the time, the end of Fitter: it must not stay on. */
  | 'mustGoOff'
  /** From now on a sent "on" can no longer take effect. */
  | 'lateOnOver'
  /** A person checked the relay itself. */
  | 'personSawOff'
  /** An earlier run's ledger says that it may be on. */
  | 'foundInLedger'
  | 'ledgerCleared'

/** What the controller must do now. `proveOff`: "off" if it does not read off, and a reading, until that proves it. */
export type OutputEffect = 'writeLedger' | 'sendOn' | 'proveOff' | 'clearLedger' | 'refuse'

export const startState: OutputState = { phase: 'off', isInLedger: false, isOnSettled: true, isOnAnswered: false }

export function nextState(state: OutputState, event: OutputEvent): { state: OutputState; effects: OutputEffect[] } {
  const stay = (...effects: OutputEffect[]) => ({ state, effects })
  const go = (change: Partial<OutputState>, ...effects: OutputEffect[]) => ({ state: { ...state, ...change }, effects })
  switch (event) {
    case 'claimed':
      return state.phase === 'off' ? go({ phase: 'claimed' }) : stay('refuse')
    case 'released':
      return state.phase === 'claimed' ? go({ phase: 'off' }) : stay()
    case 'armed':
      return state.phase === 'claimed' ? stay('writeLedger') : stay('refuse')
    case 'ledgerWritten':
      return state.phase === 'claimed'
        ? go({ phase: 'goingOn', isInLedger: true, isOnSettled: false, isOnAnswered: false }, 'sendOn')
        : stay()
    case 'ledgerFailed':
      return stay('refuse')
    case 'onRefused':
      return state.phase === 'goingOn' ? go({ phase: 'goingOff', isOnSettled: true }, 'proveOff') : stay()
    case 'onLost':
      return stay()
    case 'onAnswered':
      return state.isInLedger ? go({ isOnAnswered: true }) : stay()
    case 'readOn':
      if (state.phase === 'goingOn') return go({ phase: 'on', isOnSettled: state.isOnAnswered })
      return state.phase === 'goingOff'
        ? go({ isOnSettled: state.isOnSettled || state.isOnAnswered }, 'proveOff')
        : stay()
    case 'readOff':
      // Someone else, or the device itself, switched it off: treated like any other "off".
      if (state.phase === 'on') return go({ phase: 'goingOff' }, 'proveOff')
      if (state.phase !== 'goingOff') return stay()
      return state.isOnSettled ? stay('clearLedger') : stay()
    case 'mustGoOff':
      if (state.phase === 'claimed') return go({ phase: 'off' })
      return state.phase === 'goingOn' || state.phase === 'on' ? go({ phase: 'goingOff' }, 'proveOff') : stay()
    case 'lateOnOver':
      // Only a reading from now on proves anything.
      return state.phase === 'goingOff' && !state.isOnSettled ? go({ isOnSettled: true }, 'proveOff') : stay()
    case 'personSawOff':
      return state.isInLedger ? go({ phase: 'goingOff' }, 'clearLedger') : stay()
    case 'foundInLedger':
      return {
        state: { phase: 'goingOff', isInLedger: true, isOnSettled: false, isOnAnswered: false },
        effects: ['proveOff']
      }
    case 'ledgerCleared':
      return state.isInLedger ? go({ phase: 'off', isInLedger: false, isOnSettled: true }) : stay()
  }
}
