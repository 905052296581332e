import { pageOf } from '../records/page.ts'
import {
  group,
  sessionList,
  sessionRecord,
  loginAnswer,
  receiverStream,
  receiverToken,
  user
} from '../records/people.ts'
import { messageAnswer } from '../records/site.ts'
import { anyForm, pageForm, recordForm, type Caller, type CallOptions } from '../transport/caller.ts'
import type { PageInput } from './pageInput.ts'

/** Session and tokens: "Session and tokens", "Authentication". */
export function sessionArea(
  { call }: Caller,
  ownToken: () => Promise<string | undefined>,
  forget: () => Promise<void>
) {
  return {
    /** `POST /login`. The answer contains a token: for a sign-in that the client keeps, use `client.signIn`. */
    login: (
      input: { username: string; password: string; scheme?: 'infinite'; app?: string; expires?: number },
      options?: CallOptions
    ) => call('session.login', input, options, recordForm(loginAnswer)),
    /** `GET /logout?auth=`: ends the given session, or the client's own. */
    logout: async (input: { auth?: string } = {}, options?: CallOptions) => {
      const own = await ownToken()
      const auth = input.auth ?? own
      const reading = await call('session.logout', { auth }, options, recordForm(messageAnswer))
      if (auth === own) await forget()
      return reading
    },
    list: (input: Record<string, never> = {}, options?: CallOptions) =>
      call('session.list', input, options, recordForm(sessionList)),
    /** `limit` in seconds. The form of the answer is not documented. */
    create: (
      input: { scheme: 'infinite' | 'finite'; app: string; limit?: number; scopes: string },
      options?: CallOptions
    ) => call('session.create', input, options, recordForm(sessionRecord))
  }
}

/** Receiver tokens, for third-party data delivery. */
export function receiversArea({ call }: Caller) {
  return {
    /** "receiver token(s)": one record or a list, so it is kept unchanged. */
    list: (input: Record<string, never> = {}, options?: CallOptions) => call('receivers.list', input, options, anyForm),
    create: (input: { resource: string; app: string; app_scheme: string }, options?: CallOptions) =>
      call('receivers.create', input, options, recordForm(receiverToken)),
    delete: (input: { token: string }, options?: CallOptions) => call('receivers.delete', input, options, anyForm),
    stream: (input: { token: string }, options?: CallOptions) =>
      call('receivers.stream', input, options, recordForm(receiverStream))
  }
}

/** `GET /user`: the signed-in user, with scopes. */
export function userArea({ call }: Caller) {
  return {
    own: (input: Record<string, never> = {}, options?: CallOptions) =>
      call('user.own', input, options, recordForm(user))
  }
}

/**
 * The units that the user chose at the gateway, by the distance, from which the gateway derives those of speed; null
 * when it shows none.
 */
export function unitsOfUser({ prefs }: { prefs?: Record<string, unknown> | undefined }): 'metric' | 'imperial' | null {
  const distance = prefs?.['distance']
  if (distance === 'mile') return 'imperial'
  return distance === 'km' || distance === 'meter' ? 'metric' : null
}

const userPage = pageOf(user)
export function usersArea({ call }: Caller) {
  return {
    list: (input: PageInput = {}, options?: CallOptions) => call('users.list', input, options, pageForm(userPage)),
    get: (input: { id: number }, options?: CallOptions) => call('users.get', input, options, recordForm(user))
  }
}

const groupPage = pageOf(group)
export function groupsArea({ call }: Caller) {
  return {
    list: (input: PageInput = {}, options?: CallOptions) => call('groups.list', input, options, pageForm(groupPage)),
    get: (input: { id: number }, options?: CallOptions) => call('groups.get', input, options, recordForm(group))
  }
}
