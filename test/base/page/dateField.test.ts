import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, test } from 'vitest'
import DateField from '../../../renderer/base/ui/time/DateField.vue'

beforeEach(() => setActivePinia(createPinia()))

function open(
  type: 'date' | 'month' | 'datetime-local',
  modelValue: string,
  more: { min?: string; max?: string } = {}
) {
  const shown = mount(DateField, {
    props: {
      type,
      modelValue,
      ...more,
      'onUpdate:modelValue': (value: string) => void shown.setProps({ modelValue: value })
    }
  })
  const field = shown.get<HTMLInputElement>('input[type=text]')
  return { shown, field, values: () => (shown.emitted('update:modelValue') ?? []).flat() }
}

test('a day is written year first, whatever the region of the browser', async () => {
  const { field, values } = open('datetime-local', '2026-05-04T06:00')
  expect(field.element.value).toBe('2026-05-04 06:00')
  expect(field.attributes('placeholder')).toBe('YYYY-MM-DD HH:MM')
  await field.setValue('2026-05-04 18:30')
  await field.setValue('2026-05-05T07:15')
  expect(values()).toEqual(['2026-05-04T18:30', '2026-05-05T07:15'])
  expect(open('month', '2026-05').field.element.value).toBe('2026-05')
})

test('what is no day is no value, stays as it was typed and says how to write it', async () => {
  const { field, values } = open('date', '')
  for (const text of ['04/05/2026', '2026-02-30', '2026-13-01', '2026-05']) {
    await field.setValue(text)
    expect(field.element.value).toBe(text)
    expect(field.element.validationMessage, text).toBe('Write it as YYYY-MM-DD.')
    expect(field.attributes('aria-invalid')).toBe('true')
  }
  expect(values().filter((value) => value !== '')).toEqual([])
  await field.setValue('2026-02-28')
  expect(values().at(-1)).toBe('2026-02-28')
  expect(field.element.validationMessage).toBe('')
})

test('a day outside of the limits is refused with the limit, and the calendar gives a day as well', async () => {
  const { shown, field, values } = open('date', '2026-05-04', { min: '2026-05-02', max: '2026-05-10' })
  await field.setValue('2026-05-01')
  expect(field.element.validationMessage).toBe('Not before 2026-05-02')
  await field.setValue('2026-05-11')
  expect(field.element.validationMessage).toBe('Not after 2026-05-10')
  await shown.get('input[type=date]').setValue('2026-05-06')
  expect(values().at(-1)).toBe('2026-05-06')
  expect(field.element.value).toBe('2026-05-06')
})
