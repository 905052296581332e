/**
 * One output as this Fitter knows it, and what may happen to it next, whether it is switched at the device or through
 * the gateway: both controllers carry out the effects of this one table and return the events. It does nothing itself,
 * and is small enough that a test walks all its paths. Four rules: the ledger is written before "on" is sent; whatever
 * means "off" takes back an "on" that has not left; only a reading from the right device ends an entry, and only when
 * no "on" can still take effect, or the word of a person about an output that
 * Fitter does not have on and nobody reads on; and everything unclear leads to "off".
 */
export interface OutputState {
  /**
   * claimed: its conditions are watched. goingOn: "on" may have been sent. goingOff: it must go off, however often
   * tried.
   */
  phase: OutputPhase
  /** The ledger has an entry for it. */
  isInLedger: boolean
  /** The sent "on" took effect, or never will: nothing comes on late. */
  isOnSettled: boolean
  /**
   * It was answered. Together with a reading of "on" it has taken effect; a reading alone may show another Fitter's.
   */
  isOnAnswered: boolean
  /** The last reading while it must go off; undefined while it cannot be read. */
  isReadOn: boolean | undefined
}

export type OutputPhase = 'off' | 'claimed' | 'goingOn' | 'on' | 'goingOff'

export const outputEvents = [
  /** A check, a screen or a command wants to work with it. */
  'claimed',
  'released',
  /** The person armed it, every condition is met and the device confirmed its identity. */
  'armed',
  'ledgerWritten',
  'ledgerFailed',
  /** "On" never left, or was refused: it has no effect. */
  'onRefused',
  /** It is unknown whether "on" arrived. */
  'onLost',
  /** It was answered, which proves nothing yet. */
  'onAnswered',
  /**
   * Nothing showed its effect in time. Through the gateway a person decides then: a command is never repeated there.
   */
  'onExpired',
  /** Readings requested after the last command, from the right device. */
  'readOn',
  'readOff',
  /** It cannot be read now. */
  'unread',
  /**
   * Every intent that means "off": a person, All off, a condition, the time, the end of a job or page, sign-out,
   * quitting, a signal.
   */
  'mustGoOff',
  /** From now on a sent "on" can no longer take effect. */
  'lateOnOver',
  /** A person checked the relay itself. */
  'personSawOff',
  /** An earlier run's ledger says that it may be on. */
  'foundInLedger',
  'ledgerCleared'
] as const
export type OutputEvent = (typeof outputEvents)[number]

/**
 * What the controller must do now. `takeBackOn`: an "on" that has not left never leaves. `proveOff`: "off" if it does
 * not read off, and a reading, until that proves it.
 */
export type OutputEffect = 'writeLedger' | 'sendOn' | 'takeBackOn' | 'proveOff' | 'clearLedger' | 'refuse'

interface Rule {
  /** The first rule whose condition is met applies. */
  when?: (state: OutputState) => boolean
  to?: OutputPhase
  change?: (state: OutputState) => Partial<OutputState>
  effects?: readonly OutputEffect[]
}

export const startState: OutputState = {
  phase: 'off',
  isInLedger: false,
  isOnSettled: true,
  isOnAnswered: false,
  isReadOn: undefined
}

const refused: Rule = { effects: ['refuse'] }
const nothingLate = (): Partial<OutputState> => ({ isOnSettled: true })
/** Someone else, or the device itself, switched it: treated like any other "off". */
const falls: Rule = { to: 'goingOff', effects: ['takeBackOn', 'proveOff'] }
const found: Rule = {
  to: 'goingOff',
  change: () => ({ isInLedger: true, isOnSettled: false, isOnAnswered: false, isReadOn: undefined }),
  effects: ['proveOff']
}
const cleared: Rule = {
  when: ({ isInLedger }) => isInLedger,
  to: 'off',
  change: () => ({ isInLedger: false, isOnSettled: true, isReadOn: undefined })
}
const inEveryPhase = (rule: Rule) => ({ off: rule, claimed: rule, goingOn: rule, on: rule, goingOff: rule })
const answered: Rule = { when: ({ isInLedger }) => isInLedger, change: () => ({ isOnAnswered: true }) }
/** No "on" can come late, and nothing reads it on. */
const mayEndByWord = ({ isInLedger, isOnSettled, isReadOn }: OutputState): boolean =>
  isInLedger && isOnSettled && isReadOn !== true

/** What each event leads to, by phase. What is not here changes nothing and asks for nothing. */
export const outputRules: Readonly<Record<OutputEvent, Partial<Record<OutputPhase, Rule | readonly Rule[]>>>> = {
  claimed: { ...inEveryPhase(refused), off: { to: 'claimed' } },
  released: { claimed: { to: 'off' } },
  armed: { ...inEveryPhase(refused), claimed: { effects: ['writeLedger'] } },
  ledgerWritten: {
    claimed: {
      to: 'goingOn',
      change: () => ({ isInLedger: true, isOnSettled: false, isOnAnswered: false, isReadOn: undefined }),
      effects: ['sendOn']
    }
  },
  ledgerFailed: inEveryPhase(refused),
  onRefused: {
    goingOn: { to: 'goingOff', change: nothingLate, effects: ['proveOff'] },
    goingOff: {
      when: ({ isOnSettled, isOnAnswered }) => !isOnSettled && !isOnAnswered,
      change: nothingLate,
      effects: ['proveOff']
    }
  },
  onLost: {},
  onAnswered: { goingOn: answered, on: answered, goingOff: answered },
  onExpired: { goingOn: { to: 'goingOff' } },
  readOn: {
    goingOn: { to: 'on', change: ({ isOnAnswered }) => ({ isOnSettled: isOnAnswered }) },
    goingOff: {
      change: ({ isOnSettled, isOnAnswered }) => ({ isReadOn: true, isOnSettled: isOnSettled || isOnAnswered }),
      effects: ['proveOff']
    }
  },
  readOff: {
    on: falls,
    goingOff: [
      { when: ({ isOnSettled }) => isOnSettled, change: () => ({ isReadOn: false }), effects: ['clearLedger'] },
      { change: () => ({ isReadOn: false }) }
    ]
  },
  unread: { goingOff: { change: () => ({ isReadOn: undefined }) } },
  mustGoOff: { claimed: { to: 'off', effects: ['takeBackOn'] }, goingOn: falls, on: falls },
  // Only a reading from now on proves anything.
  lateOnOver: { goingOff: { when: ({ isOnSettled }) => !isOnSettled, change: nothingLate, effects: ['proveOff'] } },
  personSawOff: { ...inEveryPhase(refused), goingOff: [{ when: mayEndByWord, effects: ['clearLedger'] }, refused] },
  foundInLedger: inEveryPhase(found),
  ledgerCleared: inEveryPhase(cleared)
}

/** The next state and what must be done. */
export function nextState(
  state: OutputState,
  event: OutputEvent
): { state: OutputState; effects: readonly OutputEffect[] } {
  const rules = outputRules[event][state.phase] ?? []
  const rule = [rules].flat().find(({ when }) => when?.(state) ?? true) as Rule | undefined
  if (!rule) return { state, effects: [] }
  const next = { ...state, ...(rule.to && { phase: rule.to }), ...rule.change?.(state) }
  const isSame = (Object.keys(state) as (keyof OutputState)[]).every((name) => next[name] === state[name])
  return { state: isSame ? state : next, effects: rule.effects ?? [] }
}

/** Asked right before the first byte of "on": whatever meant "off" since it was armed has taken it back. */
export const mayOnLeave = ({ phase }: OutputState): boolean => phase === 'goingOn'

/**
 * Whether a person who checked the relay may end its entry: Fitter does not have it on, and nothing contradicts the
 * person.
 */
export const mayConfirmOff = (state: OutputState): boolean => state.phase === 'goingOff' && mayEndByWord(state)
