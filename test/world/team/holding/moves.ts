import { arrivalOf, type HandedOverOperation } from '../../../../main/gateway/waitingWork/handover/handedOver.ts'
import { hasEnded } from '../../../../main/gateway/waitingWork/transitions.ts'
import { whatIsHere } from '../../../../main/job/jobs/handover/whatIsHere.ts'
import type { ReadFile } from '../../../../main/job/jobs/handover/readFile.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { Wrong, applyEffect, laptopAt as at, networks, openEngine } from './engine.ts'
import { callServer, type Answer } from './server.ts'
import {
  isAtWork,
  isBeginning,
  nameOf,
  newOperation,
  type LaptopState,
  type OperationState1,
  type Parcel,
  type ServerCall,
  type Setup,
  type World
} from './state.ts'

/**
 * A possible next move. `heals`: it happens automatically or by people who want their work, if nothing else goes wrong.
 */
export interface Move {
  name: string
  heals: boolean
  /** False: nothing came of it. */
  do(world: World): Promise<boolean> | boolean
}

const text = plainMessage('')

/** A log as the rules of main/job/jobs/handover read it. */
function entriesOf(log: readonly string[]): ReadFile['jobs'][number]['entries'] {
  return log.map((label, at) => {
    const [type = '', id = ''] = label.split(' ')
    return {
      seq: at + 1,
      at: '',
      stepId: null,
      type: type === 'away' ? 'movedAway' : type === 'here' ? 'movedHere' : type,
      data: { id },
      hash: log.slice(0, at + 1).join('/')
    }
  })
}

/** What the logs say of taking this here; null: the log here went on otherwise. */
function judge(laptop: LaptopState, parcel: Pick<Parcel, 'id' | 'log'>): ReturnType<typeof whatIsHere> | null {
  try {
    return whatIsHere(
      { head: { id: parcel.id } as ReadFile['head'], jobs: [{ id: 'job', entries: entriesOf(parcel.log) }] },
      () => entriesOf(laptop.log)
    )
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** The log and the work of a job come to a laptop, in one transaction. */
function adopt(world: World, to: number, parcel: Parcel, how: 'given' | 'takenBack' | 'takenOver', setup: Setup): void {
  const laptop = at(world, to)
  const { without } = setup
  if (!isBeginning(laptop.log, parcel.log))
    throw new Wrong(`The log of ${nameOf(to)} is gone: another one was put in its place`)
  laptop.log = [...parcel.log, `here ${parcel.id} ${nameOf(to)}`]
  laptop.isLost = false
  laptop.away = null
  const isSinceNow = without === 'what appeared since it was wanted may be ours'
  const givenAtMs = isSinceNow ? world.effects.length : parcel.atMs
  const createdAt = isSinceNow ? new Date(givenAtMs).toISOString() : new Date(0).toISOString()
  const coming = parcel.ops.flatMap((given) => {
    const present = laptop.ops.find(({ id }) => id === given.id)
    if (present && present.state !== 'moved' && hasEnded(present.state)) return []
    // As the log says it: what was never sent, by who gives it or by anybody before.
    const said = {
      ...given,
      claim: given.claim?.isUnsent === true ? null : given.claim,
      reason: text,
      isLive: false,
      createdAt
    }
    const { claim, state } = arrivalOf(said as unknown as HandedOverOperation, {
      from: '',
      givenAtMs,
      arrivedAtMs: givenAtMs,
      waitMs: 0,
      isFromLost: how === 'takenOver' && without !== 'after a take-over a person is asked',
      isSaidUnsent: how === 'given'
    })
    const op: OperationState1 = {
      ...given,
      state,
      claim,
      attempts: joinAttempts(present, given),
      isTakenOver: how === 'takenOver' && !hasEnded(state) ? true : given.isTakenOver
    }
    if (without === 'read back before anything else' && state === 'unknown')
      Object.assign(op, { state: 'pending', claim: null, isTakenOver: false })
    return [op]
  })
  laptop.ops = [...laptop.ops.filter(({ id }) => !coming.some((op) => op.id === id)), ...coming].sort((a, b) =>
    a.id < b.id ? -1 : 1
  )
  for (const { id, state } of coming) {
    delete laptop.waits[id]
    if (state === 'unknown') laptop.waits[id] = { since: world.sent, isAbsentOnce: false }
  }
}

/** Attempts that are known here stay; those that came are added, and end those that were open. */
function joinAttempts(present: OperationState1 | undefined, given: OperationState1): OperationState1['attempts'] {
  const made = present?.attempts ?? []
  return Array.from({ length: Math.max(made.length, given.attempts.length) }, (_, index) => {
    const here = made[index]
    const came = given.attempts[index]
    return here && (here.outcome !== null || !came) ? here : (came ?? { outcome: null, serverTimeMs: 0 })
  })
}

const copyOf = <T>(value: T): T => structuredClone(value)

/** Everything that can happen in this world. */
export function movesOf(world: World, setup: Setup): Move[] {
  const { without } = setup
  const moves: Move[] = []
  const add = (name: string, run: Move['do'], heals = true): void => void moves.push({ name, heals, do: run })
  const { left, server } = world

  /** A call of the team log: answered, its answer lost, given up and executed late, or doubled. */
  function call(
    name: string,
    by: number,
    make: (next: World) => ServerCall | undefined,
    then: (next: World, answer: Answer) => boolean,
    heals = true
  ): void {
    const asked = (next: World): ServerCall | undefined => copyOf(make(next))
    add(
      name,
      (next) => {
        const request = asked(next)
        return request !== undefined && then(next, callServer(next.server, request, by, without))
      },
      heals
    )
    if (left.lostReplies > 0) {
      add(
        `${name}, the answer is lost`,
        (next) => {
          const request = asked(next)
          const before = JSON.stringify(next.server)
          if (!request) return false
          next.left.lostReplies -= 1
          callServer(next.server, request, by, without)
          return JSON.stringify(next.server) !== before
        },
        false
      )
    }
    if (left.lateCalls > 0) {
      add(
        `${name}, given up and on its way`,
        (next) => {
          const request = asked(next)
          if (!request) return false
          next.left.lateCalls -= 1
          next.late.push({ call: request, by })
          return true
        },
        false
      )
      add(
        `${name}, and once more later`,
        (next) => {
          const request = asked(next)
          if (!request) return false
          next.left.lateCalls -= 1
          next.late.push({ call: request, by })
          return then(next, callServer(next.server, request, by, without))
        },
        false
      )
    }
  }

  for (const [by, laptop] of world.laptops.entries()) {
    if (laptop.isGone) continue
    const who = nameOf(by)
    const atWork = isAtWork(laptop)

    // The gateway's part: the shipped engine.
    const open = laptop.ops.filter(({ state }) => !hasEnded(state))
    for (const { id } of open.filter(({ state }) => state !== 'needsAttention' && state !== 'failed')) {
      for (const network of networks) {
        const dies = network.startsWith('dies')
        if (network !== 'answered' && (dies ? left.crashes : left.badNetwork) === 0) continue
        add(
          `${who} passes ${id} (${network})`,
          async (next) => {
            const { didSend } = await openEngine(next, by, setup, network).pass(id)
            if (network !== 'answered') {
              if (!didSend) return false
              next.left[dies ? 'crashes' : 'badNetwork'] -= 1
            }
            return true
          },
          network === 'answered'
        )
      }
    }
    for (const [id, { since }] of Object.entries(laptop.waits)) {
      // A request whose socket was closed before the grace time began was applied before it is over, or never will be.
      if (since !== null && !world.air.some(({ n }) => n <= since)) {
        add(`${who}: the grace time of ${id} is over`, (next) => {
          const wait = at(next, by).waits[id]
          if (wait) wait.since = null
          return true
        })
      }
    }
    if (left.crashes > 0 && open.length > 0) {
      add(
        `${who} dies and begins again`,
        (next) => {
          openEngine(next, by, setup).restart()
          next.left.crashes -= 1
          return true
        },
        false
      )
    }
    if (left.decisions > 0) {
      for (const { id } of open.filter(({ state }) => state === 'needsAttention' || state === 'failed')) {
        for (const state of ['pending', 'cancelled'] as const) {
          add(
            `${who}: a person ${state === 'pending' ? 'sends' : 'drops'} ${id}`,
            (next) => {
              openEngine(next, by, setup).decide(id, state)
              next.left.decisions -= 1
              return true
            },
            false
          )
        }
      }
    }

    // The job's part.
    if (atWork && left.entries > 0) {
      add(
        `${who} works`,
        (next) => {
          at(next, by).log.push(`work ${who}`)
          next.left.entries -= 1
          return true
        },
        false
      )
    }
    const queued = setup.kinds.findIndex(
      (_, index) => !world.laptops.some(({ ops }) => ops.some(({ id }) => id === `op${index + 1}`))
    )
    if (atWork && queued > 0) {
      add(
        `${who} wants op${queued + 1}`,
        (next) => {
          const mine = at(next, by)
          mine.log.push(`work ${who}`)
          mine.ops.push(newOperation(queued))
          return true
        },
        false
      )
    }
    const leave = (next: World, kind: 'team' | 'file', to: number | null): boolean => {
      const mine = at(next, by)
      const id = `h${mine.log.length}${who}`
      const ops = copyOf(mine.ops)
      mine.log.push(`away ${id} ${who}`)
      const parcel = { id, log: [...mine.log], ops, atMs: next.effects.length }
      if (without !== 'inert in the same instant') {
        const { moves: real } = openEngine(next, by, setup)
        for (const op of ops) if (!hasEnded(op.state)) real.move(op.id, 'moved', text)
      }
      mine.waits = {}
      mine.away = { parcel, to, by: kind, isOffered: false }
      if (kind === 'file') next.files.push(parcel)
      return true
    }
    if (atWork && left.offers > 0) {
      // To the first that takes it: the server decides who may.
      add(
        `${who} hands over by the team log`,
        (next) => {
          next.left.offers -= 1
          return leave(next, 'team', null)
        },
        false
      )
    }
    if (atWork && left.files > 0) {
      add(
        `${who} hands over in a file`,
        (next) => {
          next.left.files -= 1
          return leave(next, 'file', null)
        },
        false
      )
    }
    if (without === 'no file of what went by the team log' && laptop.away?.by === 'team' && left.files > 0) {
      const { parcel } = laptop.away
      add(
        `${who} makes a file of what it handed over`,
        (next) => {
          next.left.files -= 1
          next.files.push(copyOf(parcel))
          return true
        },
        false
      )
    }
    for (const [index, file] of world.files.entries()) {
      if ((judge(laptop, file)?.taken.length ?? 0) > 0) {
        add(`${who} takes the file ${file.id}`, (next) => {
          const taken = next.files[index]
          if (taken)
            adopt(
              next,
              by,
              copyOf(taken),
              judge(at(next, by), taken)?.outcome === 'takenBack' ? 'takenBack' : 'given',
              setup
            )
          return true
        })
      }
    }

    // The team log's part.
    if (laptop.log.length > 0 && !laptop.isLost) {
      call(
        `${who} pushes`,
        by,
        (next) => {
          const mine = at(next, by)
          // From now on someone may know it.
          mine.isPushed = true
          const left =
            mine.away !== null && without !== 'what left goes along until its new holder pushed'
              ? mine.away.parcel.ops
              : mine.ops.filter(({ state }) => !hasEnded(state))
          return { name: 'append', log: mine.log, ops: left, atMs: mine.away?.parcel.atMs ?? next.effects.length }
        },
        (next, answer) => {
          if (
            answer === 'heldByOther' &&
            isForgotten(next, by) &&
            without !== 'a take-over that the server forgot is made again'
          )
            callServer(next.server, { name: 'takeOver' }, by, without)
          else if (answer === 'heldByOther' && without !== 'a push that is refused is told') stop(next, by, null)
          else if (answer === 'fork' && without !== 'a push that is refused is told') at(next, by).isForked = true
          return true
        }
      )
    }
    const away = laptop.away
    if (away?.by === 'team') {
      const isListed = server.offers.some(({ parcel, isWithdrawn }) => parcel.id === away.parcel.id && !isWithdrawn)
      if (!away.isOffered || (!isListed && without !== 'an offer that the server forgot goes out again')) {
        call(
          `${who} offers`,
          by,
          (next) => {
            const mine = at(next, by).away
            return mine ? { name: 'offer', parcel: mine.parcel, to: mine.to } : undefined
          },
          (next, answer) => {
            const mine = at(next, by).away
            if (answer === 'done' && mine) mine.isOffered = true
            // It was withdrawn, and the answer to that was lost.
            const isBack =
              answer === 'withdrawn' &&
              (next.server.holder === by || next.server.holder === null) &&
              without !== 'what the server gave back is taken back here'
            if (isBack) adopt(next, by, copyOf(away.parcel), 'given', setup)
            return answer === 'done' || isBack
          }
        )
      }
      {
        const back = (next: World): void => {
          adopt(next, by, copyOf(away.parcel), 'given', setup)
        }
        if (without === 'taking back asks the server') {
          add(
            `${who} takes back`,
            (next) => {
              back(next)
              return true
            },
            false
          )
        }
        call(
          `${who} withdraws`,
          by,
          () => ({ name: 'withdraw', id: away.parcel.id }),
          (next, answer) => {
            if (answer !== 'done') return false
            // A restored server does not know the offer, and someone may have continued from it.
            if (isBeginning(next.server.log, at(next, by).log)) back(next)
            else stop(next, by, null)
            return true
          },
          false
        )
      }
      const isBack =
        server.offers.some(({ parcel, isWithdrawn }) => parcel.id === away.parcel.id && isWithdrawn) &&
        (server.holder === by || server.holder === null)
      if (isBack && without !== 'what the server gave back is taken back here') {
        add(`${who} learns that it has it back`, (next) => {
          adopt(next, by, copyOf(away.parcel), 'given', setup)
          return true
        })
      }
    }
    for (const offer of server.offers) {
      const { parcel, takenBy, isWithdrawn } = offer
      const fits =
        (judge(laptop, parcel)?.taken.length ?? 0) > 0 || without === 'a log that went on otherwise is not taken'
      const arrives = (next: World, answer: Answer): boolean => {
        if (
          answer === 'done' &&
          ((judge(at(next, by), parcel)?.taken.length ?? 0) > 0 ||
            without === 'a log that went on otherwise is not taken')
        )
          adopt(next, by, copyOf(parcel), 'given', setup)
        return answer === 'done'
      }
      if (takenBy === null && !isWithdrawn && offer.from !== by && fits)
        call(`${who} takes ${parcel.id}`, by, () => ({ name: 'take', id: parcel.id }), arrives)
      else if (takenBy !== null && takenBy !== by && without === 'one laptop takes an offer' && fits)
        call(`${who} takes ${parcel.id} too`, by, () => ({ name: 'take', id: parcel.id }), arrives)
      if (
        takenBy === by &&
        server.holder === by &&
        (judge(laptop, parcel)?.taken.length ?? 0) > 0 &&
        without !== 'what was taken and did not arrive comes with the next look'
      ) {
        add(`${who} receives ${parcel.id}`, (next) => {
          adopt(next, by, copyOf(parcel), 'given', setup)
          return true
        })
      }
    }
    const taken = (next: World): Parcel =>
      copyOf({
        id: `t${next.server.log.length}${who}`,
        log: longer(at(next, by).log, next.server.log),
        ops: next.server.work,
        atMs: next.server.workAtMs
      })
    const holder = server.holder === null ? undefined : world.laptops[server.holder]
    const canHold = (one: LaptopState): boolean => isBeginning(server.log, one.log) || isBeginning(one.log, server.log)
    const mayHold = !atWork && server.log.length > 0 && canHold(laptop)
    // A person takes over what nobody can go on with.
    const isHealing = holder
      ? holder.isGone || (!isAtWork(holder) && !canHold(holder))
      : world.laptops.some(({ isGone }) => isGone)
    if (mayHold && server.holder !== by && (left.takeOvers > 0 || isHealing)) {
      call(
        `${who} takes over`,
        by,
        () => ({ name: 'takeOver' }),
        (next, answer) => {
          if (answer !== 'done') return false
          next.left.takeOvers = Math.max(0, next.left.takeOvers - 1)
          adopt(next, by, taken(next), 'takenOver', setup)
          return true
        }
      )
    }
    const own = server.takenOver.at(-1)
    const isMineElsewhere = server.holder === by && own?.by === by && mayHold && !hasGoneOn(laptop, own)
    if (isMineElsewhere && without !== 'what was taken and did not arrive comes with the next look') {
      add(`${who} receives what it took over`, (next) => {
        adopt(next, by, taken(next), 'takenOver', setup)
        return true
      })
    }
    // A loss counts until the job came back.
    const last = server.takenOver.findLast((one) => one.from === by || one.by === by)
    const loss = server.holder === by || last?.by === by ? undefined : last
    if (
      loss &&
      !laptop.isLost &&
      laptop.log.length > 0 &&
      !hasGoneOn(laptop, loss) &&
      without !== 'whoever lost a job stops'
    ) {
      add(`${who} learns that it was taken over`, (next) => {
        stop(next, by, loss.ops)
        return true
      })
    }
    if (
      left.gone > 0 &&
      server.log.length > 0 &&
      !world.isSetBack &&
      laptop.ops.every(({ id, state }) => hasEnded(state) || server.work.some((op) => op.id === id))
    ) {
      add(
        `${who} is gone for good`,
        (next) => {
          at(next, by).isGone = true
          next.left.gone -= 1
          return true
        },
        false
      )
    }
  }

  /**
   * Someone else holds the job: nothing of it is sent from here. A person is told about the work that the holder did
   * not get.
   */
  function stop(next: World, by: number, given: readonly string[] | null): void {
    const mine = at(next, by)
    const { moves: real } = openEngine(next, by, setup)
    mine.isLost = true
    const inParcel = mine.away?.parcel.ops ?? []
    mine.away = null
    for (const op of mine.ops) {
      const isTheirs = given === null || given.includes(op.id)
      if (op.state === 'moved') {
        // It left from here and never came to anybody.
        const left = inParcel.find(({ id }) => id === op.id)
        if (left && !hasEnded(left.state) && !isTheirs && without !== 'what the new holder did not get is told')
          real.move(op.id, 'needsAttention', text)
        continue
      }
      if (hasEnded(op.state)) continue
      if (given === null) {
        // Who has it, nobody here knows: it is looked for, and then a person is asked.
        op.claim = { sinceMs: 0, waitMs: 0, whenAbsent: 'ask', isReadBack: false }
        if (op.state === 'pending') real.move(op.id, 'unknown', text)
        mine.waits[op.id] = { since: next.sent, isAbsentOnce: false }
      } else
        real.move(
          op.id,
          isTheirs || without === 'what the new holder did not get is told' ? 'moved' : 'needsAttention',
          text
        )
    }
  }

  // The world's part.
  for (const [index, { op }] of world.air.entries()) {
    add(`a late request for ${op} is applied`, (next) => {
      const [request] = next.air.splice(index, 1)
      if (request) {
        const wrong = applyEffect(next, request, setup.kinds[Number(op.slice(2)) - 1])
        if (wrong) throw wrong
      }
      return true
    })
    add(`a late request for ${op} is lost`, (next) => {
      next.air.splice(index, 1)
      return true
    })
  }
  for (const [index, { call: request, by }] of world.late.entries()) {
    add(`a late ${request.name} of ${nameOf(by)} arrives`, (next) => {
      next.late.splice(index, 1)
      callServer(next.server, copyOf(request), by, without)
      return true
    })
  }
  if (left.setBacks > 0) {
    if (world.copy === null && server.log.length > 0) {
      add(
        'the server is copied',
        (next) => {
          next.copy = copyOf(next.server)
          return true
        },
        false
      )
    } else if (world.copy !== null && JSON.stringify(world.copy) !== JSON.stringify(server)) {
      add(
        'the server is set back to its copy',
        (next) => {
          if (next.copy) next.server = next.copy
          next.copy = null
          next.isSetBack = true
          next.left.setBacks -= 1
          return true
        },
        false
      )
    }
  }
  return moves
}

/** A take-over from here of which a server that was set back knows nothing, and nobody went on in between. */
function isForgotten({ server, laptops }: World, by: number): boolean {
  const log = laptops[by]?.log ?? []
  const next = log[server.log.length] ?? ''
  return isBeginning(server.log, log) && next.startsWith('here t') && next.endsWith(nameOf(by))
}

/** The same log, as far as it is known here or there. */
function longer(one: string[], other: string[]): string[] {
  return isBeginning(other, one) ? one : other
}

/** Whether the job returned after it had been taken over: the log here continues the taker's. */
function hasGoneOn({ log }: LaptopState, { seq, by }: World['server']['takenOver'][number]): boolean {
  const next = log[seq] ?? ''
  return next.startsWith('here') && next.endsWith(nameOf(by))
}
