/**
 * One policy for the window and the browser. `style-src` has no `unsafe-inline`: styles set by script go through the
 * CSSOM.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join('; ')

/**
 * For every reply of any server of ours, whatever its content: the policy of its page, and what is the same for all
 * pages.
 */
export function securityHeadersWith(policy: string): Readonly<Record<string, string>> {
  return Object.freeze({
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin'
  })
}

/** For every reply of the two windows. */
export const securityHeaders = Object.freeze({
  ...securityHeadersWith(contentSecurityPolicy),
  'Cross-Origin-Opener-Policy': 'same-origin'
})
