import { afterAll, beforeAll } from 'vitest'
import { z } from 'zod'
import type { OperationKind } from '../../../main/gateway/waitingWork/kind.ts'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { startPostgres, type PostgresServer } from './postgres/postgresServer.ts'
import { holdersAreLost } from './teamServer.ts'
import { joinedLaptop, type TeamLaptop } from './teamLaptop.ts'

/** Gateway work of which nothing may be sent. */
export const silent: OperationKind = {
  kind: 'scripted',
  payload: z.object({ name: z.string() }),
  title: (payload) => plainMessage(String((payload as { name?: string }).name)),
  resendWhenAbsent: true,
  maxAttempts: 3,
  send: () => Promise.reject(new Error('Nothing may be sent')),
  look: () => Promise.resolve({ seen: 'absent', what: plainMessage('It is not there.'), raw: null })
}

/** A real server for the tests of one file, with the schema and as many teams as they want. */
export function teamsOfTest() {
  let server: PostgresServer | undefined
  let teams = 0

  function running(): PostgresServer {
    if (!server) throw new Error('The server is there once the tests of the file run.')
    return server
  }

  beforeAll(async () => {
    server = await startPostgres()
    const owner = await server.connect()
    await raiseSchema(owner)
    await holdersAreLost(owner)
    await owner.end()
  }, 60_000)
  afterAll(() => server?.remove())

  return {
    server: running,
    newTeam: () => `Team ${String((teams += 1))}`,
    laptop: (team: string, name: string, options: { technician?: string } = {}) =>
      joinedLaptop(running(), team, name, { kinds: [silent], ...options }),
    /** The name of the laptop that holds a job; null when nobody does. */
    async holderOf(job: string): Promise<string | null> {
      const owner = await running().connect()
      const { rows } = await owner.query<{ name: string | null }>(
        'select l.name from fitter.job j left join fitter.laptop l on l.id = j.holder where j.id = $1',
        [job]
      )
      await owner.end()
      return rows[0]?.name ?? null
    }
  }
}

/** Gateway work of a job, by its name. */
export function addWork({ operations }: TeamLaptop, jobId: string, name: string): string {
  return operations.add({
    kind: 'scripted',
    key: `vehicle:${name}`,
    title: plainMessage(name),
    payload: { b: 1, name, a: 2.5 },
    jobId,
    draft: false
  }).id
}

export const stateOf = ({ operations }: TeamLaptop, id: string) => operations.get(id)?.state
export const isAway = ({ jobs }: TeamLaptop, job: string) => jobs.show(job).handedOver !== undefined
/** The id of the sentence with which something was refused; undefined when it was not. */
export const sentenceOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error as { sentence?: { id: string } }).sentence?.id ?? error
  )
export const push = ({ team }: TeamLaptop) => team.push(new AbortController().signal)
