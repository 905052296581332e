import { expect, it } from 'vitest'
import { markupIn } from '../../../../main/base/reading/markup.ts'
import { isMarkup } from '../../../../main/base/internet/judgement.ts'

const cases: [text: string, is: 'page' | 'markup' | null][] = [
  ['<!DOCTYPE html><html></html>', 'page'],
  ['\ufeff \n<HTML lang="en">', 'page'],
  ['<?xml version="1.0"?><!DOCTYPE html>', 'page'],
  ['<!-- a -->\n<!-- b --><head>', 'page'],
  ['<!-- cut off', 'page'],
  ['<title>Sign in</title>', 'page'],
  ['<Error><Code>AccessDenied</Code></Error>', 'markup'],
  ['<?xml version="1.0"?><fault/>', 'markup'],
  ['<htmlish>', 'markup'],
  ['< 5 V', 'markup'],
  ['{"a":"<html>"}', null],
  ['plain words', null],
  ['', null],
  ['\ufeff', null]
]

it.each(cases)('%j is %s, for a device and for a gateway', (text, is) => {
  expect(markupIn(text)).toBe(is)
  expect(isMarkup({ headers: new Map(), body: Buffer.from(text) })).toBe(is !== null)
})

it('thousands of comments before a page take no time', () => {
  const beganMs = performance.now()
  markupIn(`${'<!-- a -->'.repeat(100_000)}<html>`)
  expect(performance.now() - beganMs).toBeLessThan(1_000)
})
