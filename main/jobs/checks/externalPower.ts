import { fail, pass, unreadable, warn, type CheckContext, type Outcome } from '../check.ts'
import { clockText, meter, share } from '../meters.ts'
import { deviceLost } from '../silence.ts'

/**
 * PWR true for the whole hold time; one short drop is a warning, a longer one or a second one a failure. Before it was
 * seen for the first time there is nothing to drop. A gap in our own reading starts the time anew.
 */
export async function checkExternalPower(context: CheckContext): Promise<Outcome> {
  const { lines, profile, signal } = context
  const { holdS, shortDropS, giveUpS } = profile.externalPower
  const holdMs = holdS * 1000
  const shortDropMs = shortDropS * 1000
  const thresholds = { holdS, shortDropS }
  let heldFromMs: number | undefined
  let lastAtMs: number | undefined
  let dropSinceMs: number | undefined
  let drops = 0
  let gaps = 0
  let wasSeen = false
  let noted: boolean | undefined

  for (;;) {
    const sample = lines.latest()
    if (sample && sample.atMs !== lastAtMs) {
      const on = sample.value.PWR
      if (on === undefined) {
        return unreadable(`External power cannot be read: ${lines.unreadable('PWR')}`, 'Look at the raw answer; the device may run an older system.')
      }
      const isGap = lastAtMs !== undefined && sample.atMs - lastAtMs > shortDropMs
      if (isGap) gaps += 1
      if (on !== noted) {
        context.saw({ witness: 'device', what: `PWR ${on ? 'present' : 'absent'}`, raw: sample.value, thresholds })
        noted = on
      }
      if (on) {
        if (dropSinceMs !== undefined) drops += 1
        dropSinceMs = undefined
        wasSeen = true
        // Whatever happened while nobody looked: the time that counts begins after it.
        if (isGap || heldFromMs === undefined) heldFromMs = sample.atMs
      } else if (wasSeen) dropSinceMs ??= sample.atMs
      lastAtMs = sample.atMs
    }
    const droppedMs = dropSinceMs === undefined || lastAtMs === undefined ? 0 : lastAtMs - dropSinceMs
    if (droppedMs >= shortDropMs || drops > 1) {
      const what = droppedMs >= shortDropMs ? `External power was away for over ${shortDropS} s` : `External power dropped ${drops} times`
      context.saw({ witness: 'device', what, raw: { PWR: lines.changes('PWR').map(({ on, readAt }) => ({ on, readAt })) }, thresholds })
      return fail(what, dropRemedy(context), ['device'])
    }
    const heldMs = dropSinceMs === undefined && heldFromMs !== undefined && lastAtMs !== undefined ? lastAtMs - heldFromMs : 0
    if (heldMs >= holdMs) {
      context.saw({ witness: 'device', what: `PWR held for ${Math.round(heldMs / 1000)} s`, raw: lines.latest()?.value, thresholds })
      return drops === 0
        ? pass(`steady for ${holdS} s`, ['device'])
        : warn(`present for ${holdS} s, with one drop under ${shortDropS} s`, dropRemedy(context), ['device'])
    }
    const isOver = context.elapsedMs() > giveUpS * 1000
    const lost = deviceLost(context, isOver)
    if (lost) return lost
    if (isOver) {
      if (!wasSeen) return fail('The device sees no external power', 'Check the fuse, the permanent feed and the ground of the device.', ['device'])
      return gaps > 0
        ? unreadable(`External power could not be watched for ${holdS} s on end: the device answered too seldom`, 'Go nearer to the device or use a cable, then run the step again.')
        : fail(`External power did not stay for ${holdS} s`, dropRemedy(context), ['device'])
    }
    context.show({
      say: 'Leave the power connected.',
      hint: noted === false ? 'The device sees no external power: check the fuse, the permanent feed and the ground.' : '',
      meters: [
        meter('External power', noted === undefined ? undefined : noted ? 'present' : 'absent', { tone: noted === false ? 'fail' : 'pass', target: 'present' }),
        meter('Held', Math.floor(heldMs / 1000), { unit: 's', target: `${holdS} s`, progress: share(heldMs, holdMs) }),
        meter('Time left', clockText(holdMs - heldMs), { tone: 'wait' })
      ],
      leftMs: Math.max(0, holdMs - heldMs)
    })
    await lines.next(signal)
  }
}

/** A drop while the key is on is a feed that the ignition switch interrupts, or one that breaks down while cranking. */
function dropRemedy({ lines }: CheckContext): string {
  const ignition = lines.story('IGN')
  // The key and the feed may change within one reading: then the key was turned just then.
  const isKeyOn = (atMs: number) => ignition.some((change) => change.on && change.atMs === atMs) || ignition.filter((change) => change.atMs < atMs).at(-1)?.on === true
  const droppedWithKey = lines.changes('PWR').some((change) => !change.on && isKeyOn(change.atMs))
  return droppedWithKey
    ? 'Power drops while cranking or with the key turned: it hangs on a switched feed, or the ground is bad. Use the permanent feed.'
    : 'Look for a loose contact in the feed, the fuse holder or the ground.'
}
