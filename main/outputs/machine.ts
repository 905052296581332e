/**
 * One output of one device as far as this Fitter knows it, and what may happen to it next. Nothing is done here: the
 * controller carries the effects out and comes back with what happened. Small enough that a test walks all its paths.
 *
 * Three rules carry it: the ledger is written before "on" leaves; only a reading by the right device ends an entry, and
 * only when no "on" can take effect any more; and whatever is not understood leads to "off".
 */
export interface OutputState {
  /**
   * off: not ours, or proved off. claimed: somebody watches its conditions. goingOn: "on" may have left. on: it reads on.
   * goingOff: it has to go off, as often as that takes.
   */
  phase: 'off' | 'claimed' | 'goingOn' | 'on' | 'goingOff'
  /** An entry of the ledger stands for it. */
  isInLedger: boolean
  /** The one "on" that was sent took effect, or never will: nothing comes on late. */
  isOnSettled: boolean
  /** It was answered. With that and a reading of "on" it has taken effect; a reading alone may show another Fitter's. */
  isOnAnswered: boolean
}

export type OutputEvent =
  /** A check, a screen or a command wants to work with it. */
  | 'claimed'
  | 'released'
  /** The person armed it, every condition holds and the device proved who it is. */
  | 'armed'
  | 'ledgerWritten'
  | 'ledgerFailed'
  /** The device cannot have got "on", or said no to it. */
  | 'onRefused'
  /** Nobody knows whether "on" arrived. */
  | 'onLost'
  /** It was answered, which proves nothing yet. */
  | 'onAnswered'
  /** Readings that were asked for after the last command, by the device that is the right one. */
  | 'readOn'
  | 'readOff'
  /** A person, a condition, the time, the end of Fitter: it must not stay on. */
  | 'mustGoOff'
  /** From now on an "on" that was sent can no longer take effect. */
  | 'lateOnOver'
  /** A person looked at the relay itself. */
  | 'personSawOff'
  /** The ledger of an earlier run says that it may be on. */
  | 'foundInLedger'
  | 'ledgerCleared'

/** What the controller has to do now. `proveOff`: "off" where it does not read off, and a reading, until that proves it. */
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
      return state.phase === 'claimed' ? go({ phase: 'goingOn', isInLedger: true, isOnSettled: false, isOnAnswered: false }, 'sendOn') : stay()
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
      return state.phase === 'goingOff' ? go({ isOnSettled: state.isOnSettled || state.isOnAnswered }, 'proveOff') : stay()
    case 'readOff':
      // Somebody else, or the device itself, switched it off: it is dealt with like any other "off".
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
      return { state: { phase: 'goingOff', isInLedger: true, isOnSettled: false, isOnAnswered: false }, effects: ['proveOff'] }
    case 'ledgerCleared':
      return state.isInLedger ? go({ phase: 'off', isInLedger: false, isOnSettled: true }) : stay()
  }
}
