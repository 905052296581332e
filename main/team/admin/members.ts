import { randomBytes, createHash, createHmac, pbkdf2Sync } from 'node:crypto'
import type { ClientBase } from 'pg'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { inTransaction } from '../server/transaction.ts'

export interface Invitation {
  login: string
  password: string
  name: string
  mayWrite: boolean
  /** May take over a job at any time. */
  isLead: boolean
  /** Until a laptop has joined with it; null: it does not expire. */
  expiresAt: string | null
}

/** The limits of one laptop: defaults against mistakes, not against attacks. */
const limitsOfLogin = [
  'connection limit 4',
  "set statement_timeout = '30s'",
  "set lock_timeout = '5s'",
  "set idle_in_transaction_session_timeout = '15s'"
]

/** Creates a team; an existing one of that name is unchanged. @returns its id. */
export async function makeTeam(client: ClientBase, name: string): Promise<string> {
  await client.query('insert into fitter.team (name) values ($1) on conflict do nothing', [name])
  const { rows } = await client.query<{ id: string }>('select id from fitter.team where name = $1', [name])
  if (!rows[0]) throw new AppError('NOT_FOUND', message('team.noSuchTeam', { name }))
  return rows[0].id
}

/** Only our own letters and digits: a role statement has no parameters. */
async function makeLogin(
  client: ClientBase,
  { login, password, mayWrite }: Pick<Invitation, 'login' | 'password' | 'mayWrite'>
): Promise<void> {
  const { rows } = await client.query('select from pg_roles where rolname = $1', [login])
  await client.query(
    `${rows.length === 0 ? 'create' : 'alter'} role ${login} login password '${scramVerifier(password)}'`
  )
  await client.query(`grant ${mayWrite ? 'fitter_writes' : 'fitter_reads'} to ${login}`)
  for (const limit of limitsOfLogin) await client.query(`alter role ${login} ${limit}`)
}

/** Gives a listed laptop a new login; the old password becomes invalid. Throws NOT_FOUND for an unknown laptop. */
export async function inviteAgain(
  client: ClientBase,
  { team, name, isLead = false }: { team: string; name: string; isLead?: boolean }
): Promise<Invitation> {
  const password = randomBytes(24).toString('hex')
  return inTransaction(client, async () => {
    const { rows } = await client.query<{ login: string; may_write: boolean; is_lead: boolean }>(
      'update fitter.laptop set data_folder = null, expires_at = null, is_lead = is_lead or $3 and may_write where team_id = (select id from fitter.team where name = $1) and name = $2 and left_at is null returning login, may_write, is_lead',
      [team, name, isLead]
    )
    const [laptop] = rows
    if (!laptop || !/^fitter_[0-9a-f]{16}$/.test(laptop.login))
      throw new AppError('NOT_FOUND', message('teamWay.noSuchLaptop', { team, name }))
    await makeLogin(client, { login: laptop.login, password, mayWrite: laptop.may_write })
    return { login: laptop.login, password, name, mayWrite: laptop.may_write, isLead: laptop.is_lead, expiresAt: null }
  })
}

/** Listed laptops of a team without a login on this server. */
export async function laptopsWithoutLogin(client: ClientBase, team: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select l.name from fitter.laptop l join fitter.team t on t.id = l.team_id where t.name = $1 and l.left_at is null and not exists (select from pg_roles r where r.rolname = l.login and r.rolcanlogin) order by l.name',
    [team]
  )
  return rows.map(({ name }) => name)
}

/**
 * Creates a login for one laptop, which can write only through functions. The server gets a verifier, not the password.
 * With `validHours` the invitation expires, unless a laptop joins with it before. @throws AppError NOT_FOUND for an
 * unknown team, CONFLICT for a used name.
 */
export async function inviteLaptop(
  client: ClientBase,
  request: { team: string; name: string; mayWrite: boolean; isLead?: boolean; validHours?: number }
): Promise<Invitation> {
  const { rows } = await client.query<{ id: string }>('select id from fitter.team where name = $1', [request.team])
  const team = rows[0]
  if (!team) throw new AppError('NOT_FOUND', message('team.noSuchTeam', { name: request.team }))
  const taken = await client.query('select from fitter.laptop where team_id = $1 and name = $2 and left_at is null', [
    team.id,
    request.name
  ])
  if ((taken.rowCount ?? 0) > 0) throw new AppError('CONFLICT', message('team.nameTaken', { name: request.name }))
  const { isLead = false } = request
  const login = `fitter_${randomBytes(8).toString('hex')}`
  const password = randomBytes(24).toString('hex')
  return inTransaction(client, async () => {
    await makeLogin(client, { login, password, mayWrite: request.mayWrite })
    const { rows: made } = await client.query<{ expires_at: Date | null }>(
      'insert into fitter.laptop (team_id, login, name, may_write, is_lead, expires_at) values ($1, $2, $3, $4, $5, now() + make_interval(hours => $6)) returning expires_at',
      [team.id, login, request.name, request.mayWrite, isLead, request.validHours ?? null]
    )
    return {
      login,
      password,
      name: request.name,
      mayWrite: request.mayWrite,
      isLead,
      expiresAt: made[0]?.expires_at?.toISOString() ?? null
    }
  })
}

const rounds = 4_096

/**
 * PostgreSQL's verifier of a password (SCRAM-SHA-256, RFC 5802 and 7677), computed here: the password itself never
 * reaches the server or its log. For passwords of plain ASCII letters and digits, which need no SASLprep.
 */
function scramVerifier(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, rounds, 32, 'sha256')
  const clientKey = createHmac('sha256', salted).update('Client Key').digest()
  const storedKey = createHash('sha256').update(clientKey).digest('base64')
  const serverKey = createHmac('sha256', salted).update('Server Key').digest('base64')
  return `SCRAM-SHA-256$${String(rounds)}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}
