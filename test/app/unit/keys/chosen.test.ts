import { expect, test } from 'vitest'
import { canChange, canMeet, findKeyProblem, keysOf } from '../../../../preload/app/keys/chosen.ts'
import { findShortcut, shortcutRows, type ShortcutId } from '../../../../preload/app/keys/keyTable.ts'
import { changeSettings } from '../../../../main/app/changeSettings.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

function row(id: ShortcutId) {
  const shortcut = findShortcut(id)
  if (!shortcut) throw new Error(id)
  return shortcut
}

test('no two shortcuts that can meet have the same key, or one the first of the other', () => {
  const meetings = shortcutRows.flatMap((one, n) =>
    shortcutRows
      .slice(n + 1)
      .filter(
        (other) =>
          canMeet(one, other) &&
          (one.keys === other.keys || one.keys.startsWith(`${other.keys} `) || other.keys.startsWith(`${one.keys} `))
      )
      .map((other) => `${one.id} ${other.id}`)
  )
  expect(meetings).toEqual([])
  expect(new Set(shortcutRows.map(({ id }) => id)).size).toBe(shortcutRows.length)
})

test('no shortcut has a key that a browser keeps for itself', () => {
  const kept = [...'ntwlrjdhpsofzxcvauqm', ...'0123456789+-', 'tab'].map((key) => `ctrl+${key}`)
  expect(shortcutRows.filter(({ keys }) => kept.includes(keys) || /^(f\d+|alt\+.*)$/.test(keys))).toEqual([])
  expect(shortcutRows.filter(({ keys }) => keys.startsWith('ctrl+')).map(({ keys }) => keys)).toEqual([
    'ctrl+k',
    'ctrl+.'
  ])
})

test('a key of one character can be changed or taken away; the others stay', () => {
  expect(keysOf(row('job.next'), { 'job.next': 'm' })).toBe('m')
  expect(keysOf(row('job.next'), { 'job.next': '' })).toBe('')
  expect(keysOf(row('job.next'), { 'job.next': 'too long' })).toBe('n')
  expect(keysOf(row('app.find'), { 'app.find': 'm' })).toBe('ctrl+k')
  expect(shortcutRows.filter((shortcut) => !canChange(shortcut)).map(({ keys }) => keys)).toEqual([
    'ctrl+k',
    'g s',
    'g d',
    'g j',
    'g v',
    'g i',
    'g t',
    'g w',
    'g ,',
    'g h',
    'ctrl+.',
    'enter',
    'enter',
    'space',
    'escape',
    'enter',
    'enter',
    'space'
  ])
})

test('what is wrong with a choice is told: taken where both can be at work, first of two keys, fixed, no key, unknown', () => {
  expect(findKeyProblem({})).toBeNull()
  expect(findKeyProblem({ 'job.next': 'ñ', 'lists.export': 'shift+e', 'charts.freeze': '' })).toBeNull()
  expect(findKeyProblem({ 'job.next': 'r' })).toEqual({
    kind: 'taken',
    id: 'job.next',
    key: 'r',
    other: 'job.runAgain'
  })
  expect(findKeyProblem({ 'job.next': 'l' })).toEqual({
    kind: 'taken',
    id: 'job.next',
    key: 'l',
    other: 'app.scanLabel'
  })
  expect(findKeyProblem({ 'job.next': 'f' })).toEqual({
    kind: 'taken',
    id: 'job.next',
    key: 'f',
    other: 'charts.freeze'
  })
  expect(findKeyProblem({ 'job.next': 'x' })).toEqual({ kind: 'taken', id: 'job.next', key: 'x', other: 'job.no' })
  expect(findKeyProblem({ 'job.next': 'e' })).toBeNull()
  expect(findKeyProblem({ 'job.next': 'r', 'job.runAgain': 'n' })).toBeNull()
  expect(findKeyProblem({ 'app.newJob': 'g' })).toEqual({
    kind: 'begins',
    id: 'app.newJob',
    key: 'g',
    other: 'go.start'
  })
  expect(findKeyProblem({ 'app.find': 'm' })).toEqual({ kind: 'fixed', id: 'app.find' })
  expect(findKeyProblem({ nothing: 'm' })).toEqual({ kind: 'unknown', id: 'nothing' })
  for (const key of ['N', 'nn', ' ', 'ctrl+m', 'shift+?', '\t'])
    expect(findKeyProblem({ 'job.next': key }), key).toEqual({ kind: 'notOneKey', id: 'job.next', key })
})

test('the core keeps a choice of keys, and refuses one that would do two things with words that name the other', () => {
  const { settings } = openTestStore(tempFolder())
  expect(changeSettings(settings, { keys: { 'job.next': 'm' }, letterKeys: false })).toMatchObject({
    keys: { 'job.next': 'm' },
    letterKeys: false
  })
  let refusal: unknown
  try {
    changeSettings(settings, { keys: { 'job.next': 'r' }, theme: 'dark' })
  } catch (error) {
    refusal = error
  }
  expect(refusal).toBeInstanceOf(AppError)
  expect((refusal as AppError).toData()).toEqual({
    code: 'INVALID_REQUEST',
    message: {
      id: 'windowKeys.problem.taken',
      values: { key: 'R', other: { id: 'windowKeys.name.job.runAgain', values: {} } }
    },
    retryable: false
  })
  expect(settings.get()).toMatchObject({ keys: { 'job.next': 'm' }, theme: 'system' })
})
