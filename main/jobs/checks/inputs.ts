import { fail, pass, unreadable, warn, type CheckContext, type Outcome } from '../check.ts'
import type { LineName } from '../lines.ts'
import { meter, share } from '../meters.ts'
import { deviceLost } from '../silence.ts'
import { compareGatewayLine } from './gatewayLine.ts'

const inputNames = ['IN1', 'IN2', 'IN3', 'IN4', 'IN5', 'IN6', 'IN7'] as const satisfies readonly LineName[]
type InputName = (typeof inputNames)[number]
/** More changes than this in two seconds are no hand on a switch. */
const chatterChanges = 8

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
  const asked = context.ask({
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
      ordered = chosen
    }
    for (const name of inputNames) {
      const all = lines.changes(name)
      for (const change of all.slice(noted.get(name) ?? 0)) {
        context.saw({
          witness: 'device',
          what: `${name} ${change.on ? 'off → on' : 'on → off'}`,
          raw: { line: name, on: change.on, readAt: change.readAt },
          thresholds
        })
      }
      noted.set(name, all.length)
    }
    const broken = (ordered ?? inputNames).map((name) => lines.unreadable(name)).find((problem) => problem !== undefined)
    if (broken && (ordered || inputNames.every((name) => lines.unreadable(name)))) {
      return unreadable(`An input cannot be read: ${broken}`, 'Look at the raw answer; the device may run an older system.')
    }
    const toggled = inputNames.filter((name) => lines.changes(name).length >= wantedChanges)
    const chattering = inputNames.find((name) => lines.changes(name).filter((change) => context.monotonicMs() - change.atMs < 2_000).length > chatterChanges)
    const missing = (ordered ?? []).filter((name) => !toggled.includes(name))
    // Without an order, quiet after the last movement says that there is no further input to come.
    const isQuiet = context.monotonicMs() - lastChangeMs(context) >= quietS * 1000
    const isComplete = ordered ? missing.length === 0 : toggled.length > 0 && answer?.answer === true && isQuiet
    if (isComplete) {
      context.unask()
      return judge(context, ordered ?? toggled, ordered === undefined, gatewayWithinS)
    }
    const lost = deviceLost(context)
    if (lost) return lost
    const leftMs = giveUpS * 1000 - context.elapsedMs()
    if (leftMs <= 0) {
      const moved = toggled.filter((name) => !missing.includes(name))
      return fail(
        ordered ? `${missing.join(', ')} never moved` : 'No input moved',
        moved.length > 0 && ordered
          ? `${moved.join(', ')} moved instead: the wire is on another input, or the switch side is not connected.`
          : 'An input that never moves is not connected: check its wire and take the switch side, not the lamp side.',
        ['device']
      )
    }
    context.show({
      say: ordered ? `Operate ${missing.join(', ')} twice.` : toggled.length > 0 ? `${toggled.join(', ')} moved. Are these all?` : 'Operate each wired input twice.',
      hint: chattering ? `${chattering} chatters: a loose contact.` : '',
      meters: [
        meter('Inputs seen', ordered ? `${ordered.length - missing.length} of ${ordered.length}` : toggled.length, {
          progress: ordered ? share(ordered.length - missing.length, ordered.length) : null,
          tone: toggled.length > 0 ? 'pass' : 'live'
        }),
        meter('Last moved', lastMoved(context))
      ],
      leftMs
    })
    await (asked.given ? lines.next(signal) : Promise.race([lines.next(signal), asked.answered]))
  }
}

async function judge(context: CheckContext, names: InputName[], isFoundByMovement: boolean, withinS: number): Promise<Outcome> {
  const onBoth: string[] = []
  const deviceOnly: string[] = []
  const differing: string[] = []
  const notes: string[] = isFoundByMovement ? ['found by movement, not named in the order'] : []
  for (const name of names) {
    const view = await compareGatewayLine(context, {
      field: `io_${name.toLowerCase()}`,
      label: name,
      deviceValue: () => context.lines.latest()?.value[name],
      lastChangeMs: context.lines.changes(name).at(-1)?.atMs ?? 0,
      withinS,
      showing: (leftMs) => context.show({ say: `Waiting for the gateway to see ${name}.`, hint: '', meters: [], leftMs })
    })
    if (view.kind === 'agrees') onBoth.push(name)
    else if (view.kind === 'differs') differing.push(view.what)
    else {
      deviceOnly.push(name)
      if (view.kind === 'away') notes.push(view.what)
    }
  }
  const text = [`${names.join(', ')} moved`, ...notes].join('; ')
  if (differing.length > 0) return warn(`${text}; ${differing.join('; ')}`, 'Wait for the next report and run the step again.', ['device'])
  if (deviceOnly.length > 0 && onBoth.length + deviceOnly.length === names.length) {
    const isOnlyAway = notes.some((note) => note.startsWith('The gateway could not be asked'))
    if (isOnlyAway) return pass(text, ['device'])
    return warn(`${text}; ${deviceOnly.join(', ')} not exposed by the gateway`, 'Seen at the device only: the gateway does not show this input.', ['device'])
  }
  return pass(`${text}; the gateway agrees`, ['device', 'gateway'])
}

function readChoice(text: string): InputName[] | 'none' {
  if (/^(none|ninguna|-)?$/i.test(text.trim())) return 'none'
  return inputNames.filter((name) => text.toUpperCase().split(/[\s,;]+/).includes(name))
}

function lastChangeMs({ lines }: CheckContext): number {
  return Math.max(...inputNames.map((name) => lines.changes(name).at(-1)?.atMs ?? -Infinity))
}

function lastMoved({ lines }: CheckContext): string | undefined {
  const moved = inputNames.flatMap((name) => lines.changes(name).slice(-1).map((change) => ({ name, ...change })))
  return moved.sort((a, b) => b.atMs - a.atMs)[0]?.name
}
