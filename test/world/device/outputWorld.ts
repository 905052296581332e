import type {
  mayOnLeave as MayOnLeave,
  nextState as NextState,
  OutputEffect,
  OutputEvent,
  OutputState
} from '../../../main/job/outputs/machine.ts'

/**
 * Everything that can happen around one output: a relay, a device that is exchanged or gone, requests and answers that
 * are lost, late or doubled, a second Fitter, a disk that fails, and a process that dies at any moment. One step at a
 * time, so that all of them can be walked.
 */
export interface World {
  /** What Fitter knows; null while it does not run. */
  fitter: OutputState | null
  /** What it does next, because the machine said so. */
  todo: OutputEffect | null
  /** The row on the disk; `settled`: with the note that nothing comes on late. */
  ledger: 'none' | 'open' | 'settled'
  relay: 'off' | 'onByUs' | 'onByOthers'
  /** Our "on" waits for its turn to leave, or was taken back while it waited. */
  queued: 'none' | 'waits' | 'takenBack'
  /** Our "on" is on its way: it may still take effect. */
  isLate: boolean
  /** The device has answered our "on", and the answer may still arrive. */
  isAnswerOnItsWay: boolean
  /** The last reading since it must go off showed it on. */
  isShownOn: boolean
  place: 'ours' | 'other' | 'gone'
}

export interface Machine {
  nextState: typeof NextState
  mayOnLeave: typeof MayOnLeave
  startState: OutputState
}

export interface Step {
  what: string
  world: World
}

/** The first thing that must never be: undefined in a world that is well. */
export function whatIsWrong({ fitter, todo, ledger, relay, isLate, queued }: World): string | undefined {
  if (relay === 'onByUs' && ledger === 'none') return 'the relay is on by us, and no ledger says so'
  if (isLate && ledger === 'none') return 'an "on" may still take effect, and no ledger says so'
  if (!fitter) return undefined
  if (fitter.isInLedger !== (ledger !== 'none') && todo !== 'writeLedger')
    return 'what is shown is not what the ledger says'
  if (fitter.phase === 'claimed' && ledger !== 'none') return 'it can be switched on once more while it may be on'
  if (todo === 'sendOn' && ledger === 'none') return '"on" leaves before the ledger is written'
  if (queued === 'waits' && fitter.phase !== 'goingOn') return '"on" may still leave after something meant "off"'
  return undefined
}

export function startWorld({ startState }: Machine): World {
  return {
    fitter: startState,
    todo: null,
    ledger: 'none',
    relay: 'off',
    queued: 'none',
    isLate: false,
    isAnswerOnItsWay: false,
    isShownOn: false,
    place: 'ours'
  }
}

/** All that may happen next. */
export function stepsFrom(world: World, machine: Machine): Step[] {
  const steps: Step[] = []
  const add = (what: string, change: Partial<World>) => steps.push({ what, world: { ...world, ...change } })
  const { fitter, todo, relay, place } = world
  if (!fitter) {
    add('Fitter starts', started(world, machine))
    return [...steps, ...around(world)]
  }
  const told = (event: OutputEvent, change: Partial<World> = {}) =>
    take({ ...world, ...change, todo: null }, event, machine)
  const say = (what: string, event: OutputEvent, change: Partial<World> = {}) =>
    steps.push({ what, world: told(event, change) })

  add('Fitter is killed', { fitter: null, todo: null, queued: 'none', isAnswerOnItsWay: false, isShownOn: false })
  if (todo === 'writeLedger') {
    say('the ledger is written', 'ledgerWritten', { ledger: 'open' })
    say('the disk is full', 'ledgerFailed')
    add('Fitter is killed with the ledger written', { fitter: null, todo: null, ledger: 'open' })
    return [...steps, ...around(world)]
  }
  const meansOff = (): void => {
    // What is to be sent is still to be sent: only the machine takes it back.
    for (const why of ['the position is lost', 'motion can no longer be read', 'a person, or the time'])
      steps.push({ what: `${why}: off`, world: { ...told('mustGoOff'), todo } })
  }
  if (todo === 'sendOn') {
    if (machine.mayOnLeave(fitter)) add('"on" waits for its turn', { todo: null, queued: 'waits' })
    else say('"on" does not leave any more', 'onRefused')
    meansOff()
    return [...steps, ...around(world)]
  }
  if (world.queued === 'waits') {
    if (place === 'ours') {
      for (const answer of [false, true])
        add(`"on" takes effect, ${answer ? 'and is answered' : 'the answer is lost'}`, {
          queued: 'none',
          relay: 'onByUs',
          isAnswerOnItsWay: answer
        })
      add('"on" is under way for long', { queued: 'none', isLate: true })
      add('Fitter is killed with "on" under way', { fitter: null, queued: 'none', isLate: true })
      say('the device says no to "on"', 'onRefused', { queued: 'none' })
    } else say('"on" is not sent', 'onRefused', { queued: 'none' })
    add('"on" is lost', told('onLost', { queued: 'none' }))
    meansOff()
    return [...steps, ...around(world)]
  }
  if (todo === 'clearLedger') {
    say('the ledger is cleared', 'ledgerCleared', { ledger: 'none', isShownOn: false })
    add('the ledger cannot be cleared', { todo: null })
    add('Fitter is killed with the ledger cleared', {
      fitter: null,
      todo: null,
      queued: 'none',
      isAnswerOnItsWay: false,
      isShownOn: false,
      ledger: 'none'
    })
    return [...steps, ...around(world)]
  }

  if (world.queued === 'takenBack') say('"on" was taken back', 'onRefused', { queued: 'none' })
  if (world.isAnswerOnItsWay) {
    say('the answer to "on" comes', 'onAnswered', { isAnswerOnItsWay: false })
    say('the answer to "on" comes, and will come once more', 'onAnswered')
    add('the answer to "on" is lost', { isAnswerOnItsWay: false })
  }
  say('somebody claims it', 'claimed')
  say('it is released', 'released')
  if (fitter.phase === 'claimed' && place === 'ours' && relay === 'off')
    say('it is armed', 'armed', { isAnswerOnItsWay: false })
  meansOff()
  if (fitter.phase === 'goingOn') say('nothing shows it on in time', 'onExpired')
  const isRead = (event: 'readOn' | 'readOff' | 'unread'): Partial<World> => ({
    isShownOn: fitter.phase === 'goingOff' && event === 'readOn'
  })
  if (place === 'ours') {
    const event = relay === 'off' ? 'readOff' : 'readOn'
    say('it is read', event, isRead(event))
  } else say('it cannot be read', 'unread', isRead('unread'))
  if (fitter.phase === 'goingOff' && place === 'ours') {
    add('"off" takes effect', { relay: 'off' })
    say('"off" takes effect and is read', 'readOff', { relay: 'off', ...isRead('readOff') })
  }
  // The time of an "on" begins anew when it leaves.
  if (!world.isLate && world.queued === 'none') say('the time of a late "on" is over', 'lateOnOver')
  if (fitter.isInLedger) {
    say('a person takes the fuse out', 'personSawOff', { relay: 'off' })
    // Whoever says that what Fitter has on, or reads on, is off looks at another relay.
    if (fitter.phase !== 'goingOff' || world.isShownOn) say('a person looks at another relay', 'personSawOff')
  }
  return [...steps, ...around(world)]
}

/** What happens without Fitter. */
function around(world: World): Step[] {
  const steps: Step[] = []
  const add = (what: string, change: Partial<World>) => steps.push({ what, world: { ...world, ...change } })
  if (world.isLate) {
    if (world.place === 'ours') add('the late "on" takes effect', { relay: 'onByUs', isLate: false })
    add('the late "on" is lost for good', { isLate: false })
  }
  if (world.relay === 'off' && world.place === 'ours') add('another Fitter switches it on', { relay: 'onByOthers' })
  if (world.relay === 'onByOthers') add('another Fitter switches it off', { relay: 'off' })
  for (const place of ['ours', 'other', 'gone'] as const)
    if (place !== world.place) add(`the device is ${place}`, { place })
  return steps
}

function started(world: World, machine: Machine): World {
  const base: World = { ...world, todo: null, queued: 'none', isAnswerOnItsWay: false, isShownOn: false }
  if (world.ledger === 'none') return { ...base, fitter: machine.startState }
  const found = take({ ...base, fitter: machine.startState }, 'foundInLedger', machine)
  return world.ledger === 'settled' ? take(found, 'lateOnOver', machine) : found
}

function take(world: World, event: OutputEvent, { nextState }: Machine): World {
  if (!world.fitter) return world
  const { state, effects } = nextState(world.fitter, event)
  const isSettledNow = state.isOnSettled && !world.fitter.isOnSettled && state.isInLedger
  const todo =
    effects.find((effect) => effect === 'writeLedger' || effect === 'sendOn' || effect === 'clearLedger') ?? null
  const queued = world.queued === 'waits' && effects.includes('takeBackOn') ? 'takenBack' : world.queued
  return {
    ...world,
    fitter: state,
    todo,
    queued,
    ledger: isSettledNow && world.ledger === 'open' ? 'settled' : world.ledger
  }
}

export interface Walk {
  worlds: number
  steps: number
  /** The shortest way to something that must never be. */
  wrong: string[] | undefined
}

/** Walks all worlds that can be reached. */
export function walkAll(machine: Machine): Walk & { all: World[] } {
  const start = startWorld(machine)
  const cameFrom = new Map<string, { from: string; what: string } | null>([[JSON.stringify(start), null]])
  const all: World[] = [start]
  let steps = 0
  const wayTo = (key: string): string[] => {
    const step = cameFrom.get(key)
    return step ? [...wayTo(step.from), step.what] : []
  }
  for (let at = 0; at < all.length; at++) {
    const world = all[at]!
    const from = JSON.stringify(world)
    for (const { what, world: next } of stepsFrom(world, machine)) {
      steps += 1
      const key = JSON.stringify(next)
      if (cameFrom.has(key)) continue
      cameFrom.set(key, { from, what })
      const wrong = whatIsWrong(next)
      if (wrong !== undefined) return { worlds: all.length, steps, wrong: [...wayTo(key), `WRONG: ${wrong}`], all }
      all.push(next)
    }
  }
  return { worlds: all.length, steps, wrong: undefined, all }
}

/**
 * From here on nothing goes wrong any more, and nobody switches on: whether it ends off, with nothing left in the
 * ledger.
 */
export function endsOff(world: World, machine: Machine): boolean {
  const good = [
    'Fitter starts',
    'the ledger is written',
    'the ledger is cleared',
    '"on" waits for its turn',
    '"on" does not leave any more',
    '"on" was taken back',
    '"on" takes effect, and is answered',
    'the answer to "on" comes',
    'the late "on" takes effect',
    'another Fitter switches it off',
    'the device is ours',
    'a person, or the time: off',
    '"off" takes effect and is read',
    'the time of a late "on" is over',
    'it is released'
  ]
  let now = world
  for (let turn = 0; turn < 60; turn++) {
    if (now.relay === 'off' && now.ledger === 'none' && !now.isLate) return true
    const steps = stepsFrom(now, machine)
    const key = JSON.stringify(now)
    const next = good
      .map((what) => steps.find((step) => step.what === what && JSON.stringify(step.world) !== key))
      .find((step) => step !== undefined)
    if (!next) return false
    now = next.world
  }
  return false
}
