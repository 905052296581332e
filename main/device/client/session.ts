import { signedInUser, type Reading, type SignedInUser } from '../../../preload/contract/device/deviceAreas.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { commandMayCutLink } from './console/consoleGuard.ts'
import type { CallOptions, Wire } from './wire.ts'

export function authArea(wire: Wire) {
  return {
    /**
     * `POST /auth/login`. A wrong pair is NOT_AUTHENTICATED; an answer without the documented `user` is UNREADABLE: it
     * proves nothing.
     */
    async login(
      { username, password }: { username: string; password: string },
      options?: CallOptions
    ): Promise<Reading<SignedInUser>> {
      const reading = await wire.read('auth.login', signedInUser, options, {
        body: { username, password },
        secrets: [password],
        credentials: { user: username, password }
      })
      if (reading.value.user !== undefined) return reading
      throw new AppError('UNREADABLE', message('device.noUser'), { status: reading.status })
    }
  }
}

export function execArea(wire: Wire) {
  return {
    /**
     * `POST /exec`: runs a system-tool command; the answer is the output of the command. What is not known to only read
     * may cut the connection.
     */
    run: ({ command }: { command: string }, options?: CallOptions): Promise<Reading<unknown>> =>
      wire.command('exec.run', { body: { command }, cutsLink: commandMayCutLink(command) }, options)
  }
}
