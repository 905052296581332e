import { describe, expect, test } from 'vitest'
import { redactPath } from '../../../../simulator/device/record.ts'

describe('what a simulated device remembers of a path', () => {
  test.each([
    ['/wifi/add/Yard/hunter2', '/wifi/add/Yard/***'],
    ['/wifi/add/Yard/hun/ter2', '/wifi/add/Yard/***'],
    ['//wifi//add/Yard/hunter2?x=hunter2', '//wifi//add/Yard/***'],
    ['/hotspot/edit/Van/hunter2', '/hotspot/edit/Van/***'],
    ['/wifi/add/Guests', '/wifi/add/Guests'],
    ['/IO/OUT1/true', '/IO/OUT1/true']
  ])('%s is kept as %s', (url, kept) => {
    expect(redactPath(url)).toBe(kept)
  })
})
