import { z } from 'zod'

/**
 * The limits for switching an output: data of the customer. A job's profile without a newer limit gets the delivered
 * one.
 */
export const outputLimits = z.strictObject({
  holdToArmMs: z.number(),
  countdownS: z.number(),
  readBackS: z.number(),
  standstillKmh: z.number(),
  fixAgeS: z.number(),
  conditionsWithinS: z.number(),
  effectWithinS: z.number(),
  /** The maximum age of a line reading for a decision. */
  linesFreshS: z.number(),
  /** How long fixes must have shown one place: a single fix with a speed of 0 is no standstill. */
  stillS: z.number(),
  /** How long an output may stay on while the device is silent. */
  silenceS: z.number(),
  /** Manually, outside of a checklist. */
  mostOnS: z.number(),
  /** Manually, an output is on only while someone watches: the longest time without a call. */
  watchedWithinS: z.number(),
  /** How often the device's identity is checked while an output is on. */
  identityEveryS: z.number(),
  /** How long a step or a person waits for the proof of "off". Fitter continues to try afterwards. */
  offWithinS: z.number(),
  /** How long an unanswered "on" may still take effect. */
  lateOnS: z.number(),
  /** The same for one that was answered but does not read on. */
  answeredOnS: z.number(),
  /** How long the end of Fitter waits for the proof of "off". */
  quitWithinS: z.number(),
  /** Through the gateway: how long the button must be held. */
  gatewayHoldMs: z.number(),
  /** Through the gateway: the maximum age of each input. An old line does not count, however fresh the event is. */
  gatewayFreshS: z.number(),
  /** How far in the future it may be: the clocks of gateway and device differ slightly. Anything later is refused. */
  gatewayAheadS: z.number(),
  /** What the gateway does not show by then has expired: nobody may wait for an output that acts later. */
  gatewayExpiresS: z.number(),
  /** Through the gateway: how long a confirmed output stays on before Fitter switches it off. */
  gatewayMostOnS: z.number()
})
export type OutputLimits = z.infer<typeof outputLimits>
export type GatewayOutputLimits = Pick<
  OutputLimits,
  'gatewayHoldMs' | 'gatewayFreshS' | 'gatewayAheadS' | 'gatewayExpiresS'
>

const added = [
  'linesFreshS',
  'stillS',
  'silenceS',
  'mostOnS',
  'watchedWithinS',
  'identityEveryS',
  'offWithinS',
  'lateOnS',
  'answeredOnS',
  'quitWithinS',
  'gatewayHoldMs',
  'gatewayFreshS',
  'gatewayAheadS',
  'gatewayExpiresS',
  'gatewayMostOnS'
] as const

/** As a job may have it stored. */
export const storedOutputLimits = outputLimits.partial(
  Object.fromEntries(added.map((name) => [name, true])) as Record<(typeof added)[number], true>
)
export type StoredOutputLimits = z.infer<typeof storedOutputLimits>

/** The limits of a job, with those of the delivered profile where its own lacks one. */
export function completeLimits(stored: Partial<StoredOutputLimits>, shipped: OutputLimits): OutputLimits {
  return { ...shipped, ...Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== undefined)) }
}
