import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

const rounds = 4_096

/**
 * What a PostgreSQL server keeps of a password (SCRAM-SHA-256, RFC 5802 and 7677), made here: the password itself never
 * reaches the server, nor its log. For passwords of plain ASCII letters and digits, which need no SASLprep.
 */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, rounds, 32, 'sha256')
  const clientKey = createHmac('sha256', salted).update('Client Key').digest()
  const storedKey = createHash('sha256').update(clientKey).digest('base64')
  const serverKey = createHmac('sha256', salted).update('Server Key').digest('base64')
  return `SCRAM-SHA-256$${String(rounds)}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}
