import { hash } from 'node:crypto'
import { hasEnded } from '../../../../main/gateway/waitingWork/transitions.ts'
import { Wrong, mayBeTwo } from './engine.ts'
import { movesOf } from './moves.ts'
import { firstWorld, isAtWork, nameOf, type Setup, type World } from './state.ts'

export interface Walked {
  states: number
  moves: number
  /** What went wrong, with the shortest way there; null where nothing did. */
  wrong: { what: string; way: string[] } | null
  /** Not all of it was walked: it was larger than allowed. */
  isCut: boolean
}

/** What must hold in every state. */
function assertHolds(world: World): void {
  // Whoever lost the job and has not heard of it works on.
  const isUnheard = (by: number): boolean => world.server.takenOver.some(({ from }) => from === by)
  const atWork = world.laptops.flatMap((laptop, by) => (isAtWork(laptop) && !isUnheard(by) ? [nameOf(by)] : []))
  if (atWork.length > 1 && !mayBeTwo(world, 'work')) throw new Wrong(`${atWork.join(' and ')} both work on the job`)
  for (const [by, { ops }] of world.laptops.entries()) {
    for (const { id, state } of ops) {
      if (state === 'done' && !world.effects.some(({ op }) => op === id))
        throw new Wrong(`${id} is done on ${nameOf(by)} and nothing was applied`)
    }
  }
}

/**
 * Nothing is lost: the job is offered to everyone, or one laptop works on it, and each operation has ended, or was
 * shown to a person.
 */
function isSound({ laptops, server }: World, kinds: Setup['kinds']): boolean {
  // Everybody sees it, and waits for a person.
  if (
    server.holder === null &&
    server.offers.some(({ takenBy, isWithdrawn }) => takenBy === null && !isWithdrawn) &&
    !laptops.some(isAtWork)
  )
    return true
  const alive = laptops.filter(({ isGone }) => !isGone)
  if (alive.filter((laptop) => isAtWork(laptop) && !laptop.isForked).length !== 1) return false
  return kinds.every((_, index) => {
    const rows = laptops.flatMap(({ ops, isGone }) =>
      ops.filter(({ id }) => id === `op${index + 1}`).map(({ state }) => ({ state, isGone }))
    )
    return (
      rows.length === 0 ||
      rows.some(
        ({ state, isGone }) =>
          (hasEnded(state) && state !== 'moved') || (!isGone && (state === 'needsAttention' || state === 'failed'))
      )
    )
  })
}

const keyOf = (text: string): string => hash('md5', text, 'base64')

/**
 * Walks every state of a small world, the nearest first, so that a failure comes with its shortest path. At the end:
 * from every state, automatic moves and people who want their work reach a sound one.
 */
export async function walk(setup: Setup, mostStates = Infinity): Promise<Walked> {
  const numbers = new Map<string, number>()
  const parents: number[] = []
  const names: string[] = []
  const healing: { from: number[]; to: number[] } = { from: [], to: [] }
  const sound: number[] = []
  let moves = 0
  let isCut = false
  let frontier: { number: number; text: string }[] = []
  let next: typeof frontier = []

  const wayTo = (number: number): string[] => {
    const way: string[] = []
    for (let at = number; at > 0; at = parents[at] ?? 0) way.push(names[at] ?? '')
    return way.reverse()
  }
  function enter(world: World, text: string, from: number, name: string): number {
    const key = keyOf(text)
    const known = numbers.get(key)
    if (known !== undefined) return known
    const number = numbers.size
    numbers.set(key, number)
    parents[number] = from
    names[number] = name
    assertHolds(world)
    if (isSound(world, setup.kinds)) sound.push(number)
    next.push({ number, text })
    return number
  }

  const result = (wrong: Walked['wrong']): Walked => ({ states: numbers.size, moves, wrong, isCut })
  const first = firstWorld(setup)
  enter(first, JSON.stringify(first), 0, '')
  for (frontier = next; frontier.length > 0; frontier = next) {
    next = []
    for (const { number, text } of frontier) {
      for (const move of movesOf(JSON.parse(text) as World, setup)) {
        const world = JSON.parse(text) as World
        try {
          if (!(await move.do(world))) continue
          const after = JSON.stringify(world)
          if (after === text) continue
          moves += 1
          const reached = enter(world, after, number, move.name)
          if (move.heals && reached !== number) {
            healing.from.push(number)
            healing.to.push(reached)
          }
        } catch (error) {
          if (!(error instanceof Wrong)) throw error
          return result({ what: error.message, way: [...wayTo(number), move.name] })
        }
      }
      if (numbers.size >= mostStates) {
        isCut = true
        next = []
        break
      }
    }
  }
  if (isCut) return result(null)
  const lost = firstWithoutWayOut(numbers.size, sound, healing)
  return result(
    lost === undefined
      ? null
      : {
          what: 'it never comes to rest: nobody has the job or some of its work, or two work on it, and nobody is told',
          way: wayTo(lost)
        }
  )
}

/** The first state from which no sound one is reached. */
function firstWithoutWayOut(
  size: number,
  sound: readonly number[],
  { from, to }: { from: number[]; to: number[] }
): number | undefined {
  const first = new Int32Array(size).fill(-1)
  const following = new Int32Array(to.length).fill(-1)
  for (let edge = 0; edge < to.length; edge += 1) {
    const end = to[edge] ?? 0
    following[edge] = first[end] ?? -1
    first[end] = edge
  }
  const isFine = new Uint8Array(size)
  const queue = [...sound]
  for (const number of queue) isFine[number] = 1
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (let edge = first[at] ?? -1; edge >= 0; edge = following[edge] ?? -1) {
      const before = from[edge] ?? 0
      if (isFine[before]) continue
      isFine[before] = 1
      queue.push(before)
    }
  }
  const at = isFine.indexOf(0)
  return at < 0 ? undefined : at
}
