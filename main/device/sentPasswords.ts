/** Passwords that were sent to devices: they are removed from later answers, whatever the field is called. */
export interface SentPasswords {
  add(password: string | undefined): void
  /** Only those that cannot be part of other words. A short PIN is removed only from the answer to its own request. */
  long(): readonly string[]
}

const shortest = 6

/** `onPassword` receives each new one, so that logs omit it too. */
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
