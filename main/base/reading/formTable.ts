import table from '../../../resources/forms.json' with { type: 'json' }

/**
 * How a form is recognised and read. `reader` names a function of its own; the others are carried out as they stand
 * here.
 */
type FormRule =
  /** Numbers that share a unit, by the largest of them: within the range, `times` gives the documented unit. */
  | { kind: 'scale'; group: readonly string[]; from: number; to: number; times: number; keysOf?: string }
  | { kind: 'name'; from: string; to: string }
  | { kind: 'flagText' }
  | { kind: 'nothingStored' }
  | { kind: 'without'; fields: readonly string[] }
  /** What the device does not know: null or false is the same as a field that is missing. */
  | { kind: 'leftOut'; fields: readonly string[] }
  /** Names of networks as scan tools print them; `*` is each item of a list. */
  | { kind: 'escapedName'; path: string }
  /** A field of a device's record at the gateway. `when`: it counts only while this field is true. */
  | { kind: 'path'; meaning: 'heardAt' | 'happenedAt' | 'hasPosition' | 'signal'; path: string; when?: string }
  | { kind: 'reader'; reader: string }

/** One form of a field that the API documents leave open. The simulator reads the same table. */
export interface FormRow {
  id: string
  side: 'device' | 'gateway'
  /** An operation of the device, or a record of the gateway. */
  where: string
  field: string
  form: string
  seen: 'document' | 'maker' | 'sdk' | 'client'
  source: string
  reading: string
  rule: FormRule
  told: unknown
  read: unknown
  /** The forms of the simulator that have it. */
  spokenBy: readonly ('document' | 'maker' | 'mixed')[]
  /** Why the simulator never has it. */
  notSpoken?: string
}

export const formRows = table as readonly unknown[] as readonly FormRow[]

/** The names under which answers of an operation have a field, the documented one first. */
export function namesOf(operation: string, field: string): string[] {
  const names = formRows.flatMap(({ where, rule }) =>
    where === operation && rule.kind === 'name' && rule.to === field ? [rule.from] : []
  )
  return [...new Set([field, ...names])]
}
