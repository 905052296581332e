import { sourceResourcesFolder } from '../../../main/app/core.ts'
import { newEntry } from '../../../main/job/jobs/record/journal.ts'
import { loadShipped } from '../../../main/job/jobs/checklists/shipped.ts'
import { assetsCreateKind, assetTitle } from '../../../main/job/accessories/accessoryOperations.ts'
import { linkKey, linkKind, linkTitle } from '../../../main/gateway/waitingWork/kinds/entitiesLink.ts'
import { openStore } from '../../../main/data/store/index.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, plainMessage } from '../../../preload/contract/messages.ts'
import type { SimulatedGateway } from '../../../simulator/gateway/gateway.ts'
import { untilRest, type Tools } from './tools.ts'

/** One change that must be whole or absent. */
export interface Transaction {
  name: string
  /** Does it; resolves when the person would be told that it is kept. */
  perform(tools: Tools, round: number): Promise<void> | void
  /** How it stands in a folder that was opened again. */
  look(tools: Tools, round: number): Standing
  /** What was told as not kept is taken up by the next look or start all the same. */
  isTakenUp?: true
}

/** `neither`: a part of it is there. */
export type Standing = 'whole' | 'absent' | { neither: string }

const jobOf = (round: number) => `job-${round}`
const refOf = (round: number) => `ref:01ARZ3NDEKTSV4RRFFQ69K${String(round).padStart(4, '0')}`
const site = { url: 'http://gateway', user: 'proof' }
const stepId = 'identity'

/** The core transactions, in the order in which a process does them. */
export const transactions: readonly Transaction[] = [
  {
    name: 'a job is created',
    perform({ logs }, round) {
      const { templates, profiles } = loadShipped(sourceResourcesFolder)
      const template = templates.get('standard-installation')
      const profile = profiles.get('standard')
      if (!template || !profile) throw new Error('What is shipped lacks the standard')
      const device = { imei: '867698040023056', model: 'ft4', address: '192.168.8.1' }
      const created = {
        template,
        profile,
        device,
        vehicleText: 'Unit 7',
        customer: 'Customer One',
        technician: 'Technician One',
        order: null,
        isSealed: true as const
      }
      logs.begin(
        jobOf(round),
        [
          newEntry('jobCreated', null, created),
          newEntry('answered', stepId, { attempt: 0, answer: { value: device.imei } })
        ],
        '2026-03-01T10:00:00.000Z'
      )
    },
    look: ({ store }, round) => countOf(store.jobs.journal(jobOf(round)).slice(0, 2).length, 2)
  },
  {
    name: 'an entry of a journal',
    perform: ({ logs }, round) =>
      logs.write(jobOf(round), 'evidence', stepId, {
        attempt: 1,
        witness: 'device',
        what: plainMessage('The modem reports the IMEI.'),
        raw: { round },
        thresholds: null
      }),
    look: ({ store }, round) =>
      countOf(store.jobs.journal(jobOf(round)).filter(({ type }) => type === 'evidence').length, 1)
  },
  {
    name: 'the result of a step',
    perform({ logs }, round) {
      logs.writeAll(jobOf(round), [
        newEntry('stepStarted', stepId, { attempt: 1 }),
        newEntry('vehicleChosen', stepId, { id: 7, name: 'Unit 7' }),
        newEntry('stepEnded', stepId, {
          attempt: 1,
          state: 'pass',
          summary: plainMessage('All ids are equal.'),
          remedy: null,
          witness: ['device'],
          durationMs: 10
        })
      ])
    },
    look: ({ store }, round) =>
      countOf(
        store.jobs
          .journal(jobOf(round))
          .filter(
            ({ stepId: step, type }) => step === stepId && ['stepStarted', 'vehicleChosen', 'stepEnded'].includes(type)
          ).length,
        3
      )
  },
  {
    name: 'a photo is attached',
    async perform({ store, logs }, round) {
      const bytes = photoBytes(round)
      const file = await store.attachments.write(bytes)
      const keptAt = new Date().toISOString()
      const sha256 = store.attachments.keep({ jobId: jobOf(round), file, mediaType: 'image/jpeg', at: keptAt })
      const place = { latitude: null, longitude: null, placeSource: null }
      const picture = {
        mediaType: 'image/jpeg' as const,
        bytes: bytes.length,
        width: 4,
        height: 3,
        purpose: 'other' as const,
        takenAt: null,
        source: 'file' as const
      }
      logs.write(jobOf(round), 'attached', stepId, {
        attempt: 1,
        sha256,
        ...picture,
        keptAt,
        ...place,
        reportSha256: sha256
      })
    },
    look({ store }, round) {
      const named = store.jobs.journal(jobOf(round)).filter(({ type }) => type === 'attached')
      if (named.length === 0) return 'absent'
      const { sha256 } = named[0]?.data as { sha256: string }
      return named.length === 1 && store.attachments.read(sha256).length === photoBytes(round).length
        ? 'whole'
        : { neither: 'a photo that is named and not there' }
    }
  },
  {
    name: 'settings are changed',
    perform: ({ store }, round) =>
      void store.settings.change({ technician: `Technician ${round}`, gatewayUser: `user ${round}` }),
    look({ store }, round) {
      const { technician, gatewayUser } = store.settings.get()
      const number = (text: string): number => Number(/\d+$/.exec(text)?.[0] ?? 0)
      if (number(technician) !== number(gatewayUser)) return { neither: `${technician} and ${gatewayUser}` }
      return number(technician) >= round ? 'whole' : 'absent'
    }
  },
  {
    name: 'an output goes on and off in the ledger',
    perform({ store }, round) {
      const at = new Date().toISOString()
      const id = store.outputLedger.begin({
        imei: imeiOf(round),
        output: 'OUT1',
        path: 'local',
        vehicleId: null,
        address: '192.168.8.1',
        since: at,
        by: 'Technician One',
        jobId: null
      })
      store.outputLedger.settleOn(id)
      store.outputLedger.end(id, { how: 'proved', by: '', reason: '', at })
    },
    // One that is on stays in the ledger: "absent" is what it is before the first byte of "on" may leave.
    look: ({ store }, round) =>
      store.outputLedger.open().some(({ imei }) => imei === imeiOf(round)) ? 'absent' : 'whole'
  },
  {
    name: 'a page of the vehicles is copied',
    perform({ store: { copies } }, round) {
      if (copies.state(site, 'vehicles').open === null)
        copies.beginWalk(site, 'vehicles', { pageSize: 20, at: new Date().toISOString() })
      copies.putPage(site, 'vehicles', { rows: pageOf(round), nextPage: round + 1, total: null })
    },
    look({ store: { copies } }, round) {
      const next = copies.state(site, 'vehicles').open?.nextPage ?? 1
      const there = pageOf(round).filter(({ id }) => copies.get(site, 'vehicles', id) !== undefined).length
      return next > round
        ? countOf(there, 20)
        : there === 0
          ? 'absent'
          : { neither: `${there} vehicles of a page that is still to be read` }
    }
  },
  {
    name: 'a checklist is imported',
    perform: ({ store }, round) =>
      store.templates.keep({
        id: 'own',
        version: round,
        content: { steps: 'x'.repeat(9_000), round },
        savedAt: new Date().toISOString()
      }),
    look({ store }, round) {
      if (store.templates.lastVersion('own') < round) return 'absent'
      const content = store.templates.find('own')?.content as { steps: string } | undefined
      return content?.steps.length === 9_000 ? 'whole' : { neither: 'a checklist without its content' }
    }
  },
  {
    name: 'an operation and one that needs it are added',
    perform({ operations, gateway }, round) {
      const asset = { name: `Trailer of round ${round}`, type: 'trailer', groups: [1], ref: refOf(round) }
      const { id } = operations.add({
        kind: assetsCreateKind,
        key: `asset:${asset.ref}`,
        title: assetTitle(asset),
        payload: asset,
        jobId: null,
        draft: false
      })
      const link = {
        primary: { id: gateway.vehicle.id, text: gateway.vehicle.name },
        secondary: { id: null, text: asset.name }
      }
      const needs = [{ id, part: 'secondary' }]
      operations.add({
        kind: linkKind,
        key: linkKey(link.primary),
        title: linkTitle(link),
        payload: link,
        jobId: null,
        draft: true,
        needs
      })
    },
    look({ store }, round) {
      const [asset, link] = operationsOf(store, round)
      if (!asset) return link ? { neither: 'a link without its asset' } : 'absent'
      return link ? countOf(store.operations.needsOf(link.id).length, 1) : 'absent'
    }
  },
  {
    name: 'an intent, its reply, and the release of what needs it',
    isTakenUp: true,
    async perform(tools, round) {
      await untilRest(tools)
      const states = operationsOf(tools.store, round).map(({ state }) => state)
      // They could not be added: that was told.
      if (states.length < 2) throw new AppError('NOT_FOUND', message('operations.noSuch', { id: refOf(round) }))
      if (states.join() !== 'done,done') throw new Error(`The operations ended as ${states.join()}`)
    },
    look: ({ store }, round) =>
      operationsOf(store, round).length === 2 && operationsOf(store, round).every(({ state }) => state === 'done')
        ? 'whole'
        : 'absent'
  },
  {
    name: 'a job is signed off and sealed',
    async perform({ logs, sealing }, round) {
      const id = jobOf(round)
      const { steps } = logs.load(id)
      const end = (step: string) =>
        newEntry('stepEnded', step, {
          attempt: 1,
          state: 'pass',
          summary: plainMessage('As it should be.'),
          remedy: null,
          witness: ['device'],
          durationMs: 10
        })
      logs.writeAll(id, [
        ...steps.filter((step) => step.id !== stepId).map((step) => end(step.id)),
        newEntry('stateChanged', null, { state: 'done', reason: plainMessage('signed off') })
      ])
      await sealing.seal(id)
    },
    look({ store, logs }, round) {
      const entries = store.jobs.journal(jobOf(round))
      if (!entries.some(({ type }) => type === 'stateChanged')) return 'absent'
      // What was signed and not sealed yet is sealed by the next start.
      return logs.load(jobOf(round)).sealing.isSealed ? 'whole' : { neither: 'a signed log without its seal' }
    }
  }
]

/** What has to be there before a process begins: a folder in use. */
export function prepare(folder: string): void {
  openStore(folder).close()
}

/** How often the gateway has the effects of a round. */
export function effectsOf({ state }: SimulatedGateway, round: number): { assets: number; links: number } {
  const assets = state.assets.filter(({ info }) => info['ref'] === refOf(round))
  return {
    assets: assets.length,
    links: state.links.filter(({ secondary }) => assets.some(({ id }) => id === secondary)).length
  }
}

export function operationsOf(store: Tools['store'], round: number) {
  const all = store.operations.list()
  const asset = all.find(({ payload }) => (payload as { ref?: string } | null)?.ref === refOf(round))
  const link = all.find(
    ({ payload }) =>
      (payload as { secondary?: { text: string } } | null)?.secondary?.text === `Trailer of round ${round}`
  )
  return [asset, link].filter((one) => one !== undefined)
}

function imeiOf(round: number): string {
  return String(860_000_000_000_000 + round)
}

function photoBytes(round: number): Uint8Array {
  return new Uint8Array(30_000).fill(round % 251)
}

function pageOf(round: number) {
  return Array.from({ length: 20 }, (_, index) => {
    const id = String(round * 100 + index)
    return { id, name: `Unit ${id}`, exact: `unit ${id}`, words: `unit ${id}`, record: { id, name: `Unit ${id}` } }
  })
}

function countOf(present: number, wanted: number): Standing {
  if (present === wanted) return 'whole'
  return present === 0 ? 'absent' : { neither: `${present} of ${wanted}` }
}
