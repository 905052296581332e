import type { ClientBase } from 'pg'
import { ulid } from 'ulid'
import { AppError } from '../../../preload/contract/errors.ts'
import type { CallOutput, CallParsed } from '../../../preload/contract/index.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { prepared, type Assigned, type Prepared } from '../../../preload/contract/team/teamAssigned.ts'
import type { Templates } from '../../job/jobs/checklists/templates.ts'
import { whyNoImei } from '../../base/reading/imeiSentence.ts'
import type { KeptAssigned, TeamAssignedStore } from '../../data/store/team/teamAssigned.ts'
import { tellBegun } from '../push/begun.ts'
import { keepWritten, readWritten } from '../push/checklists.ts'
import { orRefusal, refusalOf } from '../server/failures.ts'
import { storableText } from './listing.ts'
import type { Team } from '../team.ts'

export interface AssignmentParts {
  team: Pick<Team, 'ask' | 'status' | 'isMember'>
  store: { teamAssigned: TeamAssignedStore }
  templates: Pick<Templates, 'list' | 'open' | 'importText'>
  now?: () => Date
}

type Told = Omit<Assigned, 'jobId' | 'told' | 'whyNot' | 'hint'>

interface Row {
  id: string
  made_by: string
  made_at: Date
  to_name: string
  due_at: Date | null
  what: unknown
  begun_at: Date | null
  begun_by: string | null
  begun_job: string | null
  withdrawn_at: Date | null
  withdrawn_by: string | null
}

const mostHere = 500

/** Jobs that the office prepares for a laptop. They are data until a person starts one. */
export function createAssignments({
  team,
  store: { teamAssigned: kept },
  templates,
  now = () => new Date()
}: AssignmentParts) {
  function shown(told: Told, here: KeptAssigned | undefined): Assigned {
    const present = templates.list().find(({ id }) => id === told.template.id)
    const { id, version, name } = told.template
    const whyNot =
      team.status().joined?.mayWrite === false
        ? message('team.onlyReads')
        : present
          ? null
          : message('assigned.noChecklist', { name, id })
    const hint =
      present && present.version !== version
        ? message('assigned.otherVersion', { name, version, present: present.version })
        : null
    return { ...told, jobId: here?.jobId ?? null, told: here?.told ?? null, whyNot, hint }
  }

  /** The local ones: those that can be started, and those with a change that someone must read. */
  function fromCopy(): Assigned[] {
    return kept
      .all()
      .filter(({ jobId, told }) => jobId === null || told !== null)
      .map((one) => shown(one.content as Told, one))
      .sort(soonestFirst)
  }

  /** Requests and stores the jobs prepared for this laptop and for whoever starts them. */
  async function refresh(signal?: AbortSignal): Promise<void> {
    kept.markBegun()
    await team.ask(async (client) => {
      await tellBegun(client, kept, now)
      const open = await ask(client, { whose: 'mine' }, mostHere)
      const known = kept.all().filter(({ id, jobId }) => jobId === null && !open.some((one) => one.id === id))
      const gone = known.length === 0 ? [] : await ask(client, { ids: known.map(({ id }) => id) }, 1_000)
      // A job that someone else started is removed; a withdrawn one is reported, because a technician may be on the
      // way.
      const back = gone.flatMap((one) =>
        one.withdrawn
          ? [{ ...one, told: message('assigned.withdrawn', { by: one.withdrawn.by, withdrawnAt: one.withdrawn.at }) }]
          : []
      )
      kept.keep(
        [...open.map((one) => ({ ...one, told: null })), ...back].map(({ told, ...content }) => ({
          id: content.id,
          content,
          told
        })),
        now().toISOString()
      )
    }, signal)
  }

  return {
    /**
     * Prepares a job and returns its id. @throws AppError NOT_FOUND for an unknown checklist or laptop, INVALID_REQUEST
     * for a wrong IMEI.
     */
    async prepare(
      { id: given, templateId, vehicle, customer, imei, order, to, dueAt, notes }: CallParsed<'team.prepare'>,
      signal?: AbortSignal
    ): Promise<{ id: string }> {
      const wrong = imei === '' ? undefined : whyNoImei(imei)
      if (wrong) throw new AppError('INVALID_REQUEST', wrong)
      const template = templates.list().find(({ id }) => id === templateId)
      if (!template) throw new AppError('NOT_FOUND', message('templates.noSuch', { id: templateId }))
      const id = given ?? ulid()
      await team.ask(async (client) => {
        const sha256 = await keepWritten(client, templates.open(template.id).template)
        const what: Prepared = {
          template: { id: template.id, version: template.version, name: template.name, sha256 },
          vehicle,
          customer,
          imei,
          order,
          notes
        }
        try {
          await client.query('select fitter.assign($1)', [JSON.stringify({ id, to, dueAt, what }, storableText)])
        } catch (error) {
          const refusal = refusalOf(error)
          if (refusal === 'noSuchLaptop')
            throw new AppError('NOT_FOUND', message('assigned.noLaptop', { name: to }), { cause: error })
          if (refusal === 'heldByOther') throw new AppError('CONFLICT', message('assigned.byOther'), { cause: error })
          if (refusal === 'tooMuch')
            throw new AppError('INVALID_REQUEST', message('assigned.tooMuch'), { cause: error })
          if (refusal === 'preparedFull')
            throw new AppError(
              'CONFLICT',
              message('assigned.full', { most: Number((error as { detail?: unknown }).detail) }),
              { cause: error }
            )
          throw error
        }
      }, signal)
      return { id }
    },
    /** Prepared jobs, soonest first; without the server the local ones, with their age and the reason. */
    async list(
      { whose, from, after, limit }: CallParsed<'team.assigned'>,
      signal?: AbortSignal
    ): Promise<CallOutput<'team.assigned'>> {
      if (!team.isMember()) return { assigned: [], keptAt: null, why: null, next: null }
      let why: Message | null = null
      try {
        if (from === 'server' && whose === 'all') {
          const rows = await team.ask(
            (client) => ask(client, { ...(after === undefined ? {} : { after }) }, limit + 1),
            signal
          )
          const page = rows.slice(0, limit)
          return {
            assigned: page.map((one) => shown(one, kept.find(one.id))),
            keptAt: null,
            why: null,
            next: rows.length > limit ? (page.at(-1)?.id ?? null) : null
          }
        }
        if (from === 'server') {
          await refresh(signal)
          return { assigned: fromCopy(), keptAt: null, why: null, next: null }
        }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        why = error.sentence
      }
      return { assigned: fromCopy(), keptAt: kept.keptAt(), why, next: null }
    },
    async withdraw(id: string, signal?: AbortSignal): Promise<CallOutput<'team.withdrawAssigned'>> {
      const answer = await team.ask(
        (client) =>
          orRefusal(
            client.query<{ outcome: string; by_name: string }>(
              'select outcome, by_name from fitter.withdraw_assignment($1)',
              [id]
            )
          ),
        signal
      )
      if (answer.refusal === 'heldByOther')
        throw new AppError('NOT_PERMITTED', message('assigned.notYours', { by: answer.detail }))
      const told = answer.refusal === null ? answer.value.rows[0] : undefined
      if (!told || told.outcome === 'none') throw new AppError('NOT_FOUND', message('assigned.none', { id }))
      return { outcome: told.outcome === 'begun' ? 'begun' : 'withdrawn', by: told.by_name }
    },
    async receivers(signal?: AbortSignal): Promise<{ names: string[] }> {
      const rows = await team.ask(
        async (client) =>
          (
            await client.query<{ name: string }>(
              'select name from fitter.laptop where may_write and left_at is null order by name limit 5000'
            )
          ).rows,
        signal
      )
      return { names: rows.map(({ name }) => name) }
    },
    /** Updates the local copy, if this laptop is in a team. */
    renew: (signal: AbortSignal): Promise<void> => (team.isMember() ? refresh(signal) : Promise.resolve()),
    /** Imports the checklist of a prepared job like a file. Throws one sentence when it is not available. */
    async takeChecklist(id: string, signal?: AbortSignal): Promise<void> {
      const found = kept.find(id)
      const template = (found?.content as Told | undefined)?.template
      if (template?.sha256 === undefined) throw new AppError('NOT_FOUND', message('assigned.none', { id }))
      const { sha256, name } = template
      const text = await team.ask((client) => readWritten(client, sha256), signal)
      if (templates.importText(text).outcome === 'refused')
        throw new AppError('INVALID_REQUEST', message('assigned.checklistRefused', { name }))
    },
    putAway: (id: string) => kept.putAway(id),
    /** The data to start a job with. @throws AppError NOT_FOUND, or CONFLICT when it can no longer be started. */
    take(id: string): { id: string; by: string; dueAt: string | null; notes: string } {
      kept.markBegun()
      const found = kept.find(id)
      if (!found) throw new AppError('NOT_FOUND', message('assigned.none', { id }))
      const { by, dueAt, notes, whyNot } = shown(found.content as Told, found)
      if (found.jobId !== null) throw new AppError('CONFLICT', message('assigned.begunHere', { job: found.jobId }))
      if (found.told) throw new AppError('CONFLICT', found.told)
      if (whyNot) throw new AppError('CONFLICT', whyNot)
      return { id, by, dueAt, notes }
    },
    begun: (id: string, jobId: string) => kept.begin(id, jobId, now().toISOString())
  }
}

export type Assignments = ReturnType<typeof createAssignments>

async function ask(
  client: ClientBase,
  wanted: { whose?: 'mine'; ids?: string[]; after?: string },
  most: number
): Promise<Told[]> {
  const { rows } = await client.query<Row>('select * from fitter.assignments($1, $2)', [JSON.stringify(wanted), most])
  return rows.flatMap(toldIn)
}

/** Data from other laptops is accepted only in the agreed form. */
function toldIn(row: Row): Told[] {
  const what = prepared.safeParse(row.what)
  if (!what.success) return []
  return [
    {
      ...what.data,
      id: row.id,
      by: row.made_by,
      madeAt: row.made_at.toISOString(),
      to: row.to_name,
      dueAt: timeOf(row.due_at),
      begun: row.begun_at && { by: row.begun_by ?? '', at: row.begun_at.toISOString(), jobId: row.begun_job ?? '' },
      withdrawn: row.withdrawn_at && { by: row.withdrawn_by ?? '', at: row.withdrawn_at.toISOString() }
    }
  ]
}

/** The server allows infinite times. */
function timeOf(at: Date | null): string | null {
  return at instanceof Date && !Number.isNaN(at.getTime()) ? at.toISOString() : null
}

/** Jobs without a date come last. */
function soonestFirst(one: Assigned, other: Assigned): number {
  return (one.dueAt ?? '9').localeCompare(other.dueAt ?? '9') || one.id.localeCompare(other.id)
}
