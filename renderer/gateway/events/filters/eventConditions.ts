import { shallowRef } from 'vue'
import type { EventCondition, EventLogState } from '../../../../preload/contract/gateway/vehicles/eventLog.ts'
import type { Message } from '../../../../preload/contract/messages.ts'
import type { Comparison } from '../../../../preload/gateway/events/filter.ts'
import { readTypedNumber, writeTypedNumber } from '../../../../preload/base/messages/typedNumber.ts'
import { call } from '../../../base/bridge.ts'
import { say } from '../../../base/say.ts'
import { useToasts } from '../../../base/shell/toasts.store.ts'
import { t } from '../../../base/texts.ts'
import { fieldName, fieldUnit, valueText, type FieldInfo } from './fieldTexts.ts'

export interface ConditionWords {
  kinds: EventLogState['kinds']
  labels: readonly { label: string; what: Message; n: number }[]
  fields: readonly FieldInfo[]
}

/** The maximum number of conditions of a filter. */
export const mostConditions = 12

/** The labels of the loaded events in words, from the first time that someone needs them. */
export function useLabels(logId: () => string) {
  const labels = shallowRef<ConditionWords['labels']>([])
  const toasts = useToasts()
  async function loadLabels(): Promise<void> {
    if (logId() === '') return
    try {
      labels.value = (await call('eventLog.labels', { id: logId() })).labels
    } catch (cause) {
      toasts.sayFailure(cause)
    }
  }
  return { labels, loadLabels }
}

/** Comparisons for a value: numbers by size, everything else only for equality. */
export function comparisonsOf(name: string, fields: readonly FieldInfo[]): readonly Comparison[] {
  const isInOrder =
    fields.find((field) => field.name === name)?.type === 'number' &&
    !['type', 'code', 'aid', 'device_id', 'vid', 'id'].includes(name)
  return isInOrder ? ['over', 'atLeast', 'under', 'atMost', 'equal', 'notEqual'] : ['equal', 'notEqual']
}

/** A condition in two parts: its field, and the required value. */
export function sayCondition(
  { field, is, value }: EventCondition,
  words: ConditionWords
): { about: string; value: string } {
  return {
    about: `${field === 'type' ? t('common.kind') : fieldName(field, words.fields)} ${t(`windowEventLog.is.${is}`)}`,
    value: sayValue(field, value, words)
  }
}

function sayValue(field: string, value: EventCondition['value'], { kinds, labels }: ConditionWords): string {
  if (field === 'type') {
    const kind = kinds.find(({ type }) => type === value)
    return kind ? say(kind.what) : String(value)
  }
  if (field === 'label') {
    const label = labels.find((one) => one.label === value)
    return label ? say(label.what) : String(value)
  }
  return valueText(field, value)
}

/** The two numbers that a typed one can mean; null when it means one or none. */
export function twoNumbers(type: string, text: string): readonly [string, string] | null {
  const [one, other] = type === 'number' ? readTypedNumber(text) : []
  return one === undefined || other === undefined ? null : [writeTypedNumber(one), writeTypedNumber(other)]
}

/**
 * The typed value, converted from displayed units; null when it is not valid for this field, or could be two numbers.
 */
export function readValue(field: string, type: string, text: string): EventCondition['value'] | null {
  if (type === 'boolean') return text === 'true'
  if (type !== 'number') return text === '' ? null : text
  const [number, other] = readTypedNumber(text)
  if (number === undefined || other !== undefined) return null
  return Math.round((number / fieldUnit(field).factor) * 1e6) / 1e6
}
