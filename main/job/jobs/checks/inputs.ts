import { asMessage, message, type Message } from '../../../../preload/contract/messages.ts'
import type { Answer } from '../../../../preload/contract/job/jobs.ts'
import type { InputProof } from '../../../../preload/contract/job/jobSeen.ts'
import {
  fail,
  inSteps,
  notApplicable,
  pass,
  unreadable,
  warn,
  withFigure,
  type CheckContext,
  type Outcome
} from '../engine/check.ts'
import { makeMeter, shareOf, timeLeft } from '../engine/meters.ts'
import { deviceLost } from '../engine/silence.ts'
import type { StepOf } from '../../../../preload/contract/job/steps/index.ts'
import { compareGatewayLine } from './gatewayLine.ts'
import { wiringCauses } from '../engine/wiring.ts'
import { steadyOf } from '../../../device/client/steadyLine.ts'
import { countCycles, inputNames, isUnsteady, proofOfInputs, readChoice, type InputName } from './inputLines.ts'

/**
 * Each ordered input switched as often as the profile requires, without bouncing. Without an order, those that do count
 * as wired.
 */
export async function checkInputs(context: CheckContext<'inputs'>): Promise<Outcome> {
  const { lines, profile, signal, plan } = context
  const { cycles, quietS, giveUpS } = profile.inputs
  const noted = new Map<InputName, number>()
  let ordered = plan.inputs as InputName[] | undefined
  let provedCount = 0
  let provedSinceMs = -Infinity
  const notWired = new Map<InputName, string>()
  const names = () => ordered ?? [...inputNames]
  let asked = context.ask({
    kind: 'lines',
    text: ordered ? message('inputs.operateOrdered') : message('inputs.operateThenConfirm'),
    lines: names()
  })

  for (;;) {
    const answer = asked.given
    if (answer?.choose !== undefined) {
      const chosen = readChoice(answer.choose)
      if (chosen === 'none') {
        context.saw({ witness: 'person', what: message('common.noInputsAreWired'), raw: answer })
        return notApplicable(message('common.noInputsAreWired'))
      }
      if (!chosen)
        return fail(message('inputs.noSuchName', { text: answer.choose }), message('inputs.nameThem'), ['person'])
      ordered = chosen
    } else if (answer?.notWired) {
      noteNotWired(context, notWired, answer)
      if (ordered?.every((name) => notWired.has(name))) return notApplicable(message('common.noInputsAreWired'))
      asked = context.ask({ kind: 'lines', text: message('inputs.operateOthers'), lines: names() })
    } else if (answer?.answer === false)
      asked = context.ask({ kind: 'lines', text: message('inputs.operateOthers'), lines: names() })
    for (const name of inputNames) noted.set(name, note(context, name, noted.get(name) ?? 0))
    const problems = names()
      .map((name) => lines.unreadable(name))
      .filter((problem) => problem !== undefined)
    if (problems[0] !== undefined && (ordered || problems.length === inputNames.length)) {
      return unreadable(message('inputs.unreadable', { why: problems[0] }), message('jobs.lookAtRawAnswer'))
    }
    const proved = inputNames.filter((name) => countCycles(lines.story(name)) >= cycles)
    if (proved.length > provedCount) provedSinceMs = context.monotonicMs()
    provedCount = proved.length
    const missing = (ordered ?? []).filter((name) => !proved.includes(name) && !notWired.has(name))
    const others = ordered
      ? inputNames.filter((name) => lines.changes(name).length > 1 && !ordered?.includes(name))
      : []
    // A further input, or a bouncing contact, appears within this time after the last found one.
    const isQuiet = context.monotonicMs() - provedSinceMs >= quietS * 1000
    const isComplete = ordered ? missing.length === 0 : proved.length > 0 && asked.given?.answer === true
    if (isComplete && isQuiet) {
      context.unask()
      return judge(context, {
        names: ordered ? ordered.filter((name) => !notWired.has(name)) : proved,
        ordered,
        notWired
      })
    }
    // Waiting does not lose a confirmed result: from then on only the person's confirmation is missing.
    const leftMs = !ordered && proved.length > 0 ? null : giveUpS * 1000 - context.elapsedMs()
    const lost = deviceLost(context, leftMs !== null && leftMs <= 0)
    if (lost) return lost
    if (leftMs !== null && leftMs <= 0) {
      const inputs = proofOfInputs({
        lines,
        wantedCycles: cycles,
        ordered,
        gateway: new Map(),
        wires: plan.wires,
        notWired
      })
      return { ...neverComplete(context, { ordered, missing, proved, others }), inputs }
    }
    const chattering = inputNames.filter((name) => isUnsteady(lines.story(name)))
    const tooShort = inputNames.some((name) => steadyOf(lines.story(name)).drops.length > 0)
    context.show({
      say: whatToDo({ ordered, missing, proved, cycles, wires: plan.wires }),
      hint:
        chattering.length > 0
          ? message('inputs.chattersNow', { inputs: named(chattering, plan.wires) })
          : others.length > 0 && missing.length > 0
            ? message('inputs.notOrdered', { inputs: others })
            : tooShort
              ? message('inputs.holdEach')
              : instructionFor(missing, plan.wires),
      meters: [
        makeMeter(message('inputs.proved'), countOf(ordered, missing, proved), {
          progress: ordered ? shareOf(ordered.length - missing.length, ordered.length) : null,
          tone: proved.length > 0 ? 'pass' : 'live'
        }),
        makeMeter(message('inputs.lastMoved'), lastMoved(context)),
        ...(leftMs === null ? [] : [timeLeft(leftMs, { progress: shareOf(leftMs, giveUpS * 1000) })])
      ],
      inputs: proofOfInputs({ lines, wantedCycles: cycles, ordered, gateway: new Map(), wires: plan.wires, notWired }),
      leftMs
    })
    await (asked.given ? lines.next(signal) : Promise.race([lines.next(signal), asked.answered]))
  }
}

/** Inputs that the person leaves out or includes again; the reason is stored as evidence. */
function noteNotWired(context: CheckContext, notWired: Map<InputName, string>, { notWired: given }: Answer): void {
  if (!given) return
  const { reason } = given
  const named = inputNames.filter((name) => given.lines.includes(name))
  for (const name of named) {
    if (reason === null) notWired.delete(name)
    else notWired.set(name, reason)
  }
  context.saw({
    witness: 'person',
    what:
      reason === null
        ? message('inputs.wiredAfterAll', { inputs: named })
        : message('inputs.notWired', { inputs: named, reason }),
    raw: given
  })
}

function note(context: CheckContext, name: InputName, from: number): number {
  const all = context.lines.changes(name)
  for (const change of all.slice(from)) {
    const what = change.on ? message('jobs.lineWentOn', { line: name }) : message('jobs.lineWentOff', { line: name })
    context.saw({
      witness: 'device',
      what,
      raw: { line: name, on: change.on, readAt: change.readAt },
      thresholds: { cycles: context.profile.inputs.cycles }
    })
  }
  return all.length
}

type Wires = StepOf<'inputs'>['wires']

/** By their names in the order, with their lines; by the line alone without a name. */
function named(names: readonly InputName[], wires: Wires): (Message | string)[] {
  return names.map((line) => {
    const name = wires?.[line]?.name
    return name === undefined ? line : message('inputs.named', { name, line })
  })
}

function instructionFor(missing: readonly InputName[], wires: Wires): Message | null {
  const text = missing.map((name) => wires?.[name]?.instruction).find((instruction) => instruction !== undefined)
  return text === undefined ? null : asMessage(text)
}

interface Judged {
  names: InputName[]
  ordered: InputName[] | undefined
  notWired: ReadonlyMap<InputName, string>
}

/** Two witnesses: the device has seen each input, now the gateway is asked. */
async function judge(context: CheckContext<'inputs'>, { names, ordered, notWired }: Judged): Promise<Outcome> {
  const { cycles, gatewayWithinS } = context.profile.inputs
  const { wires } = context.plan
  const gateway = new Map<InputName, Pick<InputProof, 'gateway' | 'gatewayAfterMs'>>()
  const proofs = () =>
    proofOfInputs({ lines: context.lines, wantedCycles: cycles, ordered, gateway, wires: context.plan.wires, notWired })
  const remarks: Message[] = []
  let differs: Message | undefined
  for (const name of names) {
    const [label = name] = named([name], wires)
    const view = await compareGatewayLine(context, {
      field: `io_${name.toLowerCase()}`,
      line: name,
      label,
      withinS: gatewayWithinS,
      showing: (leftMs) =>
        context.show({
          say: message('gatewayLine.waiting', { label }),
          hint: null,
          meters: [timeLeft(leftMs)],
          inputs: proofs(),
          leftMs
        })
    })
    gateway.set(name, { gateway: view.kind, ...(view.kind === 'agrees' ? { gatewayAfterMs: view.afterMs } : {}) })
    if (view.kind === 'differs') differs ??= view.what
    if (view.kind === 'differs' || view.kind === 'away') remarks.push(view.what)
    // If the gateway is unreachable for one, it is for all.
    if (view.kind === 'away') {
      for (const other of names) if (!gateway.has(other)) gateway.set(other, { gateway: 'away' })
      break
    }
  }
  const seenAs = (kind: InputProof['gateway']) => names.filter((name) => gateway.get(name)?.gateway === kind)
  const isShown = seenAs('notShown').length === 0
  if (!isShown) remarks.push(message('inputs.deviceNotShown'))
  if (seenAs('notExposed').length > 0)
    remarks.push(message('inputs.notExposed', { inputs: named(seenAs('notExposed'), wires) }))
  for (const [name, reason] of notWired)
    remarks.push(message('inputs.notWired', { inputs: named([name], wires), reason }))
  const others = ordered
    ? inputNames.filter((name) => !ordered.includes(name) && countCycles(context.lines.story(name)) > 0)
    : []
  if (others.length > 0) remarks.push(message('inputs.othersToo', { inputs: others }))
  const isAgreed = seenAs('agrees').length === names.length
  const proved = isAgreed
    ? message('inputs.agree', { inputs: named(names, wires), n: names.length })
    : message('inputs.atDeviceOnly', { inputs: named(names, wires), n: cycles })
  const text = remarks.length === 0 ? proved : message('inputs.withRemarks', { proved, remarks })
  context.show({ inputs: proofs() })
  context.saw({ witness: isAgreed ? 'gateway' : 'device', what: text, raw: proofs(), thresholds: { cycles } })

  const outcome = outcomeOf(context, {
    names,
    text,
    differs,
    isShown,
    notExposed: seenAs('notExposed').length,
    isAgreed,
    isAllWired: notWired.size === 0
  })
  return { ...withFigure(message('figures.lines', { n: names.length }), outcome), inputs: proofs() }
}

interface Judgement {
  names: InputName[]
  text: Message
  differs: Message | undefined
  isShown: boolean
  notExposed: number
  isAgreed: boolean
  isAllWired: boolean
}

function outcomeOf(
  context: CheckContext<'inputs'>,
  { names, text, differs, isShown, notExposed, isAgreed, isAllWired }: Judgement
): Outcome {
  const loose = looseContact(context, names)
  if (loose) return loose
  if (differs) return warn(text, message('jobs.waitForNextReport'), ['device'])
  if (!isShown) return warn(text, message('jobs.askWhetherRegistered'), ['device'])
  if (notExposed > 0) return warn(text, message('inputs.deviceOnlyIsFine'), ['device'])
  if (!isAllWired)
    return warn(text, message('inputs.someNotWired'), isAgreed ? ['device', 'gateway', 'person'] : ['device', 'person'])
  return pass(text, isAgreed ? ['device', 'gateway'] : ['device'])
}

function looseContact({ lines, plan }: CheckContext<'inputs'>, names: readonly InputName[]): Outcome | undefined {
  const inputs = named(
    names.filter((name) => isUnsteady(lines.story(name))),
    plan.wires
  )
  if (inputs.length === 0) return undefined
  return inSteps(
    fail(message('inputs.chatters', { inputs }), wiringCauses.looseContact, ['device']),
    message('inputs.stepCrimp', { inputs }),
    message('inputs.stepSwitch'),
    message('jobs.stepRunAgain')
  )
}

interface Progress {
  ordered: InputName[] | undefined
  missing: InputName[]
  proved: InputName[]
}

function neverComplete(
  context: CheckContext<'inputs'>,
  { ordered, missing, proved, others }: Progress & { others: InputName[] }
): Outcome {
  const { lines, profile, plan } = context
  const loose = looseContact(context, ordered ?? inputNames)
  if (loose) return loose
  const half = (ordered ?? inputNames).filter((name) => lines.changes(name).length > 0 && !proved.includes(name))
  const never = missing.filter((name) => !half.includes(name))
  const what =
    never.length > 0
      ? message('inputs.neverMoved', { inputs: named(never, plan.wires) })
      : half.length > 0
        ? message('inputs.notOftenEnough', { inputs: named(half, plan.wires), n: profile.inputs.cycles })
        : message('inputs.noneMoved')
  if (others.length > 0) return fail(what, message('inputs.othersMoved', { inputs: others }), ['device'])
  return fail(
    what,
    half.length > 0 && never.length === 0 ? message('inputs.operateAgain') : wiringCauses.inputNotConnected,
    ['device']
  )
}

function whatToDo({
  ordered,
  missing,
  proved,
  cycles,
  wires
}: Progress & { cycles: number; wires: StepOf<'inputs'>['wires'] }): Message {
  if (missing.length > 0)
    return message('inputs.operate', { inputs: missing.map((name) => wires?.[name]?.name ?? name), n: cycles })
  if (ordered) return message('inputs.letRest', { inputs: named(ordered, wires) })
  return proved.length > 0
    ? message('inputs.areTheseAll', { inputs: proved })
    : message('inputs.operateEach', { n: cycles })
}

function countOf(ordered: InputName[] | undefined, missing: InputName[], proved: InputName[]): Message {
  return ordered
    ? message('meters.of', { n: ordered.length - missing.length, total: ordered.length })
    : message('meters.count', { n: proved.length })
}

function lastMoved({ lines }: CheckContext): string | undefined {
  const moved = inputNames.flatMap((name) =>
    lines
      .changes(name)
      .slice(-1)
      .map((change) => ({ name, ...change }))
  )
  return moved.sort((a, b) => b.atMs - a.atMs)[0]?.name
}
