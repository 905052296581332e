import { fail, pass, unreadable, warn, type CheckContext, type Outcome } from '../check.ts'
import type { LineChange } from '../../device/lineRecorder.ts'
import { clockText, meter, share } from '../meters.ts'
import { deviceLost } from '../silence.ts'
import { compareGatewayLine } from './gatewayLine.ts'

const missingWire = 'The engine runs but IGN is off: the ignition wire is missing. Connect it to a wire that is live with the key on.'
/** TIG is derived from the supply and follows the key by about this time. */
const rippleLagMs = 2_000

/** IGN follows the key off-on-off the wanted number of times; then TIG must rise while the engine starts. */
export async function checkIgnition(context: CheckContext): Promise<Outcome> {
  const { lines, profile, signal } = context
  const { cycles, engineWithinS, gatewayWithinS, giveUpS } = profile.ignition
  const thresholds = { cycles, engineWithinS }
  let noted = 0
  let notedEngine = 0
  let cyclesDoneMs: number | undefined
  let engineSeen: boolean

  for (;;) {
    const problem = lines.unreadable('IGN') ?? lines.unreadable('TIG')
    if (problem) return unreadable(`Ignition cannot be read: ${problem}`, 'Look at the raw answer; the device may run an older system.')
    const changes = lines.changes('IGN')
    noted = note('IGN', changes, noted)
    notedEngine = note('TIG', lines.changes('TIG'), notedEngine)
    const done = countCycles(changes)
    engineSeen = lines.story('TIG').some((change) => change.on && wasOn(lines.story('IGN'), change.atMs))

    if (done >= cycles) {
      cyclesDoneMs ??= context.monotonicMs()
      if (engineSeen) break
      if (onFor(lines.story('IGN'), context.monotonicMs()) > engineWithinS * 1000) break
      if (context.monotonicMs() - cyclesDoneMs > 4 * engineWithinS * 1000) break
    }
    const isOver = context.elapsedMs() > giveUpS * 1000
    const lost = deviceLost(context, isOver)
    if (lost) return lost
    const value = lines.latest()?.value
    if (changes.length === 0 && value?.IGN === false && onFor(lines.story('TIG'), context.monotonicMs()) > engineWithinS * 1000) {
      context.saw({ witness: 'device', what: `TIG on for ${engineWithinS} s, IGN never`, raw: value, thresholds })
      return fail('Ignition never changed while the engine ran', missingWire, ['device'])
    }
    if (isOver) return neverFollowed(context, changes.length, done)
    const leftMs = giveUpS * 1000 - context.elapsedMs()
    context.show({
      say: done < cycles ? `Turn the key on and off again, ${cycles === 2 ? 'twice' : `${cycles} times`}.` : 'Start the engine.',
      hint: value?.TIG && value.IGN === false ? missingWire : '',
      meters: [
        meter('Ignition now', value?.IGN === undefined ? undefined : value.IGN ? 'on' : 'off'),
        done < cycles
          ? meter('Times seen', `${done} of ${cycles}`, { progress: share(done, cycles) })
          : meter('Engine', value?.TIG ? 'running' : 'not seen', { target: `within ${engineWithinS} s` }),
        meter('Time left', clockText(leftMs), { tone: 'wait', progress: share(leftMs, giveUpS * 1000) })
      ],
      leftMs
    })
    await lines.next(signal)
  }

  const gateway = await compareGatewayLine(context, {
    field: 'io_ign',
    line: 'IGN',
    label: 'Ignition',
    withinS: gatewayWithinS,
    showing: (leftMs) => context.show({ say: 'Waiting for the gateway to see the ignition.', hint: '', meters: [meter('Time left', clockText(leftMs), { tone: 'wait' })], leftMs })
  })
  const followed = `followed the key ${cycles} times`
  if (!engineSeen) {
    return warn(
      `${followed}; the engine was not seen in the supply`,
      'Normal for electric and hybrid vehicles. Otherwise start the engine and run the step again: IGN on and TIG off with a running engine is the ignition wire on the wrong circuit.',
      ['device']
    )
  }
  if (gateway.kind === 'agrees') return pass(`${followed}, engine seen; the gateway agrees`, ['device', 'gateway'])
  if (gateway.kind === 'differs') return warn(`${followed}, engine seen; ${gateway.what}`, 'Wait for the next report and run the step again.', ['device'])
  if (gateway.kind === 'notShown') return warn(`${followed}, engine seen; ${gateway.what}`, 'Ask the back office whether the device is registered and its group is yours.', ['device'])
  return pass(`${followed}, engine seen. ${gateway.what}`, ['device'])

  function note(line: 'IGN' | 'TIG', all: LineChange[], from: number): number {
    for (const change of all.slice(from)) {
      context.saw({
        witness: 'device',
        what: `${line} ${change.on ? 'off → on' : 'on → off'}`,
        raw: { line, on: change.on, readAt: change.readAt },
        thresholds
      })
    }
    return all.length
  }
}

/** How often the line went on and off again. */
function countCycles(changes: LineChange[]): number {
  let cycles = 0
  let wasOnAgain = false
  for (const change of changes) {
    if (change.on) wasOnAgain = true
    else if (wasOnAgain) {
      cycles += 1
      wasOnAgain = false
    }
  }
  return cycles
}

/** True when the line was on at `atMs` or had been just before. */
function wasOn(story: LineChange[], atMs: number): boolean {
  const last = story.filter((change) => change.atMs <= atMs).at(-1)
  return last !== undefined && (last.on || atMs - last.atMs <= rippleLagMs)
}

function onFor(story: LineChange[], nowMs: number): number {
  const last = story.at(-1)
  return last?.on ? nowMs - last.atMs : 0
}

function neverFollowed({ lines }: CheckContext, changes: number, done: number): Outcome {
  if (changes > 0) {
    return fail(`Ignition followed the key ${done} times only`, 'Turn the key on and off, waiting two seconds each time. Many quick changes mean a loose contact.', ['device'])
  }
  const engineRan = lines.story('TIG').some((change) => change.on)
  return fail('Ignition never changed', engineRan ? missingWire : 'Turn the key. If it stays still, the ignition wire is not connected or on the wrong circuit.', ['device'])
}
