import type { PolicyState } from '../../preload/contract/app/policy.ts'
import { updateChannel, type UpdatesState } from '../../preload/contract/app/updates.ts'

/** The company's decisions about updates. Values that cannot be read were left out when the policy was read. */
export function readUpdatePolicy({ file, contact, values }: PolicyState) {
  const own = values.filter(({ key }) => key.startsWith('updates.'))
  const text = (name: string): string | undefined => own.flatMap(({ key, value }) => (key === `updates.${name}` && typeof value === 'string' ? [value] : []))[0]
  const [isOff, version, feed] = [text('mode') === 'off', text('version'), text('feed')]
  const channel = updateChannel.safeParse(text('channel')).data
  const lines = own.map(({ line }) => line)
  /** The same for a person; null when there is none. */
  const shown: UpdatesState['policy'] = own.length === 0 ? null : { isOff, version: version ?? null, channel: channel ?? null, feed: feed ?? null, file, lines: { from: Math.min(...lines), to: Math.max(...lines) }, contact }
  return { isOff, version, channel, feed, shown }
}
