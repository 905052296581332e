import { expect, test } from 'vitest'
import { imei } from '../../world/data/parkedReport.ts'
import { callsOf, copied, openCore, openGateway, signal, signedIn } from '../../world/gateway/vehicleCalls.ts'

test('who lacks the scope is told so; who has it is told that the gateway does not tell', async () => {
  const gateway = await openGateway()
  const { calls } = await signedIn(gateway, 'outsider')
  const ours = gateway.state.vehicles.find((candidate) => candidate.device === Number(imei))
  const id = ours?.id ?? 0
  const hidden = await Promise.resolve(calls['vehicles.show']({ id }, signal)).then(
    () => 'shown',
    (error: unknown) => error
  )
  expect(hidden).toMatchObject({ code: expect.stringMatching(/NOT_FOUND|NOT_PERMITTED/) })
  const outsider = gateway.state.users.find((user) => user.username.startsWith('outsider'))
  if (outsider) delete outsider.scopes['vehicles']
  const core = openCore()
  const again = await signedIn(gateway, 'outsider', core)
  await expect(Promise.resolve(again.calls['vehicles.show']({ id }, signal))).rejects.toMatchObject({
    code: 'NOT_PERMITTED',
    message: expect.stringContaining('"vehicles"')
  })
})

test('two accounts at two sites rest side by side, each with its own password and copy', async () => {
  const [north, south] = [await openGateway({ vehicles: 10 }), await openGateway({ vehicles: 25, seed: 7 })]
  const { core, calls } = await signedIn(north)
  const ofNorth = await copied(calls)
  await signedIn(south, 'viewer', core)
  const ofSouth = await copied(calls)
  expect(ofSouth.count).toBeGreaterThan(ofNorth.count)
  const { sites } = await calls['gateway.sites']({}, signal)
  expect(sites.map(({ url, isActive, hasPassword }) => [url, isActive, hasPassword])).toEqual([
    [north.url, false, true],
    [south.url, true, true]
  ])
  const status = await calls['gateway.chooseSite']({ url: north.url, user: north.user }, signal)
  expect(status).toMatchObject({ state: 'reachable', url: north.url, user: north.user })
  expect(await calls['vehicles.copy']({}, signal)).toMatchObject({ count: ofNorth.count })
  const logins = () => north.requests.filter((request) => request.operation === 'session.login').length
  expect(logins()).toBe(1)
  const left = await calls['gateway.forgetSite']({ url: south.url, user: 'viewer@example.com' }, signal)
  expect(left.sites).toHaveLength(1)
  expect(south.state.sessions).toHaveLength(0)
  expect(JSON.stringify(core.store.settings.get())).not.toContain('bay-seven-lift')
})

test('sessions are listed without their tokens, application tokens are limited, and another session can be ended', async () => {
  const gateway = await openGateway()
  const { calls } = await signedIn(gateway)
  const made = await calls['gateway.createToken'](
    { app: 'wall display', scheme: 'finite', limitS: 3600, groups: [1], read: ['vehicles'], write: ['assets'] },
    signal
  )
  expect(made).toMatchObject({
    limitedTo: 'groups=1&write=assets&read=vehicles',
    token: expect.stringMatching(/^\w{20,}$/)
  })
  const { sessions } = await calls['gateway.sessions']({}, signal)
  expect(sessions[0]).toMatchObject({ app: 'fitter', isOwn: true })
  expect(JSON.stringify(sessions)).not.toContain(made.token)
  const display = sessions.find((session) => session.app === 'wall display')
  const left = await calls['gateway.endSession']({ key: display?.key ?? '' }, signal)
  expect(left.sessions.map(({ app }) => app)).toEqual(['fitter'])
  await expect(
    Promise.resolve(
      calls['gateway.createToken']({ app: 'x', scheme: 'infinite', groups: [], read: ['vehicles'], write: [] }, signal)
    )
  ).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
})

test('a sign-in can be made to last: infinite and finite are asked for as documented', async () => {
  const gateway = await openGateway()
  const account = gateway.accounts[0]
  if (!account) throw new Error('no account')
  for (const scheme of [{ kind: 'infinite' }, { kind: 'finite', expiresS: 7200 }] as const) {
    const calls = callsOf(openCore())
    await calls['gateway.signIn']({ url: gateway.url, user: account.user, password: account.password, scheme }, signal)
    expect((await calls['gateway.sessions']({}, signal)).sessions.find((session) => session.isOwn)?.scheme).toBe(
      scheme.kind
    )
  }
  expect(gateway.violations).toEqual([])
})
