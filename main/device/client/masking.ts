import { escapePattern } from '../../base/secrets/redact.ts'

/** Replaces a secret in a reading of a device. */
export const secretMask = '********'

const secretName = /(pass(word|wd|phrase|code|key)?|pwd|psk|secret|token)$|(^|[_-]|apn)(pin|puk)$|apn[_-]?user(name)?$/i

/** True for a field name such as `pass`, `APN_PASSWORD` or `pin`. */
export function isSecretName(name: string): boolean {
  return secretName.test(name)
}

/** Documented answers have four levels; a hostile one with a million would exhaust the stack. */
const maxDepth = 64

/** The maximum number of secrets that are searched in the whole answer; an honest answer has a handful. */
const mostSecrets = 200
const longestSecret = 256
/** A shorter secret is removed only as a separate word: many longer numbers contain `1234`. */
const shortestPart = 6
/** Values under a secret's name that are not secrets and occur in many other fields. */
const noSecret = /^(.{0,2}|\*+|0+|none|null|true|false|yes|no|on|off|open|default|unset|empty)$/i

/**
 * A copy of an answer without secrets: those under a secret's name, those sent with the request, and every repetition
 * of them.
 */
export function maskSecrets(
  value: unknown,
  secrets: readonly string[] = [],
  repeated: readonly string[] = secretsIn(value)
): unknown {
  const patterns = [patternOf(secrets), patternOf(repeated, shortestPart)].filter((pattern) => pattern !== undefined)
  return masked(value, patterns, 0)
}

function masked(value: unknown, patterns: readonly RegExp[], depth: number): unknown {
  if (typeof value === 'string') return patterns.reduce((text, pattern) => text.replace(pattern, secretMask), value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) return '[nested too deep to show]'
  if (Array.isArray(value)) return value.map((item) => masked(item, patterns, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      hides(key, field) ? secretMask : masked(field, patterns, depth + 1)
    ])
  )
}

function hides(key: string, field: unknown): field is string | number {
  return (typeof field === 'string' || typeof field === 'number') && field !== '' && isSecretName(key)
}

/** The values under secret names anywhere in an answer, longest first, up to the maximum. */
export function secretsIn(answer: unknown): string[] {
  const found = new Set<string>()
  function collect(value: unknown, depth: number): void {
    if (typeof value !== 'object' || value === null || depth === maxDepth || found.size >= mostSecrets) return
    for (const [key, field] of Object.entries(value)) {
      if (!hides(key, field)) collect(field, depth + 1)
      else if (String(field).length <= longestSecret && !noSecret.test(String(field)) && found.size < mostSecrets)
        found.add(String(field))
    }
  }
  collect(answer, 0)
  return [...found]
}

function patternOf(secrets: readonly string[], partFrom = 0): RegExp | undefined {
  const forms = [
    ...new Set(secrets.flatMap((secret) => [secret, ...(secret.isWellFormed() ? [encodeURIComponent(secret)] : [])]))
  ]
  if (forms.length === 0) return undefined
  const longestFirst = forms
    .sort((a, b) => b.length - a.length)
    .map((form) => {
      const escaped = escapePattern(form)
      return form.length < partFrom ? String.raw`(?<![\p{L}\p{N}])${escaped}(?![\p{L}\p{N}])` : escaped
    })
  return new RegExp(longestFirst.join('|'), 'gu')
}
