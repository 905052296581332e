export type UpdateState = 'upToDate' | 'available' | 'inProgress' | 'updated' | 'failed' | 'other'

const messages: readonly [RegExp, UpdateState][] = [
  [/^up to date/i, 'upToDate'],
  [/^update available/i, 'available'],
  [/^update in progress/i, 'inProgress'],
  [/^successfully updated/i, 'updated']
]

/**
 * One of the four documented messages of the update check, its documented error, or something else, with the device's
 * text.
 */
export function readUpdateMessage(value: unknown): { state: UpdateState; said: string } {
  const { mess, error } = (typeof value === 'object' && value !== null ? value : {}) as {
    mess?: unknown
    error?: unknown
  }
  if (typeof error === 'string' && typeof mess !== 'string') return { state: 'failed', said: error }
  const said = typeof mess === 'string' ? mess.trim() : ''
  return { state: messages.find(([pattern]) => pattern.test(said))?.[1] ?? 'other', said }
}
