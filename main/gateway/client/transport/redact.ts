/** The other side's text, safe to show: without secrets, on one line, limited in length. */
export function quoteServer(text: string, secrets: readonly string[]): string {
  const line = hideSecrets(text, secrets)
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim()
  return line.length > 300 ? `${line.slice(0, 299)}…` : line
}

/** Replaces every given secret, also in its URL-encoded and JSON-escaped forms. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  let result = text
  for (const secret of secrets) {
    if (secret.length < 3) continue
    for (const form of new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])) {
      result = result.replaceAll(form, '[hidden]')
    }
  }
  return result
}

/** `hideSecrets` in every string of a JSON value. */
export function hideSecretsInJson(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return hideSecrets(value, secrets)
  if (Array.isArray(value)) return value.map((item) => hideSecretsInJson(item, secrets))
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hideSecretsInJson(item, secrets)]))
  }
  return value
}
