import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { isIP, isIPv4 } from 'node:net'

/** A certificate with its key, both as PEM text. */
export interface TestCertificate {
  cert: string
  key: string
}

export interface TestAuthority extends TestCertificate {
  name: string
  signingKey: KeyObject
}

interface CertificateWish {
  /** The common name. */
  name: string
  /** DNS names and IP addresses that it is for. */
  for?: string[]
  isAuthority?: boolean
  from?: Date
  until?: Date
}

const oids = {
  ecdsaWithSha256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02],
  commonName: [0x55, 0x04, 0x03],
  altName: [0x55, 0x1d, 0x11],
  constraints: [0x55, 0x1d, 0x13]
}
const longAgo = new Date('2020-01-01T00:00:00Z')
const farOff = new Date('2049-01-01T00:00:00Z')

/**
 * An authority like that of a company that inspects its connections. Created for each test run, so that no key is
 * stored.
 */
export function makeAuthority(name = 'Company Root'): TestAuthority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const cert = makeCertificate(
    { name, isAuthority: true },
    { publicKey: keys.publicKey, issuerName: name, issuerKey: keys.privateKey }
  )
  return { name, signingKey: keys.privateKey, cert, key: pemOf(keys.privateKey) }
}

/** A certificate signed by an authority; without one it is self-signed. */
export function issue(wish: CertificateWish, authority?: TestAuthority): TestCertificate {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const cert = makeCertificate(wish, {
    publicKey: keys.publicKey,
    issuerName: authority?.name ?? wish.name,
    issuerKey: authority?.signingKey ?? keys.privateKey
  })
  return { cert, key: pemOf(keys.privateKey) }
}

interface Signing {
  publicKey: KeyObject
  issuerName: string
  issuerKey: KeyObject
}

function makeCertificate(wish: CertificateWish, { publicKey, issuerName, issuerKey }: Signing): string {
  const algorithm = der(0x30, der(0x06, oids.ecdsaWithSha256))
  const extensions = [
    ...(wish.isAuthority
      ? [der(0x30, der(0x06, oids.constraints), der(0x01, [0xff]), der(0x04, der(0x30, der(0x01, [0xff]))))]
      : []),
    ...(wish.for ? [der(0x30, der(0x06, oids.altName), der(0x04, der(0x30, ...wish.for.map(altName))))] : [])
  ]
  const body = der(
    0x30,
    der(0xa0, der(0x02, [2])),
    der(0x02, [1, ...randomBytes(8)]),
    algorithm,
    nameOf(issuerName),
    der(0x30, timeOf(wish.from ?? longAgo), timeOf(wish.until ?? farOff)),
    nameOf(wish.name),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(extensions.length > 0 ? [der(0xa3, der(0x30, ...extensions))] : [])
  )
  const whole = der(0x30, body, algorithm, der(0x03, [0], sign('sha256', body, issuerKey)))
  return `-----BEGIN CERTIFICATE-----\n${whole.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`
}

export function fingerprintOf({ cert }: TestCertificate): string {
  const bytes = Buffer.from(cert.replace(/-----[^-]+-----/g, ''), 'base64')
  return (createHash('sha256').update(bytes).digest('hex').toUpperCase().match(/../g) ?? []).join(':')
}

function der(tag: number, ...parts: (Buffer | number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function nameOf(name: string): Buffer {
  return der(0x30, der(0x31, der(0x30, der(0x06, oids.commonName), der(0x0c, Buffer.from(name)))))
}

/** UTCTime has two digits for the year: 1950 to 2049. */
function timeOf(date: Date): Buffer {
  return der(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))
}

function altName(name: string): Buffer {
  if (isIP(name) === 0) return der(0x82, Buffer.from(name))
  if (!isIPv4(name)) throw new Error('Only IPv4 addresses are needed here')
  return der(0x87, name.split('.').map(Number))
}

function pemOf(key: KeyObject): string {
  return String(key.export({ type: 'pkcs8', format: 'pem' }))
}
