import { expect, it } from 'vitest'
import { contentSecurityPolicy, securityHeaders } from '../../../../main/base/page/contentSecurityPolicy.ts'

/** The rule as it was decided, written down a second time: a change of the policy has to change both. */
const decided = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data: blob:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'frame-src': "'none'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'"
}

const parsed = Object.fromEntries(
  contentSecurityPolicy
    .split('; ')
    .map((directive) => [directive.slice(0, directive.indexOf(' ')), directive.slice(directive.indexOf(' ') + 1)])
)

it.each(Object.entries(decided))('the policy says %s %s', (directive, sources) => {
  expect(parsed[directive]).toBe(sources)
})

it('the policy has no other directive, and none twice', () => {
  expect(contentSecurityPolicy.split('; ').map((directive) => directive.split(' ')[0])).toEqual(Object.keys(decided))
})

it('every reply also forbids guessing types, sending the address on, and use by other origins', () => {
  expect(securityHeaders).toEqual({
    'Content-Security-Policy': contentSecurityPolicy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin'
  })
  expect(Object.isFrozen(securityHeaders)).toBe(true)
})
