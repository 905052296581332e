import { isBeginning, type Rule, type ServerCall, type ServerState } from './state.ts'

export type Answer = 'done' | 'heldByOther' | 'fork' | 'gap' | 'withdrawn' | 'none'

/** The functions of the team log, as main/team/server/migrations has them. One call is one transaction. */
export function callServer(server: ServerState, call: ServerCall, by: number, without: Rule | undefined): Answer {
  switch (call.name) {
    case 'append':
      return append(server, call, by)
    case 'offer': {
      const { parcel, to } = call
      const present = server.offers.find((offer) => offer.parcel.id === parcel.id)
      if (present) return present.isWithdrawn ? 'withdrawn' : 'done'
      if (!isBeginning(parcel.log, server.log) || parcel.log.length !== server.log.length) return 'gap'
      if (
        server.holder !== null &&
        server.holder !== by &&
        without !== 'an offer goes out only while nobody else holds the job'
      )
        return 'heldByOther'
      server.holder = null
      server.offers.push({ parcel, from: by, to, takenBy: null, isWithdrawn: false })
      if (without !== 'what left goes along until its new holder pushed') {
        server.work = parcel.ops
        server.workAtMs = parcel.atMs
      }
      return 'done'
    }
    case 'take': {
      const offer = server.offers.find((one) => one.parcel.id === call.id)
      if (!offer || (offer.to !== null && offer.to !== by)) return 'none'
      if (offer.isWithdrawn) return 'withdrawn'
      if (offer.takenBy !== null && offer.takenBy !== by && without !== 'one laptop takes an offer')
        return 'heldByOther'
      if (offer.takenBy === by && server.holder !== by && without !== 'a take that comes again unseats nobody')
        return 'heldByOther'
      if (server.holder !== null && server.holder !== by && without !== 'one laptop takes an offer')
        return 'heldByOther'
      offer.takenBy = by
      server.holder = by
      return 'done'
    }
    case 'withdraw': {
      const offer = server.offers.find((one) => one.parcel.id === call.id)
      if (!offer) {
        if (server.holder !== null && server.holder !== by) return 'heldByOther'
        const isLast = (server.log.at(-1) ?? '').startsWith(`away ${call.id} `)
        const parcel = { id: call.id, log: [], ops: [], atMs: 0 }
        if (without !== 'a withdrawal is remembered for offers that come late')
          server.offers.push({ parcel, from: by, to: null, takenBy: null, isWithdrawn: true })
        if (isLast) server.holder = by
        return 'done'
      }
      if (offer.from !== by) return 'none'
      if (offer.isWithdrawn) return server.holder === by ? 'done' : 'heldByOther'
      if (offer.takenBy !== null || server.holder !== null) return 'heldByOther'
      offer.isWithdrawn = true
      server.holder = by
      return 'done'
    }
    case 'takeOver': {
      if (server.log.length === 0) return 'none'
      if (server.holder === by) return 'done'
      // Nobody may take an offer that its sender believes to be open after the job went to someone else.
      for (const offer of server.offers) if (offer.takenBy === null) offer.isWithdrawn = true
      server.takenOver.push({
        from: server.holder ?? lastHolder(server),
        by,
        seq: server.log.length,
        ops: server.work.map(({ id }) => id)
      })
      server.holder = by
      return 'done'
    }
  }
}

/** Who gave it away last, where nobody holds it. */
function lastHolder({ log }: ServerState): number | null {
  const last = log.at(-1) ?? ''
  return last.startsWith('away') ? 'ABC'.indexOf(last.at(-1) ?? '') : null
}

function append(server: ServerState, { log, ops, atMs }: Extract<ServerCall, { name: 'append' }>, by: number): Answer {
  const isFirst = server.log.length === 0
  if (isFirst) server.holder = by
  if (!isFirst && !isBeginning(log, server.log) && !isBeginning(server.log, log)) return 'fork'
  const last = log.at(-1) ?? ''
  const isNew = log.length > server.log.length
  if (isNew) {
    const next = log[server.log.length] ?? ''
    const isOffered = server.offers.some(({ takenBy, isWithdrawn }) => takenBy === null && !isWithdrawn)
    const continuesFile =
      server.holder === null && !isOffered && (server.log.at(-1) ?? '').startsWith('away') && next.startsWith('here')
    if (server.holder !== by && !continuesFile) return 'heldByOther'
    server.log = log
    server.holder = by
  } else if (log.length < server.log.length) return 'done'
  // Known entries are acknowledged again to everyone; only the holder decides about the work.
  if (server.holder !== by) return 'done'
  server.work = ops
  server.workAtMs = atMs
  if (last.startsWith('away') && isNew) server.holder = null
  return 'done'
}
