import { describe, expect, it } from 'vitest'
import { compareVersions, matchesPin, parseVersion, type Version } from '../../../../main/base/updates/versions.ts'

const version = (text: string): Version => parseVersion(text) ?? { numbers: [0, 0, 0], pre: [] }

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
    expect([...ordered].reverse().sort((one, other) => compareVersions(version(one), version(other)))).toEqual(ordered)
    expect(compareVersions(version('1.2.3'), version('1.2.3'))).toBe(0)
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
    expect(matchesPin(text, pin)).toBe(isAllowed)
  })
})
