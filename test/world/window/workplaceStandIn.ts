import { makeTestHost, type TestHost } from '../gateway/testHost.ts'

/** Takes the place of `main/app/workplace.ts` where a test is about the shell around the core. */
export function openWorkplace(options: unknown): TestHost {
  const host = makeTestHost()
  Object.assign(globalThis, { testHost: host, workplaceOptions: options })
  return host
}
