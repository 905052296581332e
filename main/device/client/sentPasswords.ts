/** Passwords that were sent to devices: they are removed from later answers, whatever the field is called. */
export type SentPasswords = ReturnType<typeof createSentPasswords>

const shortest = 6

/** `onPassword` receives each new one, so that logs omit it too. */
export function createSentPasswords(onPassword: (password: string) => void = () => undefined) {
  const passwords = new Set<string>()
  return {
    add(password: string | undefined): void {
      if (password === undefined || password === '' || passwords.has(password)) return
      passwords.add(password)
      onPassword(password)
    },
    /**
     * Only those that cannot be part of other words. A short PIN is removed only from the answer to its own request.
     */
    long: (): readonly string[] => [...passwords].filter(({ length }) => length >= shortest)
  }
}
