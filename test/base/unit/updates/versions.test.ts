import { describe, expect, it } from 'vitest'
import { decide, type Installation } from '../../../../main/base/updates/decide.ts'
import type { Feed } from '../../../../main/base/updates/feedForm.ts'
import { parseVersion } from '../../../../main/base/updates/versions.ts'

describe('versions', () => {
  it('have the order of semver', () => {
    const ordered = [
      '0.9.9',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.0.1',
      '1.2.0',
      '1.10.0',
      '2.0.0'
    ]
    expect([...ordered].reverse().sort((one, other) => Number(parseVersion(one)?.compare(other)))).toEqual(ordered)
    expect(parseVersion('1.2.3')?.compare('1.2.3')).toBe(0)
  })

  it.each([
    '',
    '1',
    '1.2',
    '1.2.3.4',
    'v1.2.3',
    '01.2.3',
    '1.2.3-',
    '1.2.3-01',
    '1.2.3+build',
    '1.2.x',
    ' 1.2.3',
    `1.2.3-${'a'.repeat(100)}`
  ])('"%s" is none', (text) => {
    expect(parseVersion(text)).toBeUndefined()
  })

  it.each([
    ['1.4.2', '1.4.2', true],
    ['1.4.3', '1.4.2', false],
    ['1.4.9', '1.4.x', true],
    ['1.40.0', '1.4.x', false],
    ['1.5.0', '1.4.x', false],
    ['1.9.9', '1.x', true],
    ['10.0.0', '1.x', false],
    ['1.4.9-beta.1', '1.4.x', false],
    ['1.4.9-beta.1', '1.4.9-beta.1', true]
  ])('%s with the pin %s: %s', (text, pin, isAllowed) => {
    // No computer gets a roll-out of 0 %: it is not yet there where the pin allows it.
    const feed = { version: text, stagingPercentage: 0 } as Feed
    const installation: Installation = { version: '0.9.0', os: 'linux', arch: 'x64', pin, stagingNumber: 0 }
    expect(decide(feed, installation).kind).toBe(isAllowed ? 'notYet' : 'held')
  })
})
