/** Stands in place of a secret, in a reading of a device. */
export const mask = '********'

const secretName = /(pass(word|wd|phrase|code|key)?|pwd|psk|secret|token)$|(^|[_-]|apn)(pin|puk)$|apn[_-]?user(name)?$/i

/** True for a field name such as `pass`, `APN_PASSWORD` or `pin`. */
export function isSecretName(name: string): boolean {
  return secretName.test(name)
}

/** Documented answers have four levels; a hostile one of a million would exhaust the stack. */
const maxDepth = 64

/**
 * A copy of an answer in which every text or number under a secret's name, and every occurrence of the `secrets` that
 * were sent with the request, is replaced: secrets are taken out where they come in, so that evidence can be kept.
 */
export function maskSecrets(value: unknown, secrets: readonly string[] = [], depth = 0): unknown {
  if (typeof value === 'string') return secrets.reduce((text, secret) => text.replaceAll(secret, mask), value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) return '[nested too deep to show]'
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, secrets, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => {
      const hides = isSecretName(key) && (typeof field === 'string' || typeof field === 'number') && field !== ''
      return [key, hides ? mask : maskSecrets(field, secrets, depth + 1)]
    })
  )
}
