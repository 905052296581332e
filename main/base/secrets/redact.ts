/** Removes secrets from everything that leaves the process: logs, errors, exports, support bundles. */
export type Redactor = ReturnType<typeof createRedactor>

export const hidden = '[hidden]'

/** Shorter secrets would match in any text; they are removed only where a name or a path identifies them. */
const minSecretLength = 3

const secretWords =
  'pass|password|passwd|passphrase|pwd|psk|pin|puk|secret|token|auth|authorization|authenticate|cookie'
const secretName = new RegExp(`(^|[_-])(${secretWords}|set-cookie)$`, 'i')
const camelSecretName = /[a-z](Pass|Password|Passphrase|Psk|Pin|Puk|Secret|Token|Cookie)$/
const apnUserName = /^apn[_-]?user(name)?$/i
/** A Wi-Fi scan uses `auth` for a network's key type; the gateway uses the same name for its token. */
const wifiKeyKind = String.raw`(?:\[|WPA\d?|WEP|802\.1x|None|Open|EAP|PSK|SAE|OWE|ESS|WPS|CCMP|TKIP|[\]\s/+_-])+`
const isWifiKeyKind = new RegExp(`^${wifiKeyKind}$`, 'i')

export function createRedactor() {
  const forms = new Set<string>()
  let known: RegExp | undefined

  function text(input: string): string {
    const withoutKnown = known ? input.replace(known, hidden) : input
    return shapes.reduce((result, [shape, replacement]) => result.replace(shape, replacement), hideBasic(withoutKnown))
  }

  function json(value: unknown, above: ReadonlySet<object>): unknown {
    if (typeof value === 'string') return text(value)
    if (typeof value === 'bigint') return value.toString()
    if (typeof value !== 'object' || value === null) return value
    if (above.has(value)) return '[circular]'
    const inside = new Set(above).add(value)
    if (Array.isArray(value)) return value.map((item) => json(item, inside))
    const fields = value instanceof Error ? errorFields(value) : Object.entries(value)
    const isApn = fields.some(([key]) => key.toLowerCase() === 'apn')
    const members = new Map<string, unknown>()
    for (const [key, field] of fields) {
      const isSecret = isSecretName(key) || (isApn && key.toLowerCase() === 'user')
      members.set(nameAmong(members, text(key)), isSecret && holdsSecret(key, field) ? hidden : json(field, inside))
    }
    return Object.fromEntries(members)
  }

  return {
    /** From now on this secret is removed wherever it appears, also URL-encoded, JSON-escaped and inside base64. */
    add(secret: string | undefined): void {
      if (secret === undefined || secret.length < minSecretLength) return
      for (const form of allForms(secret)) forms.add(form)
      const longestFirst = [...forms].sort((a, b) => b.length - a.length)
      known = new RegExp(longestFirst.map(escapePattern).join('|'), 'g')
    },
    text,
    /** A copy of a JSON value in which secrets in texts, and any value under the name of a secret, are replaced. */
    json: (value: unknown): unknown => json(value, new Set())
  }
}

/** Names that became equal are numbered, so that none is lost. */
export function nameAmong(members: ReadonlyMap<string, unknown>, wanted: string): string {
  let name = wanted
  for (let count = 2; members.has(name); count++) name = `${wanted} (${count})`
  return name
}

function isSecretName(name: string): boolean {
  return secretName.test(name) || camelSecretName.test(name) || apnUserName.test(name)
}

/** `pass: 3` counts checks and `token: true` is a flag, but a PIN may be a number. */
function holdsSecret(name: string, value: unknown): boolean {
  if (typeof value === 'number') return /(pin|puk|password)$/i.test(name)
  if (Array.isArray(value)) return value.some((item) => typeof item === 'string')
  return typeof value === 'string' && value !== '' && !(name.toLowerCase() === 'auth' && isWifiKeyKind.test(value))
}

function errorFields(error: Error): [string, unknown][] {
  const { name, message, stack, cause } = error
  return Object.entries({ ...error, name, message, stack, ...(cause === undefined ? {} : { cause }) })
}

const shapes: readonly (readonly [RegExp, string])[] = [
  // Header lines, also inside JSON and printed objects: the rest of the line, or the quoted text.
  [
    /((?:authorization|authenticate|set-cookie|cookie)\\?["']?\s*[:=]\s*)(?:\\?"[^"\n]*"|'[^'\n]*'|[^\s"'\\,}][^\r\n"'}]*)/gi,
    `$1${hidden}`
  ],
  [/\b(Bearer\s+)[\w.~+/=-]{6,}/gi, `$1${hidden}`],
  [/(\/wifi\/add\/[^/\s"'?#]+\/)[^/\s"'?#]+/gi, `$1${hidden}`],
  [/(\/hotspot\/edit\/[^/\s"'?#]+\/)[^/\s"'?#]+/gi, `$1${hidden}`],
  [/(\/tokens\/)[^/\s"'?#:<]+/gi, `$1${hidden}`],
  [/(:\/\/)[^/\s"'@]+@/g, `$1${hidden}@`],
  [new RegExp(`([?&;](?:access_|api_)?(?:${secretWords})=)[^&\\s"'#]+`, 'gi'), `$1${hidden}`],
  [
    new RegExp(
      `(\\\\?"(?:\\w*[_-])?(?:${secretWords})\\\\?"\\s*:\\s*)(?!(?<=\\bauth\\\\?"\\s*:\\s*)\\\\?"${wifiKeyKind}\\\\?")(?:\\\\"(?:[^"\\\\]|\\\\(?!"))*\\\\"|"(?:[^"\\\\]|\\\\.)+")`,
      'gi'
    ),
    `$1"${hidden}"`
  ],
  [/(\\?"(?:\w*_)?(?:pin|puk|password)\\?"\s*:\s*)\d+/gi, `$1"${hidden}"`],
  [
    /\b((?:\w+_)?(?:password|passwd|passphrase|pwd|psk|pin|puk|secret|token)\s*[=:]\s*)(?!\[hidden\])[^\s"',;&}]+/gi,
    `$1${hidden}`
  ],
  [/\b((?:\w+_)?(?:pass|auth)=)(?!\[hidden\])[^\s"',;&}]+/gi, `$1${hidden}`]
]

/** `Basic <base64 of user:password>` anywhere, but not a sentence that contains the word. */
function hideBasic(text: string): string {
  return text.replace(/\b(Basic\s+)([\w+/-]{4,}={0,2})/gi, (whole, word: string, code: string) =>
    Buffer.from(code, 'base64').toString('latin1').includes(':') ? word + hidden : whole
  )
}

function allForms(secret: string): string[] {
  const encoded = secret.isWellFormed() ? encodeURIComponent(secret) : secret
  const escaped = JSON.stringify(secret).slice(1, -1)
  return [
    secret,
    encoded,
    encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    encoded.replaceAll('%20', '+'),
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    secret.replaceAll('"', '""'),
    ...base64Forms(secret)
  ]
}

/**
 * The secret's characters inside the base64 of a longer text, for each of the three offsets, without those of
 * neighbours.
 */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8')
  const inside = [0, 1, 2].map((offset) => {
    const code = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    return code.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
  })
  return [bytes.toString('base64'), ...inside]
    .filter((form) => form.length >= 6)
    .flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_'), encodeURIComponent(form)])
}

export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
