import { z } from 'zod'

/**
 * What holds for switching an output, from the profile: data of the customer, not of the code. Jobs keep a copy of the
 * profile they were made with; one from before a limit was added has it from the profile that ships.
 */
export const outputLimits = z.strictObject({
  holdToArmMs: z.number(),
  countdownS: z.number(),
  readBackS: z.number(),
  standstillKmh: z.number(),
  fixAgeS: z.number(),
  conditionsWithinS: z.number(),
  effectWithinS: z.number(),
  /** How old a reading of the lines may be when a decision hangs on it. */
  linesFreshS: z.number(),
  /** How long an output may stay on while the device says nothing. */
  silenceS: z.number(),
  /** By hand, outside of a checklist. */
  mostOnS: z.number(),
  /** By hand, an output is on only under somebody's eyes: how long nobody may ask. */
  watchedWithinS: z.number(),
  /** How often who answers is read again while an output is on. */
  identityEveryS: z.number(),
  /** How long a step or a person waits for the proof of "off". It is tried again after that as well. */
  offWithinS: z.number(),
  /** How long an "on" whose answer was lost may still take effect. */
  lateOnS: z.number(),
  /** The same for one that was answered but is not seen to be on. */
  answeredOnS: z.number(),
  /** How long the end of Fitter waits for the proof of "off". */
  quitWithinS: z.number(),
  /** Through the gateway: how long the button is held. */
  gatewayHoldMs: z.number(),
  /** Through the gateway: how old each input may be. An old line is no line, however fresh the event is. */
  gatewayFreshS: z.number(),
  /** How far in the future it may lie: the clocks of gateway and device differ a little. What lies further ahead is refused. */
  gatewayAheadS: z.number(),
  /** What the gateway does not show by then has expired: nobody may wait for an output that acts later. */
  gatewayExpiresS: z.number()
})
export type OutputLimits = z.infer<typeof outputLimits>
export type GatewayOutputLimits = Pick<OutputLimits, 'gatewayHoldMs' | 'gatewayFreshS' | 'gatewayAheadS' | 'gatewayExpiresS'>

const added = ['linesFreshS', 'silenceS', 'mostOnS', 'watchedWithinS', 'identityEveryS', 'offWithinS', 'lateOnS', 'answeredOnS', 'quitWithinS', 'gatewayHoldMs', 'gatewayFreshS', 'gatewayAheadS', 'gatewayExpiresS'] as const

/** As a job may have it stored. */
export const storedOutputLimits = outputLimits.partial(Object.fromEntries(added.map((name) => [name, true])) as Record<(typeof added)[number], true>)
export type StoredOutputLimits = z.infer<typeof storedOutputLimits>

/** The limits of a job, with those of the profile that ships where its own has none. */
export function completeLimits(stored: Partial<StoredOutputLimits>, shipped: OutputLimits): OutputLimits {
  return { ...shipped, ...Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== undefined)) }
}
