import { X509Certificate } from 'node:crypto'
import * as tls from 'node:tls'
import type { Authority } from '../../../preload/contract/app/internet.ts'

export type ReadAuthorities =
  { kind: 'read'; certificates: string[] } | { kind: 'noCertificate' | 'damaged' | 'privateKey' | 'tooMany' }

const mostAtOnce = 20

/** Extracts the certificates from a PEM text that a person chose or pasted. */
export function readAuthorities(text: string): ReadAuthorities {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return { kind: 'privateKey' }
  // Other programs name a certificate X509 or TRUSTED, or write it on one line.
  const found = [
    ...text.matchAll(/-----BEGIN (X509 |TRUSTED )?CERTIFICATE-----([\s\S]*?)-----END \1?CERTIFICATE-----/g)
  ].map(([, , base64 = '']) => `-----BEGIN CERTIFICATE-----\n${wrapped(base64)}\n-----END CERTIFICATE-----\n`)
  if (found.length === 0) return { kind: 'noCertificate' }
  if (found.length > mostAtOnce) return { kind: 'tooMany' }
  if (found.some((pem) => parse(pem) === undefined)) return { kind: 'damaged' }
  return { kind: 'read', certificates: found.map((pem) => `${String(parse(pem)).trim()}\n`) }
}

function wrapped(base64: string): string {
  return (base64.replace(/\s/g, '').match(/.{1,64}/g) ?? []).join('\n')
}

/** A certificate as shown to a person; undefined when unreadable. */
export function describeAuthority(pem: string): Authority | undefined {
  const certificate = parse(pem)
  if (!certificate) return undefined
  return {
    fingerprint: certificate.fingerprint256,
    subject: shortName(certificate.subject),
    issuer: shortName(certificate.issuer),
    validFrom: new Date(certificate.validFrom).toISOString(),
    validUntil: new Date(certificate.validTo).toISOString()
  }
}

function parse(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}

function shortName(distinguished: string): string {
  const parts = new Map(
    distinguished.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
  )
  return (parts.get('CN') ?? parts.get('O') ?? distinguished.replaceAll('\n', ', ')).slice(0, 200)
}

/**
 * The trusted certificates: of Node.js, of this computer, and added ones. Built again only when they change: it takes a
 * while.
 */
export function createTrust(own: () => readonly string[]): () => tls.SecureContext {
  let made: { of: string; context: tls.SecureContext } | undefined
  return () => {
    const added = own()
    const of = added.join('')
    if (made?.of !== of) made = { of, context: tls.createSecureContext({ ca: [...new Set([...ofNode(), ...added])] }) }
    return made.context
  }
}

function ofNode(): readonly string[] {
  // Older versions of Node.js cannot read the system's store.
  if (typeof tls.getCACertificates !== 'function') return tls.rootCertificates
  return [...tls.getCACertificates('default'), ...tls.getCACertificates('system')]
}
