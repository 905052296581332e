import { Client, type ClientConfig } from 'pg'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'

/**
 * Never reveals a password: it only answers SCRAM challenges, whose answers are useless to a listener, and continues
 * only with a server that proves that it knows the login as well.
 */
export class TeamClient extends Client {
  #isProofOwed = false

  constructor(config: ClientConfig, host: string) {
    super(config)
    const refuse = (): void =>
      void this.connection.emit('error', new AppError('UNREACHABLE', message('teamWay.wantsPassword', { host })))
    Object.assign(this, { _handleAuthCleartextPassword: refuse, _handleAuthMD5Password: refuse })
    this.connection.on('authenticationSASL', () => (this.#isProofOwed = true))
    this.connection.on('authenticationSASLFinal', () => (this.#isProofOwed = false))
    this.connection.on('authenticationOk', () => {
      if (this.#isProofOwed)
        this.connection.emit('error', new AppError('UNREACHABLE', message('teamWay.noProof', { host })))
    })
    // A connection that breaks between two queries is reported with the next one.
    this.on('error', () => undefined)
  }
}
