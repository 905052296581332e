import { AppError } from '../../../preload/contract/errors.ts'
import { isValidImei } from '../../../preload/contract/base/imei.ts'
import type { JobState, ListedJob } from '../../../preload/contract/job/jobs.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { Core } from '../../app/core.ts'
import { readBatch, readBatchAnswers, type BatchLine } from '../input/batchFile.ts'
import type { Command } from '../command.ts'
import type { CommandContext } from '../context.ts'
import { exitCodeFor, exitCodes } from '../output/exitCodes.ts'
import { requireInput } from '../input/inputs.ts'
import { runChecklist } from '../jobRunner.ts'
import { nameOfDevice } from '../nameOfDevice.ts'
import type { Terminal } from '../output/terminal.ts'
import type { OrderLine } from '../../../preload/contract/job/orders.ts'
import { isSameWork } from '../../../preload/job/sameWork.ts'
import type { Jobs } from '../../job/jobs/jobs.ts'
import { sideBySide } from '../../base/time/sideBySide.ts'
import { createSequence } from '../../base/time/sequence.ts'

const mostAtOnce = 20

/**
 * `doneBefore`: its job was already done, nothing was run. `notReached`: its device, or its job, could not be started.
 */
type LineOutcome = 'done' | 'attention' | 'notReached' | 'doneBefore'

interface LineResult {
  line: number | null
  device: string
  imei: string | null
  vehicle: string
  template: string
  id: string | null
  state: JobState | null
  outcome: LineOutcome
  why: Message | null
}

/** One checklist for many devices: a line for each as it ends, then the totals. */
export const runJobBatch: Command = async (context, [, file], values) => {
  const core = await context.core({ profileId: values.profile })
  const lines = await readBatch(requireInput(file, message('terminalBatch.theFile')), {
    terminal: context.terminal,
    encoding: values.encoding,
    template: values.template,
    known: core.jobs.templates().map(({ id }) => id)
  })
  const answers = values.answers === undefined ? undefined : readBatchAnswers(values.answers)
  const results: LineResult[] = []
  const codes: number[] = []
  const asking = oneAtATime(context.terminal)
  const taken = new Map<string, number>()
  let firstReached: Promise<unknown> = Promise.resolve()

  async function work(line: BatchLine): Promise<void> {
    const { result, code } = await runLine(line)
    if (result.outcome === 'doneBefore' && values['retry-failed'] === true) return
    results.push(result)
    codes.push(code)
    context.terminal.result(result, sayLine(result))
  }

  async function runLine(line: BatchLine): Promise<{ result: LineResult; code: number }> {
    const result: LineResult = {
      line: line.line,
      device: line.device,
      imei: null,
      vehicle: line.order.vehicle,
      template: line.template,
      id: null,
      state: null,
      outcome: 'notReached',
      why: null
    }
    try {
      const before = firstReached
      const reached = reach(before, context, line.device)
      // If a person must enter the password of the devices, it is asked only once.
      if (line.place === 1 && context.terminal.canAsk) firstReached = reached.catch(() => undefined)
      const device = await reached
      result.imei = device.imei
      const other = taken.get(device.imei)
      taken.set(device.imei, other ?? line.place)
      if (other !== undefined) throw new AppError('CONFLICT', message('terminalBatch.sameDevice', { place: other }))
      const present = jobOfLine(core.jobs, line, device.imei, values.another === true)
      if (present && !isSameWork(line, core.jobs.show(present.id))) {
        throw new AppError(
          'CONFLICT',
          message('jobs.otherJobOpen', { id: present.id, template: present.template.name, state: present.state })
        )
      }
      if (present)
        Object.assign(result, {
          id: present.id,
          state: present.state,
          vehicle: present.vehicle?.name ?? result.vehicle
        })
      if (present && isDone(present)) return { result: { ...result, outcome: 'doneBefore' }, code: exitCodes.done }
      const id = present?.id ?? create(core, line, { ...device, label: imeiOfText(line.device) })
      return await run(id, line, { ...result, id })
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'DATA_UNUSABLE' || error.code === 'DATA_LOCKED') throw error
      const outcome = exitCodeFor(error) === exitCodes.attention ? 'attention' : 'notReached'
      return {
        result: {
          ...result,
          state: result.id === null ? null : core.jobs.show(result.id).state,
          outcome,
          why: error.sentence
        },
        code: exitCodeFor(error)
      }
    }
  }

  async function run(id: string, line: BatchLine, result: LineResult): Promise<{ result: LineResult; code: number }> {
    const { job, code } = await runChecklist(
      { signal: context.signal, terminal: asking(line) },
      core,
      id,
      answers?.(line, result.imei ?? '')
    )
    const left = job.steps.find(({ state }) => state === 'fail' || state === 'unreadable' || state === 'waiting')
    const isGood = isDone(job)
    const why =
      isGood || !left
        ? null
        : message('terminalBatch.leftAt', {
            step: left.title,
            why: left.summary ?? message('terminal.stepState', { state: left.state })
          })
    return {
      result: {
        ...result,
        state: job.state,
        vehicle: job.vehicle?.name ?? result.vehicle,
        outcome: isGood ? 'done' : code === exitCodes.notReachable ? 'notReached' : 'attention',
        why
      },
      code
    }
  }

  const [first, ...others] = lines
  if (first && context.terminal.canAsk) {
    const leading = work(first)
    await firstReached
    await Promise.all([leading, sideBySide(others, { most: mostAtOnce - 1, signal: context.signal }, work)])
  } else await sideBySide(lines, { most: mostAtOnce, signal: context.signal }, work)

  const count = (outcome: LineOutcome) => results.filter((one) => one.outcome === outcome).length
  const totals = {
    total: lines.length,
    done: count('done'),
    attention: count('attention'),
    notReached: count('notReached'),
    skipped: lines.length - count('done') - count('attention') - count('notReached')
  }
  context.terminal.result(totals, message('terminalBatch.totals', totals))
  const bad = codes.filter((code) => code !== exitCodes.done)
  if (bad.length === 0 && !context.signal.aborted) return exitCodes.done
  // Nothing was reached or permitted: that must be fixed first.
  const [one] = bad
  return one !== undefined && bad.length === results.length && bad.every((code) => code === one)
    ? one
    : exitCodes.attention
}

async function reach(before: Promise<unknown>, context: CommandContext, host: string) {
  await before
  return nameOfDevice(context, host)
}

function create(
  { jobs }: Core,
  { template, order }: BatchLine,
  { imei, model, address, label }: { imei: string; model: string; address: string; label: string | undefined }
): string {
  return jobs.create({
    templateId: template,
    device: { imei, model, address },
    vehicleText: order.vehicle,
    customer: order.customer,
    order,
    scannedImei: label
  })
}

/** An IMEI in the file is the one on the label: the device must report the same. */
function imeiOfText(device: string): string | undefined {
  return isValidImei(device) ? device : undefined
}

/** Twenty checklists at one terminal: each line names its device, and questions are asked one at a time. */
function oneAtATime(terminal: Terminal): (line: BatchLine) => Terminal {
  const inTurn = createSequence()
  return ({ place, device, order }) => {
    const name = `${place} ${order.vehicle || device}`
    const mark = (what: Message | string): string => `[${name}] ${terminal.text(what)}`
    return {
      ...terminal,
      say: (what) => terminal.say(mark(what)),
      warn: (what) => terminal.warn(mark(what)),
      ask: (question, signal) => inTurn(() => terminal.ask(mark(question), signal))
    }
  }
}

function sayLine({ line, device, imei, vehicle, id, outcome, why }: LineResult): Message {
  return message('terminalBatch.line', {
    line: line ?? 0,
    outcome,
    device: imei ?? device,
    vehicle: vehicle === '' ? '-' : vehicle,
    id: id ?? '-',
    why: why ?? ''
  })
}

const mostLookedAt = 50

/**
 * The existing job for a line of a batch: the newest with the same checklist and order, otherwise the open one of its
 * device, unless another job may be made beside it.
 */
function jobOfLine(
  jobs: Pick<Jobs, 'list' | 'show' | 'openOfDevice'>,
  line: Pick<OrderLine, 'template' | 'order'>,
  imei: string,
  besideOpenJob: boolean
): ListedJob | undefined {
  const { jobs: found } = jobs.list({ search: imei, limit: mostLookedAt })
  const same = found.filter(
    (job) => job.device.imei === imei && job.state !== 'cancelled' && isSameWork(line, jobs.show(job.id))
  )
  const isOpen = ({ state }: ListedJob) => state === 'draft' || state === 'running'
  return same.find(isOpen) ?? same[0] ?? (besideOpenJob ? undefined : jobs.openOfDevice(imei))
}

/** No manual work is left. */
function isDone({ state }: Pick<ListedJob, 'state'>): boolean {
  return state === 'done' || state === 'installedAwaitingGateway'
}
