/** Passwords that went to devices: what a device tells of them later, under whatever name, is taken out of its answers. */
export interface SentPasswords {
  add(password: string | undefined): void
  /** Those that are no part of other words. A short PIN is taken out of the answer to its own request only. */
  long(): readonly string[]
}

const shortest = 6

/** `onPassword` is told of each new one, so that it stays out of logs as well. */
export function createSentPasswords(onPassword: (password: string) => void = () => undefined): SentPasswords {
  const passwords = new Set<string>()
  return {
    add(password) {
      if (password === undefined || password === '' || passwords.has(password)) return
      passwords.add(password)
      onPassword(password)
    },
    long: () => [...passwords].filter(({ length }) => length >= shortest)
  }
}
