import { randomBytes } from 'node:crypto'
import type { ClientBase } from 'pg'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import { scramVerifier } from './scram.ts'

export interface Invitation {
  login: string
  password: string
  name: string
  mayWrite: boolean
}

/** What one laptop may hold open, and for how long: a default that holds for whoever does not set out to break it. */
const limitsOfLogin = [
  'connection limit 4',
  "set statement_timeout = '30s'",
  "set lock_timeout = '5s'",
  "set idle_in_transaction_session_timeout = '15s'"
]

/** Makes a team; one of that name that is there stays as it is. @returns its id. */
export async function makeTeam(client: ClientBase, name: string): Promise<string> {
  await client.query('insert into fitter.team (name) values ($1) on conflict do nothing', [name])
  const { rows } = await client.query<{ id: string }>('select id from fitter.team where name = $1', [name])
  if (!rows[0]) throw new AppError('NOT_FOUND', message('team.noSuchTeam', { name }))
  return rows[0].id
}

/**
 * Makes a login for one laptop, which only its functions let write. The server gets no password, only what proves one.
 * @throws AppError NOT_FOUND where there is no team, CONFLICT where the name is taken.
 */
export async function inviteLaptop(client: ClientBase, request: { team: string; name: string; mayWrite: boolean }): Promise<Invitation> {
  const { rows } = await client.query<{ id: string }>('select id from fitter.team where name = $1', [request.team])
  const team = rows[0]
  if (!team) throw new AppError('NOT_FOUND', message('team.noSuchTeam', { name: request.team }))
  const taken = await client.query('select from fitter.laptop where team_id = $1 and name = $2 and left_at is null', [team.id, request.name])
  if ((taken.rowCount ?? 0) > 0) throw new AppError('CONFLICT', message('team.nameTaken', { name: request.name }))
  const login = `fitter_${randomBytes(8).toString('hex')}`
  const password = randomBytes(24).toString('hex')
  await client.query('begin')
  try {
    // Both are letters and digits of ours: a role takes no parameters.
    await client.query(`create role ${login} login password '${scramVerifier(password)}' in role ${request.mayWrite ? 'fitter_writes' : 'fitter_reads'}`)
    for (const limit of limitsOfLogin) await client.query(`alter role ${login} ${limit}`)
    await client.query('insert into fitter.laptop (team_id, login, name, may_write) values ($1, $2, $3, $4)', [team.id, login, request.name, request.mayWrite])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
  return { login, password, name: request.name, mayWrite: request.mayWrite }
}
