import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { calls } from '../../../preload/contract/index.ts'
import type { Assigned } from '../../../preload/contract/team/teamAssigned.ts'
import { sourceResourcesFolder } from '../../app/core.ts'
import { loadShipped } from '../../job/jobs/checklists/shipped.ts'
import { createTemplates } from '../../job/jobs/checklists/templates.ts'
import { createTexts } from '../../base/messages/texts.ts'
import { createAssignments, type Assignments } from '../../team/reading/assignments.ts'
import type { Team } from '../../team/team.ts'
import type { CommandValues } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { requireInput } from '../input/inputs.ts'
import { whyNoImei } from '../../base/reading/imeiSentence.ts'
import { withTeam } from '../withTeam.ts'
import { readOrderFile } from '../input/orderFile.ts'
import { usageError } from '../output/usage.ts'

export async function prepareJob(context: CommandContext, values: CommandValues): Promise<number> {
  const ordered =
    values.order === undefined
      ? undefined
      : await readOrderFile(values.order, [values.vehicle, values.imei], {
          terminal: context.terminal,
          encoding: values.encoding
        })
  const wanted = calls['team.prepare'].input.safeParse({
    templateId: requireInput(values.template ?? (ordered?.template || undefined), '--template ID'),
    vehicle: requireInput(values.vehicle ?? ordered?.order.vehicle, '--vehicle TEXT'),
    customer: values.customer ?? ordered?.order.customer ?? '',
    imei: values.imei ?? (/^\d{15}$/.test(ordered?.device ?? '') ? ordered?.device : '') ?? '',
    order: ordered?.order ?? null,
    to: values.to ?? '',
    dueAt: readDue(values.due),
    notes: values.notes ?? ''
  })
  if (!wanted.success)
    throw usageError(
      message('terminalAssigned.notPrepared', {
        field: `--${String(wanted.error.issues[0]?.path[0] ?? '').replace('templateId', 'template')}`
      })
    )
  const wrong = wanted.data.imei === '' ? undefined : whyNoImei(wanted.data.imei)
  if (wrong) throw usageError(wrong)
  const made = await withAssignments(context, ({ assignments }) => assignments.prepare(wanted.data, context.signal))
  context.terminal.result(made, made.id)
  return exitCodes.done
}

/** By the clock of this computer, unless the time has a zone. */
function readDue(text: string | undefined): string | null {
  if (text === undefined) return null
  const at = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) ? new Date(text) : new Date(Number.NaN)
  if (Number.isNaN(at.getTime())) throw usageError(message('terminalAssigned.due', { example: '2026-11-23T13:30' }))
  return at.toISOString()
}

/** Jobs prepared for this laptop and for whoever starts them; with --all, of the whole team. */
export async function tellAssigned(context: CommandContext, values: CommandValues): Promise<number> {
  const { terminal, signal } = context
  const { assigned, keptAt, why, next } = await withAssignments(context, ({ team, assignments }) => {
    if (!team.isMember()) throw new AppError('NOT_FOUND', message('team.notJoined'))
    return assignments.list(
      { whose: values.all === true ? 'all' : 'here', from: 'server', after: values.after, limit: 500 },
      signal
    )
  })
  const line = ({ id, to, dueAt, template, vehicle, customer, imei, told, whyNot, hint }: Assigned) =>
    [
      id,
      to === '' ? '-' : to,
      dueAt === null ? '-' : message('terminalAssigned.dueAt', { dueAt }),
      template.name,
      vehicle,
      customer,
      imei,
      told ?? whyNot ?? hint
    ]
      .map(terminal.text)
      .join('  ')
      .trimEnd()
  terminal.result(
    assigned.map(({ template, ...one }) => ({ ...one, template: template.id, templateVersion: template.version })),
    assigned.map(line).join('\n') || message('terminalAssigned.noneAssigned')
  )
  if (why) terminal.warn(keptAt === null ? why : message('terminalAssigned.fromCopy', { why, keptAt }))
  if (next !== null) terminal.say(message('terminal.listMore', { next }))
  return exitCodes.done
}

export async function withdrawJob(context: CommandContext, id: string | undefined): Promise<number> {
  const wanted = requireInput(id, message('terminalAssigned.theAssigned'))
  const told = await withAssignments(context, ({ assignments }) => assignments.withdraw(wanted, context.signal))
  context.terminal.result(
    told,
    told.outcome === 'begun'
      ? message('terminalAssigned.begunBefore', { by: told.by })
      : message('terminalAssigned.withdrawn')
  )
  return told.outcome === 'begun' ? exitCodes.attention : exitCodes.done
}

/** Besides the team log only the checklists are needed. */
function withAssignments<T>(
  context: CommandContext,
  work: (parts: { team: Team; assignments: Assignments }) => Promise<T>
): Promise<T> {
  return withTeam(context, (team, store) => {
    const texts = { en: createTexts({ language: 'en' }), es: createTexts({ language: 'es' }) }
    const templates = createTemplates({
      shipped: loadShipped(sourceResourcesFolder),
      rows: store.templates,
      say: (language, text) => texts[language].say(text),
      hasText: texts.en.has,
      reportFault: () => undefined
    })
    return work({ team, assignments: createAssignments({ team, store, templates }) })
  })
}
