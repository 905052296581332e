import { fail, pass, unreadable, warn, type CheckContext, type Outcome } from '../check.ts'
import { meter, share } from '../meters.ts'
import { deviceLost } from '../silence.ts'

/** PWR true for the whole hold time; one short drop is a warning. A gap in our own reading starts the time anew. */
export async function checkExternalPower(context: CheckContext): Promise<Outcome> {
  const { lines, profile, signal } = context
  const { holdS, shortDropS, giveUpS } = profile.externalPower
  const holdMs = holdS * 1000
  const shortDropMs = shortDropS * 1000
  const thresholds = { holdS, shortDropS }
  let windowMs = context.monotonicMs()
  let lastAtMs: number | undefined
  let dropSinceMs: number | undefined
  let shortDrops = 0
  let seen: boolean | undefined

  for (;;) {
    const sample = lines.latest()
    if (sample && sample.atMs !== lastAtMs) {
      const on = sample.value.PWR
      if (on === undefined) {
        return unreadable(`External power cannot be read: ${lines.unreadable('PWR')}`, 'Look at the raw answer; the device may run an older system.')
      }
      if (lastAtMs !== undefined && sample.atMs - lastAtMs > shortDropMs && dropSinceMs === undefined) restart(sample.atMs)
      if (on !== seen) {
        context.saw({ witness: 'device', what: `PWR ${on ? 'present' : 'absent'}`, raw: sample.value, thresholds })
        seen = on
      }
      if (!on) dropSinceMs ??= sample.atMs
      else if (dropSinceMs !== undefined) {
        const droppedMs = sample.atMs - dropSinceMs
        dropSinceMs = undefined
        if (droppedMs < shortDropMs && shortDrops === 0) shortDrops = 1
        else restart(sample.atMs)
      }
      lastAtMs = sample.atMs
    }
    const heldMs = dropSinceMs === undefined && lastAtMs !== undefined ? lastAtMs - windowMs : 0
    if (seen && heldMs >= holdMs) {
      const last = lines.latest()
      context.saw({ witness: 'device', what: `PWR held for ${Math.round(heldMs / 1000)} s`, raw: last?.value, thresholds })
      return shortDrops === 0
        ? pass(`steady for ${holdS} s`, ['device'])
        : warn(`steady for ${holdS} s, with one drop under ${shortDropS} s`, crankingRemedy(context), ['device'])
    }
    const lost = deviceLost(context)
    if (lost) return lost
    if (context.elapsedMs() > giveUpS * 1000) {
      return fail(
        seen ? `External power did not stay for ${holdS} s` : 'The device sees no external power',
        seen ? crankingRemedy(context) : 'Check the fuse, the permanent feed and the ground of the device.',
        ['device']
      )
    }
    context.show({
      say: 'Leave the power connected.',
      hint: seen === false ? 'The device sees no external power: check the fuse, the permanent feed and the ground.' : '',
      meters: [
        meter('External power', seen === undefined ? undefined : seen ? 'present' : 'absent', { tone: seen ? 'pass' : 'fail', target: 'present' }),
        meter('Held', Math.floor(heldMs / 1000), { unit: 's', target: `${holdS} s`, progress: share(heldMs, holdMs) })
      ],
      leftMs: Math.max(0, holdMs - heldMs)
    })
    await lines.next(signal)
  }

  function restart(atMs: number): void {
    windowMs = atMs
    shortDrops = 0
  }
}

/** A drop while the key is on and the engine not yet running is a feed that the ignition switch interrupts. */
function crankingRemedy({ lines }: CheckContext): string {
  const ignition = lines.story('IGN')
  const isKeyOn = (atMs: number) => ignition.filter((change) => change.atMs <= atMs).at(-1)?.on === true
  const droppedWithKey = lines.changes('PWR').some((change) => !change.on && isKeyOn(change.atMs))
  return droppedWithKey
    ? 'Power drops while the key is turned: it hangs on a switched feed, or the ground is bad. Use the permanent feed.'
    : 'Look for a loose contact in the feed, the fuse holder or the ground.'
}
