import { fail, pass, unreadable, warn, type CheckContext, type Outcome } from '../check.ts'
import type { LineChange } from '../lines.ts'
import { meter, share } from '../meters.ts'
import { deviceLost } from '../silence.ts'
import { compareGatewayLine } from './gatewayLine.ts'

/** IGN follows the key off-on-off the wanted number of times; then TIG must rise while the engine starts. */
export async function checkIgnition(context: CheckContext): Promise<Outcome> {
  const { lines, profile, signal } = context
  const { cycles, engineWithinS, gatewayWithinS, giveUpS } = profile.ignition
  const thresholds = { cycles, engineWithinS }
  let noted = 0
  let notedEngine = 0
  let cyclesDoneMs: number | undefined

  for (;;) {
    const problem = lines.unreadable('IGN') ?? lines.unreadable('TIG')
    if (problem) return unreadable(`Ignition cannot be read: ${problem}`, 'Look at the raw answer; the device may run an older system.')
    const changes = lines.changes('IGN')
    noted = note('IGN', changes, noted)
    notedEngine = note('TIG', lines.changes('TIG'), notedEngine)
    const done = countCycles(changes)
    const engineSeen = lines.story('TIG').some((change) => change.on && wasOn(lines.story('IGN'), change.atMs, engineWithinS * 1000))

    if (done >= cycles) {
      cyclesDoneMs ??= context.monotonicMs()
      if (engineSeen) break
      if (onFor(lines.story('IGN'), context.monotonicMs()) > engineWithinS * 1000) break
      if (context.monotonicMs() - cyclesDoneMs > 4 * engineWithinS * 1000) break
    }
    const lost = deviceLost(context)
    if (lost) return lost
    if (context.elapsedMs() > giveUpS * 1000) return neverFollowed(context, changes.length, done)
    const leftMs = giveUpS * 1000 - context.elapsedMs()
    const on = lines.latest()?.value.IGN
    context.show({
      say: done < cycles ? 'Turn the key on and off again, twice.' : 'Start the engine.',
      hint: hintFor(context),
      meters: [
        meter('Ignition now', on === undefined ? undefined : on ? 'on' : 'off'),
        done < cycles
          ? meter('Times seen', `${done} of ${cycles}`, { progress: share(done, cycles) })
          : meter('Engine', lines.latest()?.value.TIG ? 'running' : 'not seen', { target: `within ${engineWithinS} s` })
      ],
      leftMs
    })
    await lines.next(signal)
  }

  const engineSeen = lines.story('TIG').some((change) => change.on)
  const gateway = await compareGatewayLine(context, {
    field: 'io_ign',
    label: 'Ignition',
    deviceValue: () => lines.latest()?.value.IGN,
    lastChangeMs: lines.changes('IGN').at(-1)?.atMs ?? 0,
    withinS: gatewayWithinS,
    showing: (leftMs) => context.show({ say: 'Waiting for the gateway to see the ignition.', hint: '', meters: [], leftMs })
  })
  const followed = `followed the key ${cycles} times`
  if (!engineSeen) {
    return warn(
      `${followed}; the engine was not seen in the supply`,
      'Normal for electric and hybrid vehicles. Otherwise start the engine and run the step again: IGN on and TIG off with a running engine is the ignition wire on the wrong circuit.',
      ['device']
    )
  }
  if (gateway.kind === 'differs') return warn(`${followed}, engine seen; ${gateway.what}`, 'Wait for the next report and run the step again.', ['device'])
  if (gateway.kind === 'agrees') return pass(`${followed}, engine seen; the gateway agrees`, ['device', 'gateway'])
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

/** True when the line was on at `atMs` or had been within `marginMs` before it. */
function wasOn(story: LineChange[], atMs: number, marginMs: number): boolean {
  const before = story.filter((change) => change.atMs <= atMs)
  const last = before.at(-1)
  return last !== undefined && (last.on || atMs - last.atMs <= Math.min(marginMs, 2_000))
}

function onFor(story: LineChange[], nowMs: number): number {
  const last = story.at(-1)
  return last?.on ? nowMs - last.atMs : 0
}

function hintFor({ lines }: CheckContext): string {
  const value = lines.latest()?.value
  if (value?.TIG && !value.IGN) return 'The engine runs but IGN is off: the ignition wire is missing or on the wrong circuit.'
  return ''
}

function neverFollowed(context: CheckContext, changes: number, done: number): Outcome {
  const { lines } = context
  const engineRan = lines.story('TIG').some((change) => change.on)
  if (changes === 0) {
    return fail(
      'Ignition never changed',
      engineRan
        ? 'The engine was seen running without IGN: the ignition wire is missing. Connect it to a wire that is live with the key on.'
        : 'Turn the key. If it stays still, the ignition wire is not connected or on the wrong circuit.',
      ['device']
    )
  }
  return fail(`Ignition followed the key ${done} times only`, 'Turn the key on and off, waiting two seconds each time. Many quick changes mean a loose contact.', ['device'])
}
