import { expect, test } from 'vitest'
import { createTolerances } from '../../../../main/support/diagnosis/tolerances.ts'
import { defaultSettings } from '../../../../preload/app/defaultSettings.ts'
import { toleranceIds } from '../../../../preload/contract/support/tolerances.ts'
import { quickProfile } from '../../../world/device/quickProfile.ts'

function openTolerances() {
  let settings = defaultSettings
  const told: unknown[] = []
  const tolerances = createTolerances({
    profile: () => quickProfile,
    settings: { get: () => settings, change: (change) => (settings = { ...settings, ...change }) },
    changed: (now) => told.push(now.tolerances)
  })
  return { tolerances, told, keep: (kept: Record<string, number>) => (settings = { ...settings, tolerances: kept }) }
}

test('the tolerances are those of the profile until a person changes one, and go back to them', () => {
  const { tolerances, told } = openTolerances()
  expect(tolerances.list().tolerances.map(({ id }) => id)).toEqual([...toleranceIds])
  expect(tolerances.current()).toMatchObject({ positionM: 50, clockS: 5 })
  expect(tolerances.set('positionM', 120).tolerances.find(({ id }) => id === 'positionM')).toEqual({
    id: 'positionM',
    value: 120,
    standard: 50,
    unit: 'm',
    least: 5,
    most: 10_000
  })
  expect(tolerances.current().positionM).toBe(120)
  tolerances.set('clockS', 60)
  tolerances.set('positionM', null)
  expect(tolerances.current()).toMatchObject({ positionM: 50, clockS: 60 })
  expect(tolerances.reset().tolerances.every(({ value, standard }) => value === standard)).toBe(true)
  expect(told).toEqual([{ positionM: 120 }, { positionM: 120, clockS: 60 }, { clockS: 60 }, {}])
})

test('a tolerance beyond its limits is refused, and one that was kept beyond them is not followed', () => {
  const { tolerances, keep } = openTolerances()
  expect(() => tolerances.set('positionM', 1)).toThrow()
  expect(() => tolerances.set('headingDeg', 181)).toThrow()
  keep({ positionM: 1, clockS: 30, other: 5 })
  expect(tolerances.current()).toMatchObject({ positionM: 50, clockS: 30 })
})
