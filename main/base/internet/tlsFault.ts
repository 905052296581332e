import { message, type Message } from '../../../preload/contract/messages.ts'

/** What is wrong with the encryption or the certificate of a server. `other`: it does not speak TLS as anyone does. */
export type TlsFault =
  'otherName' | 'expired' | 'notYet' | 'issuer' | 'oldTls' | 'notEncrypted' | 'noCommonCipher' | 'certificate' | 'other'

/**
 * The code of a failure. Node.js says some refusals of a server only as `EPROTO`, with the reason of OpenSSL in the
 * text.
 */
export function codeOfFailure({ code, message: text }: { code?: unknown; message?: unknown }): string {
  const plain = typeof code === 'string' ? code : ''
  const reason = plain === 'EPROTO' ? /SSL routines:[^:]*:([^:]+):/.exec(String(text))?.[1] : undefined
  return reason === undefined ? plain : `ERR_SSL_${reason.toUpperCase().replace(/ /g, '_')}`
}

/** The only reader of the codes of a failed TLS connection; undefined for a code of anything else. */
export function tlsFaultOf(code: string): TlsFault | undefined {
  switch (code) {
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'otherName'
    case 'CERT_HAS_EXPIRED':
      return 'expired'
    case 'CERT_NOT_YET_VALID':
      return 'notYet'
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return 'issuer'
    case 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION':
    case 'ERR_SSL_UNSUPPORTED_PROTOCOL':
      return 'oldTls'
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
    case 'ERR_SSL_HTTP_REQUEST':
      return 'notEncrypted'
    default:
      if (/ALERT_HANDSHAKE_FAILURE|NO_SHARED_CIPHER|INSUFFICIENT_SECURITY/.test(code)) return 'noCommonCipher'
      if (/ERR_SSL|EPROTO/.test(code) && !code.includes('CERT')) return 'other'
      return /CERT|SIGNATURE|HOSTNAME_MISMATCH|ERR_TLS/.test(code) ? 'certificate' : undefined
  }
}

/** The fault as a sentence about a server of any kind; the gateway’s own sentences are in its folder. */
export function sayTlsFault(fault: TlsFault, code: string, host: string): Message {
  switch (fault) {
    case 'oldTls':
      return message('internet.oldTls', { host })
    case 'notEncrypted':
      return message('internet.notEncrypted', { host })
    case 'noCommonCipher':
      return message('internet.noCommonCipher', { host })
    case 'expired':
    case 'notYet':
      return message('teamWay.certificateTime', { host, nowAt: new Date().toISOString(), state: code })
    default:
      return message('team.certificate', { host, why: code })
  }
}
