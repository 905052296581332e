import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'

/** The operating system's keychain behind four functions; the only file that touches the keychain library. */
export type Secrets = ReturnType<typeof createSecrets>

export interface SecretsStatus {
  /** thisRunOnly: stored in memory until Fitter closes, never on disk. */
  kind: 'keychain' | 'thisRunOnly'
  reason?: Message
}

export interface SecretsOptions {
  /** Name under which the keychain lists the entries. */
  service?: string | undefined
  /** Never uses the keychain, for the training workplace and tests. */
  inMemory?: boolean | undefined
  /** Secrets of this run, when they outlive one workplace. */
  memory?: Map<string, string | null> | undefined
  /** Time limit of one keychain call. A call may hang on a keychain that nobody unlocks. */
  limitMs?: number | undefined
}

interface Keychain {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
}

/**
 * Secrets in the keychain of the operating system. If the keychain cannot be used (no library, no keychain service, or
 * not unlocked within 3 s), secrets are stored in memory for this run, and `status` says so. A keychain that was only
 * slow, because its owner took time to unlock it, is used once it answers, and receives the secrets stored in the
 * meantime.
 */
export function createSecrets(options: SecretsOptions = {}) {
  const service = options.service ?? 'Fitter'
  const limitMs = options.limitMs ?? 3_000
  /** Secrets that were set (text) or removed (null) while the keychain could not be used. */
  const memory = options.memory ?? new Map<string, string | null>()
  let reason = options.inMemory ? message('keychain.notUsed') : undefined
  let isKnown = false

  /** Undefined if the keychain cannot be used: the caller uses memory instead. */
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

  /**
   * Changes made in the meantime are written to the keychain first: `status` says keychain only when all of them are
   * there.
   */
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
    /** Undefined if there is no entry. Names such as `device/<imei>`, `device/shared`, `gateway/<url>/<user>`. */
    async get(name: string): Promise<string | undefined> {
      const kept = memory.get(name)
      if (kept !== undefined) return kept ?? undefined
      const found = await ask((keychain) => keychain.getPassword(service, name))
      // If the keychain became unusable only now, the secrets in memory stay valid.
      return found?.value ?? undefined
    },
    /** `value` is a JSON text. */
    async set(name: string, value: string): Promise<void> {
      // The keychain library accepts neither; its refusal would look like an unusable keychain.
      if (name === '' || value === '') throw new AppError('INVALID_REQUEST', message('app.secretEmpty'))
      memory.set(name, value)
      if ((await ask((keychain) => write(keychain, name, value))) && memory.get(name) === value) memory.delete(name)
    },
    async remove(name: string): Promise<void> {
      memory.set(name, null)
      if ((await ask((keychain) => write(keychain, name, null))) && memory.get(name) === null) memory.delete(name)
    },
    /** Checks whether the keychain can be used, if that is still unknown. */
    async status(): Promise<SecretsStatus> {
      if (!isKnown) await ask((keychain) => keychain.getPassword(service, 'status'))
      return reason === undefined ? { kind: 'keychain' } : { kind: 'thisRunOnly', reason }
    }
  }
}

const late = new Error('The keychain did not answer in time.')

function waitFor(limitMs: number): Promise<never> {
  return new Promise((_, reject) => setTimeout(() => reject(late), limitMs).unref())
}

/** A hanging keychain call blocks a thread that Node waits for at exit: the process then ends by replacing itself. */
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
  if (/native addon|libsecret|\.so\b|dlopen|cannot find (module|package)/i.test(text))
    return message('keychain.noLibrary')
  if (
    /d-?bus|org\.freedesktop|secret service|autolaunch|ServiceUnknown|could not connect|connection refused/i.test(text)
  )
    return message('keychain.noService')
  return message('keychain.refuses')
}
