import { AppError } from '../../preload/contract/errors.ts'
import { message, type Message } from '../../preload/contract/messages.ts'

/** The operating system's keychain behind four functions; the only file that touches the keychain library. */
export interface Secrets {
  /** Undefined when there is none. Names such as `device/<imei>`, `device/shared`, `gateway/<url>/<user>`. */
  get(name: string): Promise<string | undefined>
  /** `value` is a JSON text. */
  set(name: string, value: string): Promise<void>
  remove(name: string): Promise<void>
  /** Looks whether the keychain can be used, when that is not known yet. */
  status(): Promise<SecretsStatus>
}

export interface SecretsStatus {
  /** thisRunOnly: kept in memory and gone when Fitter closes; never written to disk in any other way. */
  kind: 'keychain' | 'thisRunOnly'
  /** Why, and what to do about it. */
  reason?: Message
}

export interface SecretsOptions {
  /** Name under which the keychain lists the entries. */
  service?: string | undefined
  /** Leaves the keychain alone, as the training workplace and tests do. */
  inMemory?: boolean | undefined
  /** Limit of one call of the keychain. It may hang on a lock that nobody opens. */
  limitMs?: number | undefined
}

interface Keychain {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
}

/**
 * Secrets in the keychain of the operating system. Where it cannot be used (no library, no keychain service, or a lock
 * that nobody opens within 3 s), they are kept in memory for this run, and `status` says so. A keychain that was only
 * late, because its owner took time to open it, is used as soon as it answers, and gets what was kept meanwhile.
 */
export function createSecrets(options: SecretsOptions = {}): Secrets {
  const service = options.service ?? 'Fitter'
  const limitMs = options.limitMs ?? 3_000
  /** What was set (text) or removed (null) while the keychain could not be used. */
  const memory = new Map<string, string | null>()
  let reason = options.inMemory ? message('keychain.notUsed') : undefined
  let isKnown = false

  /** Undefined when the keychain cannot be used: the caller goes on with the memory. */
  async function ask<T>(act: (keychain: Keychain) => Promise<T>): Promise<{ value: T } | undefined> {
    if (reason !== undefined) return undefined
    const answer = loadKeychain().then(act)
    try {
      const value = await Promise.race([answer, waitFor(limitMs)])
      isKnown = true
      return { value: value as T }
    } catch (error) {
      if (error !== late) reason ??= explain(error)
      else giveUpOn(answer)
      return undefined
    }
  }

  function giveUpOn(answer: Promise<unknown>): void {
    reason ??= message('keychain.silent')
    const leave = leaveDespiteStuckCall()
    answer
      .then(catchUp)
      .catch((error: unknown) => (reason = explain(error)))
      .finally(leave.notNeeded)
  }

  /** What was set and removed meanwhile goes to the keychain first: `status` says keychain only when all of it is there. */
  async function catchUp(): Promise<void> {
    const keychain = await loadKeychain()
    for (let next = [...memory][0]; next; next = [...memory][0]) {
      const [name, value] = next
      await write(keychain, name, value)
      if (memory.get(name) === value) memory.delete(name)
    }
    reason = undefined
    isKnown = true
  }

  function write(keychain: Keychain, name: string, value: string | null): Promise<unknown> {
    return value === null ? keychain.deletePassword(service, name) : keychain.setPassword(service, name, value)
  }

  return {
    async get(name) {
      const kept = memory.get(name)
      if (kept !== undefined) return kept ?? undefined
      const found = await ask((keychain) => keychain.getPassword(service, name))
      // A keychain that only now turned out to be out of use changes nothing about what the memory holds.
      return found?.value ?? undefined
    },
    async set(name, value) {
      // The keychain library takes neither; its refusal would look like a keychain that cannot be used.
      if (name === '' || value === '') throw new AppError('INVALID_REQUEST', message('app.secretEmpty'))
      memory.set(name, value)
      if ((await ask((keychain) => write(keychain, name, value))) && memory.get(name) === value) memory.delete(name)
    },
    async remove(name) {
      memory.set(name, null)
      if ((await ask((keychain) => write(keychain, name, null))) && memory.get(name) === null) memory.delete(name)
    },
    async status() {
      if (!isKnown) await ask((keychain) => keychain.getPassword(service, 'status'))
      return reason === undefined ? { kind: 'keychain' } : { kind: 'thisRunOnly', reason }
    }
  }
}

const late = new Error('The keychain did not answer in time.')

function waitFor(limitMs: number): Promise<never> {
  return new Promise((_, reject) => setTimeout(() => reject(late), limitMs).unref())
}

/**
 * A call that waits in the keychain holds a thread that Node waits for when it ends, for ever if need be. Until it is
 * answered, the end of the process is made by putting another program in its place, which ends at once with the same
 * exit code.
 */
function leaveDespiteStuckCall(): { notNeeded: () => void } {
  const leave = (code: number): void => {
    if (process.platform !== 'win32' && process.execve) process.execve('/bin/sh', ['sh', '-c', `exit ${code}`])
    process.kill(process.pid, 'SIGKILL')
  }
  process.on('exit', leave)
  return { notNeeded: () => process.off('exit', leave) }
}

/** Loaded at first use: on a machine without its system library the import itself throws. */
async function loadKeychain(): Promise<Keychain> {
  const loaded = (await import('keytar')) as unknown as Keychain & { default?: Keychain }
  return loaded.default ?? loaded
}

function explain(error: unknown): Message {
  const text = error instanceof Error ? error.message : String(error)
  if (/native addon|libsecret|\.so\b|dlopen|cannot find (module|package)/i.test(text)) return message('keychain.noLibrary')
  if (/d-?bus|org\.freedesktop|secret service|autolaunch|ServiceUnknown|could not connect|connection refused/i.test(text)) return message('keychain.noService')
  return message('keychain.refuses')
}
