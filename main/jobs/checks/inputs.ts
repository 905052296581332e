import { fail, pass, unreadable, warn, type CheckContext, type Outcome } from '../check.ts'
import type { LineChange, LineName } from '../../device/lineRecorder.ts'
import { clockText, meter, share } from '../meters.ts'
import { deviceLost } from '../silence.ts'
import { compareGatewayLine } from './gatewayLine.ts'

const inputNames = ['IN1', 'IN2', 'IN3', 'IN4', 'IN5', 'IN6', 'IN7'] as const satisfies readonly LineName[]
type InputName = (typeof inputNames)[number]
/** As many changes in this time are no hand on a switch: four times on and off would be eight. */
const chatterChanges = 9
const chatterWithinMs = 5_000

/**
 * Each ordered input was operated and came back. Without an order, the inputs that move are taken as the wired ones, and
 * the record says so.
 */
export async function checkInputs(context: CheckContext): Promise<Outcome> {
  const { lines, profile, signal, plan } = context
  const { changes: wantedChanges, quietS, gatewayWithinS, giveUpS } = profile.inputs
  const thresholds = { changes: wantedChanges }
  const noted = new Map<InputName, number>()
  let ordered = plan.inputs as InputName[] | undefined
  let movedCount = 0
  let movedSinceMs = -Infinity
  let asked = context.ask({
    kind: 'lines',
    text: ordered ? 'Operate each ordered input.' : 'Operate each wired input, then say that these are all.',
    lines: ordered ?? [...inputNames]
  })

  for (;;) {
    const answer = asked.given
    if (answer?.choose !== undefined) {
      const chosen = readChoice(answer.choose)
      if (chosen === 'none') {
        context.saw({ witness: 'person', what: 'No input is wired', raw: answer })
        return { state: 'notApplicable', summary: 'no input is wired', remedy: '', witness: ['person'] }
      }
      if (chosen.length === 0) return fail(`"${answer.choose}" names no input`, 'Name them as IN1 to IN7, or say "none", and run the step again.', ['person'])
      ordered = chosen
    } else if (answer?.answer === false) asked = context.ask({ kind: 'lines', text: 'Operate the others, then say that these are all.', lines: ordered ?? [...inputNames] })
    for (const name of inputNames) noted.set(name, note(name, noted.get(name) ?? 0))
    const problems = (ordered ?? inputNames).map((name) => lines.unreadable(name)).filter((problem) => problem !== undefined)
    if (problems.length > 0 && (ordered || problems.length === inputNames.length)) {
      return unreadable(`An input cannot be read: ${problems[0]}`, 'Look at the raw answer; the device may run an older system.')
    }
    const moved = inputNames.filter((name) => lines.changes(name).length >= wantedChanges)
    if (moved.length > movedCount) movedSinceMs = context.monotonicMs()
    movedCount = moved.length
    const missing = (ordered ?? []).filter((name) => !moved.includes(name))
    const others = ordered ? moved.filter((name) => !ordered?.includes(name)) : []
    // A further input, or a contact that does not rest, shows within this time after the last one that was found.
    const isQuiet = context.monotonicMs() - movedSinceMs >= quietS * 1000
    const isComplete = ordered ? missing.length === 0 : moved.length > 0 && asked.given?.answer === true
    if (isComplete && isQuiet) {
      context.unask()
      return judge(context, ordered ?? moved, ordered === undefined, gatewayWithinS)
    }
    const leftMs = giveUpS * 1000 - context.elapsedMs()
    const lost = deviceLost(context, leftMs <= 0)
    if (lost) return lost
    if (leftMs <= 0) return neverComplete(context, ordered, missing, moved, others)
    const chattering = inputNames.find((name) => isChatter(lines.changes(name)))
    context.show({
      say: whatToDo(ordered, missing, moved),
      hint: chattering
        ? `${chattering} chatters: a loose contact.`
        : others.length > 0 && missing.length > 0
          ? `${others.join(', ')} moved, which is not ordered: the wire may be on another input.`
          : '',
      meters: [
        meter('Inputs seen', ordered ? `${ordered.length - missing.length} of ${ordered.length}` : moved.length, {
          progress: ordered ? share(ordered.length - missing.length, ordered.length) : null,
          tone: moved.length > 0 ? 'pass' : 'live'
        }),
        meter('Last moved', lastMoved(context)),
        meter('Time left', clockText(leftMs), { tone: 'wait', progress: share(leftMs, giveUpS * 1000) })
      ],
      leftMs
    })
    await (asked.given ? lines.next(signal) : Promise.race([lines.next(signal), asked.answered]))
  }

  function note(name: InputName, from: number): number {
    const all = lines.changes(name)
    for (const change of all.slice(from)) {
      context.saw({
        witness: 'device',
        what: `${name} ${change.on ? 'off → on' : 'on → off'}`,
        raw: { line: name, on: change.on, readAt: change.readAt },
        thresholds
      })
    }
    return all.length
  }
}

async function judge(context: CheckContext, names: InputName[], isFoundByMovement: boolean, withinS: number): Promise<Outcome> {
  const found: Record<'agrees' | 'differs' | 'notExposed' | 'notShown' | 'away', string[]> = { agrees: [], differs: [], notExposed: [], notShown: [], away: [] }
  let away = ''
  for (const name of names) {
    if (away) {
      found.away.push(name)
      continue
    }
    const view = await compareGatewayLine(context, {
      field: `io_${name.toLowerCase()}`,
      line: name,
      label: name,
      withinS,
      showing: (leftMs) => context.show({ say: `Waiting for the gateway to see ${name}.`, hint: '', meters: [meter('Time left', clockText(leftMs), { tone: 'wait' })], leftMs })
    })
    if (view.kind === 'differs') found.differs.push(view.what)
    else found[view.kind].push(name)
    if (view.kind === 'away') away = view.what
  }
  const text = [`${names.join(', ')} moved`, ...(isFoundByMovement ? ['found by movement, not named in the order'] : []), ...(away ? [away] : [])].join('; ')
  const chattering = names.filter((name) => isChatter(context.lines.changes(name)))
  if (chattering.length > 0) return fail(`${chattering.join(', ')} chatters`, 'A loose contact: check the plug, the crimp and the switch of this input, then run the step again.', ['device'])
  if (found.differs.length > 0) return warn(`${text}; ${found.differs.join('; ')}`, 'Wait for the next report and run the step again.', ['device'])
  if (found.notShown.length > 0) return warn(`${text}; the gateway does not show this device`, 'Ask the back office whether the device is registered and its group is yours.', ['device'])
  if (found.notExposed.length > 0) {
    return warn(`${text}; ${found.notExposed.join(', ')} not exposed by the gateway`, 'Seen at the device only: the gateway does not show this input.', ['device'])
  }
  return found.away.length > 0 ? pass(text, ['device']) : pass(`${text}; the gateway agrees`, ['device', 'gateway'])
}

function neverComplete({ lines }: CheckContext, ordered: InputName[] | undefined, missing: InputName[], moved: InputName[], others: InputName[]): Outcome {
  if (!ordered && moved.length > 0) return fail('Nobody said whether these inputs are all', `${moved.join(', ')} moved. Run the step again and confirm them.`, ['device'])
  const half = (ordered ?? inputNames).filter((name) => lines.changes(name).length > 0 && !moved.includes(name))
  const what = ordered ? `${missing.join(', ')} never moved` : 'No input moved'
  if (others.length > 0) return fail(what, `${others.join(', ')} moved instead: the wire is on another input, or the switch side is not connected.`, ['device'])
  if (half.length > 0) return fail(`${half.join(', ')} moved, but did not come back`, 'Operate it again; if it stays, the switch sticks or the wire lies on another circuit.', ['device'])
  return fail(what, 'An input that never moves is not connected: check its wire and take the switch side, not the lamp side.', ['device'])
}

function whatToDo(ordered: InputName[] | undefined, missing: InputName[], moved: InputName[]): string {
  if (missing.length > 0) return `Operate ${missing.join(', ')} twice.`
  if (ordered) return `${ordered.join(', ')} moved. Let them rest.`
  return moved.length > 0 ? `${moved.join(', ')} moved. Are these all?` : 'Operate each wired input twice.'
}

function isChatter(changes: LineChange[]): boolean {
  return changes.some((change, index) => {
    const last = changes[index + chatterChanges - 1]
    return last !== undefined && last.atMs - change.atMs <= chatterWithinMs
  })
}

function readChoice(text: string): InputName[] | 'none' {
  if (/^(none|ninguna|-)?$/i.test(text.trim())) return 'none'
  return inputNames.filter((name) => text.toUpperCase().split(/[\s,;]+/).includes(name))
}

function lastMoved({ lines }: CheckContext): string | undefined {
  const moved = inputNames.flatMap((name) => lines.changes(name).slice(-1).map((change) => ({ name, ...change })))
  return moved.sort((a, b) => b.atMs - a.atMs)[0]?.name
}
