const names = [
  'FITTER_GATEWAY_USER',
  'FITTER_GATEWAY_PASSWORD',
  'FITTER_DEVICE_USER',
  'FITTER_DEVICE_PASSWORD',
  'FITTER_TEAM_PASSWORD'
] as const
const taken = new Map<string, string>()

/** Removes credentials from the environment of this process, so that the programs that it starts do not get them. */
export function takeCredentials(): void {
  for (const name of names) {
    const value = process.env[name]
    if (value !== undefined) taken.set(name, value)
    delete process.env[name]
  }
}

/** The credentials from the environment, for this process only. */
export function givenCredentials() {
  const pair = (userName: (typeof names)[number], passwordName: (typeof names)[number]) => {
    const user = taken.get(userName) ?? process.env[userName]
    const password = taken.get(passwordName) ?? process.env[passwordName]
    return user === undefined || password === undefined ? undefined : { user, password }
  }
  return {
    gateway: pair('FITTER_GATEWAY_USER', 'FITTER_GATEWAY_PASSWORD'),
    device: pair('FITTER_DEVICE_USER', 'FITTER_DEVICE_PASSWORD')
  }
}

export function takeTeamPassword(): string | undefined {
  return taken.get('FITTER_TEAM_PASSWORD') ?? process.env['FITTER_TEAM_PASSWORD']
}
