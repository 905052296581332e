import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { Fields } from './fields.ts'

export type EcuFlag = 'B' | 'D' | 'F' | 'O' | 'T' | 'U'

export interface EcuFlagMeaning {
  flag: EcuFlag
  meaning: Message
  /** The values are valid only with T. */
  isValid: boolean
  remedy: Message | null
}

const flags: Record<EcuFlag, EcuFlagMeaning> = {
  B: {
    flag: 'B',
    meaning: message('engineBus.upgrading'),
    isValid: false,
    remedy: message('engineBus.waitForUpgrade')
  },
  D: { flag: 'D', meaning: message('engineBus.notDetected'), isValid: false, remedy: message('engineBus.checkWires') },
  F: { flag: 'F', meaning: message('engineBus.engineOff'), isValid: false, remedy: message('engineBus.startEngine') },
  O: {
    flag: 'O',
    meaning: message('engineBus.noNewValue', { withinMin: 2 }),
    isValid: false,
    remedy: message('engineBus.keepRunning')
  },
  T: { flag: 'T', meaning: message('engineBus.engineRuns'), isValid: true, remedy: null },
  U: { flag: 'U', meaning: message('engineBus.notGiven'), isValid: false, remedy: null }
}

/** Meaning of an `ecu_<name>_flag`; undefined for an undocumented letter. */
export function describeEcuFlag(flag: unknown): EcuFlagMeaning | undefined {
  return typeof flag === 'string' && Object.hasOwn(flags, flag) ? flags[flag as EcuFlag] : undefined
}

export interface EcuReading {
  /** Without the prefix `ecu_`. */
  name: string
  /** Unchanged, not scaled; null unless it is valid. */
  value: number | string | boolean | null
  flag: EcuFlagMeaning | undefined
}

/** The engine-bus values of a rawdata event. A value is valid only with flag T; without a flag it is unknown. */
export function readEcuFields(event: Fields): EcuReading[] {
  const names = new Set<string>()
  for (const key of Object.keys(event)) {
    const match = /^ecu_(.+?)(_flag)?$/.exec(key)
    if (match?.[1] && !/^(tires_psi|tires_tmp|tpms_warnings|tpms_provision)$/.test(match[1])) names.add(match[1])
  }
  return [...names].map((name) => {
    const flag = describeEcuFlag(event[`ecu_${name}_flag`])
    const value = event[`ecu_${name}`]
    const isUsable =
      flag?.isValid === true && (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean')
    return { name, value: isUsable ? value : null, flag }
  })
}

export interface EcuParameter {
  name: string
  description: string
  /** The divisor of the raw value; 1 when the description states none. */
  divisor: number
}

/**
 * `params` of the engine-bus state: [name, description] pairs, some with a divisor in words such as `total fuel /10`.
 */
export function readEcuParameters(params: unknown): EcuParameter[] {
  if (!Array.isArray(params)) return []
  return params.flatMap((pair: unknown) => {
    if (!Array.isArray(pair) || typeof pair[0] !== 'string') return []
    const description = typeof pair[1] === 'string' ? pair[1] : ''
    return [{ name: pair[0], description, divisor: divisorIn(description) }]
  })
}

// A unit such as km/100 has letters before its slash; a divisor has none.
function divisorIn(description: string): number {
  const match = /(?:^|[\s(])(?:\/|÷|divided by|divide by)\s*(10{0,6})(?![\d.])/i.exec(description)
  return match ? Number(match[1]) : 1
}
