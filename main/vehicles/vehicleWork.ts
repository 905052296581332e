import { ulid } from 'ulid'
import { AppError } from '../../preload/contract/errors.ts'
import type { EntityChoice, GatewaySite, SignInScheme } from '../../preload/contract/gateway.ts'
import type { CallOutput, CallParsed } from '../../preload/contract/index.ts'
import type { VehicleSheet } from '../../preload/contract/vehicles.ts'
import type { Teller } from '../../preload/contract/events.ts'
import { findEntities } from '../gateway/entities.ts'
import { readAllPages } from '../gateway/paging.ts'
import { createToken, endSession, listSessions } from '../gateway/sessions.ts'
import { lineToChoice, walkVehicles } from '../gateway/vehicleLine.ts'
import { changedFields, settableUnit, type VehicleGateway } from '../gateway/vehicles.ts'
import type { SiteRef } from '../connections/sites.ts'
import type { Operations } from '../operations/engine.ts'
import { counterKey, createCounterKind, createCounterTitle, setGlobalKind, setGlobalTitle } from '../operations/kinds/counters.ts'
import { linkKey, linkKind, linkTitle } from '../operations/kinds/entitiesLink.ts'
import { officeNoteKey, officeNoteKind, officeNoteTitle } from '../operations/kinds/officeNote.ts'
import type { Connections } from '../connections/connections.ts'
import type { Store } from '../store/index.ts'
import { createVehicleCopy, type LocalVehicles } from './copy.ts'

export interface GatewayDeskParts {
  store: Store
  connections: Connections
  operations: Operations
  events: Teller
  vehicles: VehicleGateway
  /** Sends what was just added, without anybody waiting for it. */
  sendSoon(): void
  reportFault(error: unknown): void
}

/** Others at the gateway get their turn; nobody waits for the copy. */
const copyWaitMs = 15 * 60_000
const readBackPauseMs = 1_500
const readBackTimes = 4
const rightsAgainMs = 60_000

/** What support and the back office do at the gateway outside of a checklist: vehicles, sites, sessions. */
export function createGatewayDesk(parts: GatewayDeskParts) {
  const { store, connections, operations, events, vehicles } = parts
  const { gateway } = connections

  const copy: LocalVehicles = createVehicleCopy({
    rows: store.vehicles,
    site: () => gateway.site(),
    async *walk(from, signal) {
      const client = await gateway.client()
      return yield* walkVehicles(client, from, { signal, priority: 'background', rateLimitWaitMs: copyWaitMs, timeoutMs: 60_000 })
    },
    changed: (state) => events.tell('vehicles.copied', state),
    reportFault: parts.reportFault
  })

  async function show(id: number, signal: AbortSignal): Promise<VehicleSheet> {
    try {
      const { problems, ...sheet } = await vehicles.show(id, signal)
      await copy.remember(sheet.vehicle)
      return { ...sheet, source: 'gateway', note: problems.join(' ') }
    } catch (error) {
      if (!isAway(error)) throw error
      const kept = await copy.get(id)
      if (!kept) throw error
      const { vehicle, copiedAt } = kept
      return {
        vehicle,
        source: 'copy',
        readAt: copiedAt ?? '',
        note: error.message,
        groups: vehicle.groups.map((group) => ({ id: group, name: null })),
        device: null,
        history: [],
        historyKnown: false,
        raw: null
      }
    }
  }

  async function nameOfVehicle(id: number): Promise<string> {
    return (await copy.get(id))?.vehicle.name ?? `vehicle ${id}`
  }

  async function assignDevice({ id, imei }: CallParsed<'vehicles.assignDevice'>, signal: AbortSignal): Promise<CallOutput<'vehicles.assignDevice'>> {
    const client = await gateway.client()
    const before = await client.vehicles.get({ id }, { signal })
    const name = typeof before.value.name === 'string' ? before.value.name : `vehicle ${id}`
    const leaveNote = (why: string): string => {
      const payload = { vid: id, vehicle: name, imei, why }
      const { id: operationId } = operations.add({
        kind: officeNoteKind,
        key: officeNoteKey(payload),
        title: officeNoteTitle(payload),
        payload,
        jobId: null,
        draft: true
      })
      parts.sendSoon()
      return operationId
    }
    let failure: AppError | undefined
    try {
      await client.assignDevice({ id, device: Number(imei) }, { signal })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      failure = error
    }
    if (failure && failure.fate !== 'unknown') {
      return { kind: 'notAssigned', detail: `The gateway did not assign the device. ${failure.message}`, operationId: leaveNote(failure.message) }
    }
    for (let time = 1; time <= readBackTimes; time++) {
      const after = await client.vehicles.get({ id }, { signal })
      if ((await vehicles.readDeviceOf(id, signal)) === imei) {
        const fields = changedFields(before.raw, after.raw)
        if (fields.length === 0) return { kind: 'assigned', detail: `The gateway shows device ${imei} in ${name}; everything else is as it was.` }
        return {
          kind: 'changedMore',
          detail: `The gateway shows device ${imei} in ${name}, and ${fields.map(({ field }) => field).join(', ')} changed as well. Tell the back office.`,
          fields
        }
      }
      if (time < readBackTimes) await new Promise((resolve) => setTimeout(resolve, readBackPauseMs))
    }
    if (failure) {
      const why = `It is not known whether the update arrived: ${failure.message}`
      return { kind: 'unknown', detail: why, operationId: leaveNote(why) }
    }
    const why = 'The gateway answered without an error, and does not show the device in the vehicle.'
    return { kind: 'notAssigned', detail: why, operationId: leaveNote(why) }
  }

  function rememberSite({ url, user }: SiteRef, scheme: SignInScheme): void {
    const others = store.settings.get().gatewaySites.filter((site) => site.url !== url || site.user !== user)
    store.settings.change({ gatewayUrl: url, gatewayUser: user, gatewaySites: [...others, { url, user, scheme }] })
  }

  async function sites(): Promise<GatewaySite[]> {
    const active = await gateway.site()
    const known = store.settings.get().gatewaySites
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

  /** Who may do what is known only from the user record; the strip and the screens go by it. */
  async function learnRights(signal: AbortSignal): Promise<void> {
    await (await gateway.client()).user.own({}, { signal })
    events.tell('gateway.changed', await gateway.status())
  }

  /** Rights are learned as soon as the gateway answers, so that nothing is offered that is not permitted. */
  let askedRights = { whose: '', atMs: -Infinity }
  async function learnRightsOnce(signal: AbortSignal): Promise<void> {
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
  }

  return {
    copy,
    show,
    learnRightsOnce,
    assignDevice,
    sites,
    learnRights,
    async signIn({ url, user, password, scheme }: CallParsed<'gateway.signIn'>, signal: AbortSignal): Promise<CallOutput<'gateway.signIn'>> {
      const result = await gateway.signIn(url, { user, password, scheme }, signal)
      if (result.kind === 'wrongPassword') return result
      rememberSite({ url, user }, scheme)
      await learnRights(signal)
      return { kind: 'signedIn', status: await gateway.status(), kept: result.kept }
    },
    async chooseSite({ url, user }: SiteRef, signal: AbortSignal) {
      const known = store.settings.get().gatewaySites.find((site) => site.url === url && site.user === user)
      if (!known) throw new AppError('NOT_FOUND', 'This account is not in the list. Sign in with it first.')
      await copy.stop()
      store.settings.change({ gatewayUrl: url, gatewayUser: user })
      try {
        await learnRights(signal)
      } catch (error) {
        // Out of reach, the account is chosen all the same: its copy is of use.
        if (!(error instanceof AppError)) throw error
        events.tell('gateway.changed', await gateway.status())
      }
      events.tell('vehicles.copied', await copy.status())
      return gateway.status()
    },
    async forgetSite(site: SiteRef, signal: AbortSignal) {
      const active = await gateway.site()
      await copy.stop()
      await gateway.forget(site, signal)
      store.vehicles.forgetSite(site)
      const { gatewaySites, gatewayUrl } = store.settings.get()
      const left = gatewaySites.filter((one) => one.url !== site.url || one.user !== site.user)
      const wasActive = active?.url === site.url && active.user === site.user
      store.settings.change({ gatewaySites: left, ...(wasActive ? { gatewayUser: '', gatewayUrl } : {}) })
      if (wasActive) events.tell('gateway.changed', await gateway.status())
      return sites()
    },
    sessions: async (signal: AbortSignal) => listSessions(await gateway.client(), { signal }),
    async endSession(key: string, signal: AbortSignal) {
      const client = await gateway.client()
      await endSession(client, key, { signal })
      return listSessions(client, { signal })
    },
    async createToken(wish: CallParsed<'gateway.createToken'>, signal: AbortSignal) {
      const made = await createToken(await gateway.client(), wish, { signal })
      connections.redactor.add(made.token)
      return made
    },
    async groups(signal: AbortSignal) {
      const client = await gateway.client()
      const all = await readAllPages(async (where) => client.groups.list(where, { signal }) as never, { set: 1000, maxPages: 3 })
      return (all.items as { id?: unknown; name?: unknown }[]).flatMap(({ id, name }) =>
        typeof id === 'number' ? [{ id, name: typeof name === 'string' ? name : null }] : []
      )
    },
    /** While the gateway is away, vehicles come from the copy and say of when it is. */
    async findEntities({ kind, text }: CallParsed<'gateway.findEntities'>, signal: AbortSignal) {
      try {
        const { entities, complete } = await findEntities(await gateway.client(), { kind, text }, { signal, priority: 'person' })
        return { entities, complete }
      } catch (error) {
        if (kind !== 'vehicle' || !isAway(error)) throw error
        const { vehicles: found, more, copy: state } = await copy.search(text, 50)
        if (state.count === 0) throw error
        const entities = found.map((line): EntityChoice => ({ ...lineToChoice(line), copiedAt: state.copiedAt }))
        return { entities, complete: !more && state.complete }
      }
    },
    async setCounter({ id, counter, value }: CallParsed<'vehicles.setCounter'>) {
      const unit = settableUnit(counter)
      if (unit === undefined) throw new AppError('INVALID_REQUEST', `The gateway lets nobody set the counter "${counter}".`)
      const payload = { vid: id, vehicle: await nameOfVehicle(id), counter, unit, value }
      const { id: operationId } = operations.add({
        kind: setGlobalKind,
        key: counterKey(id, counter),
        title: setGlobalTitle(payload),
        payload,
        jobId: null,
        draft: false
      })
      parts.sendSoon()
      return { operationId }
    },
    async createCounter({ id, counter, initialValue, description }: CallParsed<'vehicles.createCounter'>) {
      const unit = settableUnit(counter)
      if (unit === undefined) throw new AppError('INVALID_REQUEST', `The gateway knows no counter "${counter}" to count along with.`)
      const vehicle = await nameOfVehicle(id)
      const payload = { vid: id, vehicle, counter, unit, initialValue, description, ref: `ref:${ulid()}` }
      const title = createCounterTitle(payload)
      const { id: operationId } = operations.add({ kind: createCounterKind, key: counterKey(id, counter), title, payload, jobId: null, draft: false })
      parts.sendSoon()
      return { operationId }
    },
    link({ id, name, assetId, assetName }: CallParsed<'vehicles.link'>) {
      const payload = { primary: { id, text: name }, secondary: { id: assetId, text: assetName } }
      const { id: operationId } = operations.add({
        kind: linkKind,
        key: linkKey(payload.primary),
        title: linkTitle(payload),
        payload,
        jobId: null,
        draft: false
      })
      parts.sendSoon()
      return { operationId }
    },
    stop: () => copy.stop()
  }
}

export type GatewayDesk = ReturnType<typeof createGatewayDesk>

/** While the gateway is away, the copy on this computer answers. */
function isAway(error: unknown): error is AppError {
  return error instanceof AppError && error.code !== 'CANCELLED' && error.fate !== 'refused'
}
