import { AppError } from '../../../preload/contract/errors.ts'
import type { GatewaySite, SignInScheme } from '../../../preload/contract/gateway/gateway.ts'
import type { Teller } from '../../../preload/contract/events.ts'
import type { CallOutput, CallParsed } from '../../../preload/contract/index.ts'
import { message } from '../../../preload/contract/messages.ts'
import { isTimeZone, type Settings } from '../../../preload/contract/app/settings.ts'
import { whileAway } from '../localCopy/whileAway.ts'
import { readAllPages } from '../client/transport/paging.ts'
import { unitsOfUser } from '../client/areas/people.ts'
import { createToken, endSession, listSessions } from '../client/transport/sessions.ts'
import type { GatewayAccess, SiteRef } from './sites.ts'

type KeptSites = Pick<Settings, 'gatewaySites' | 'gatewayUrl' | 'gatewayUser' | 'gatewayUnits'>

export interface GatewayAccountParts {
  gateway: GatewayAccess
  settings: { get(): KeptSites; change(change: Partial<KeptSites>): Settings }
  events: Teller
  /** Data that one account read is not for another. */
  copies: {
    leave(): Promise<void>
    forget(site: SiteRef): void
    tell(): Promise<void>
    groups(): Promise<{ id: number; name: string | null }[] | undefined>
  }
  onSecret(text: string): void
}

const rightsAgainMs = 60_000

export function createGatewayAccounts({ gateway, settings, events, copies, onSecret }: GatewayAccountParts) {
  async function tellStatus(): Promise<CallOutput<'gateway.status'>> {
    const status = await gateway.status()
    events.tell('gateway.changed', status)
    return status
  }

  function rememberSite({ url, user }: SiteRef, scheme: SignInScheme): void {
    const others = settings.get().gatewaySites.filter((site) => site.url !== url || site.user !== user)
    settings.change({ gatewayUrl: url, gatewayUser: user, gatewaySites: [...others, { url, user, scheme }] })
  }

  async function sites(): Promise<GatewaySite[]> {
    const active = await gateway.site()
    const known = settings.get().gatewaySites
    const isListed = (site: SiteRef) => known.some((one) => one.url === site.url && one.user === site.user)
    const all = active && !isListed(active) ? [...known, { ...active, scheme: { kind: 'normal' } as const }] : known
    return Promise.all(
      all.map(async (site) => ({
        ...site,
        isActive: site.url === active?.url && site.user === active.user,
        hasPassword: await gateway.hasPassword(site)
      }))
    )
  }

  /** Only the user record contains the rights that the strip and the screens use, and the units of the account. */
  async function learnRights(signal: AbortSignal): Promise<void> {
    const { value } = await (await gateway.client()).user.own({}, { signal })
    const gatewayUnits = unitsOfUser(value)
    if (gatewayUnits !== settings.get().gatewayUnits) events.tell('settings.changed', settings.change({ gatewayUnits }))
    await tellStatus()
  }

  /**
   * Whoever changes the account after it looks at the outputs once more: nothing may come between that look and the
   * change.
   */
  async function leaveAccount(): Promise<void> {
    await gateway.leave()
    await copies.leave()
  }

  let askedRights = { whose: '', atMs: -Infinity }

  return {
    sites,
    /** Rights are read when the gateway answers, so that nothing is offered that is not permitted. */
    async learnRightsOnce(signal: AbortSignal): Promise<void> {
      const status = await gateway.status()
      const whose = `${status.url} ${status.user}`
      const isDue = askedRights.whose !== whose || performance.now() - askedRights.atMs > rightsAgainMs
      if (status.state !== 'reachable' || status.scopes !== null || !isDue) return
      askedRights = { whose, atMs: performance.now() }
      try {
        await learnRights(signal)
      } catch (error) {
        // Unknown rights are a state: everything is offered, and the gateway decides.
        if (!(error instanceof AppError)) throw error
      }
    },
    async signIn(
      { url, user, password, scheme, keep }: CallParsed<'gateway.signIn'>,
      signal: AbortSignal
    ): Promise<CallOutput<'gateway.signIn'>> {
      const before = await gateway.site()
      const result = await gateway.signIn(url, { user, password, scheme }, signal, keep)
      if (result.kind === 'wrongPassword') return result
      if (before?.url !== url || before.user !== user) await copies.leave()
      rememberSite({ url, user }, scheme)
      await copies.tell()
      await learnRights(signal)
      return { kind: 'signedIn', status: await gateway.status(), kept: result.kept }
    },
    async signOut(signal: AbortSignal) {
      await leaveAccount()
      await gateway.signOut(signal)
      await copies.tell()
      return tellStatus()
    },
    async chooseSite({ url, user }: SiteRef, signal: AbortSignal) {
      gateway.demandAllowed(url)
      const known = settings.get().gatewaySites.find((site) => site.url === url && site.user === user)
      if (!known) throw new AppError('NOT_FOUND', message('accounts.notInList'))
      const active = await gateway.site()
      if (active?.url !== url || active.user !== user) {
        await leaveAccount()
        await gateway.leave()
      } else await copies.leave()
      settings.change({ gatewayUrl: url, gatewayUser: user })
      try {
        await learnRights(signal)
      } catch (error) {
        // Even offline the account is chosen: its local copy is useful.
        if (!(error instanceof AppError)) throw error
        await tellStatus()
      }
      await copies.tell()
      return gateway.status()
    },
    async forgetSite(site: SiteRef, signal: AbortSignal) {
      const active = await gateway.site()
      const wasActive = active?.url === site.url && active.user === site.user
      if (wasActive) await leaveAccount()
      else await copies.leave()
      await gateway.forget(site, signal)
      copies.forget(site)
      const { gatewaySites, gatewayUrl } = settings.get()
      const left = gatewaySites.filter((one) => one.url !== site.url || one.user !== site.user)
      settings.change({ gatewaySites: left, ...(wasActive ? { gatewayUser: '', gatewayUrl } : {}) })
      if (wasActive) await tellStatus()
      return sites()
    },
    /** Null when nobody is signed in or the gateway does not answer. */
    async timeZones(signal: AbortSignal): Promise<string[] | null> {
      try {
        const { value } = await (await gateway.client()).tz.list({}, { signal, priority: 'screen' })
        const zones = (value.allowed ?? []).filter(isTimeZone)
        return zones.length === 0 ? null : zones
      } catch (error) {
        // The list of this computer is used then.
        if (!(error instanceof AppError)) throw error
        return null
      }
    },
    sessions: async (signal: AbortSignal) => listSessions(await gateway.client(), { signal }),
    async endSession(key: string, signal: AbortSignal) {
      const client = await gateway.client()
      await endSession(client, key, { signal })
      return listSessions(client, { signal })
    },
    async createToken(wish: CallParsed<'gateway.createToken'>, signal: AbortSignal) {
      const made = await createToken(await gateway.client(), wish, { signal })
      onSecret(made.token)
      return made
    },
    groups: (signal: AbortSignal) =>
      whileAway(
        () => readGroups(signal),
        () => copies.groups()
      )
  }

  async function readGroups(signal: AbortSignal): Promise<{ id: number; name: string | null }[]> {
    const client = await gateway.client()
    const all = await readAllPages((where) => client.groups.list(where, { signal }), { set: 1000, maxPages: 3 })
    return all.items.flatMap(({ id, name }) => (id === undefined ? [] : [{ id, name: name ?? null }]))
  }
}

export type GatewayAccounts = ReturnType<typeof createGatewayAccounts>
