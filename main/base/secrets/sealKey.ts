import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import type { Secrets } from './keychain.ts'

/** The signature fields of a text; the names are those of the log. */
export type SealSignature =
  | { algorithm: 'ECDSA-P256-SHA256'; publicKey: string; signature: string }
  | { algorithm: 'hashOnly'; publicKey: null; signature: null }

export interface SealKeyOptions {
  secrets: Secrets
  /** Identifies the workplace: each has its own key. */
  workplaceId(): string
  /** A key (SPKI, base64) in use here: from now on this computer knows it. */
  remember(publicKey: string): void
}

const unsigned: SealSignature = { algorithm: 'hashOnly', publicKey: null, signature: null }

interface Key {
  private: KeyObject
  publicKey: string
}

/** The key that seals the work of one workplace: created once, in the keychain, never on the disk elsewhere. */
export function createSealKey({ secrets, workplaceId, remember }: SealKeyOptions) {
  let key: Key | undefined
  let loading: Promise<Key | undefined> | undefined

  async function load(): Promise<Key | undefined> {
    // A key that is lost after this run could never be distinguished from a foreign key.
    if ((await secrets.status()).kind !== 'keychain') return undefined
    const name = `seal/${workplaceId()}`
    const kept = readKey(await secrets.get(name))
    if (kept) return kept
    const made = makeKey()
    await secrets.set(name, made.text)
    if ((await secrets.status()).kind === 'keychain') return made.key
    await secrets.remove(name)
    return undefined
  }

  return {
    /** Signs with the key of this workplace. Without a keychain nothing is signed, and the result says so. */
    async sign(text: string): Promise<SealSignature> {
      if (!key) {
        // Two calls at the same time would each create a key.
        loading ??= load().finally(() => (loading = undefined))
        key = await loading
        if (key) remember(key.publicKey)
      }
      if (!key) return unsigned
      const signature = sign('sha256', Buffer.from(text, 'utf8'), { key: key.private, dsaEncoding: 'ieee-p1363' })
      return { algorithm: 'ECDSA-P256-SHA256', publicKey: key.publicKey, signature: signature.toString('base64') }
    }
  }
}

function makeKey(): { key: Key; text: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  return { key: { private: privateKey, publicKey: spki }, text: JSON.stringify({ privateKey: pkcs8, publicKey: spki }) }
}

/** Undefined for an invalid key: a new one is created instead. */
function readKey(text: string | undefined): Key | undefined {
  if (text === undefined) return undefined
  try {
    const { privateKey, publicKey } = JSON.parse(text) as { privateKey: string; publicKey: string }
    return {
      private: createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' }),
      publicKey: String(publicKey)
    }
  } catch {
    return undefined
  }
}
