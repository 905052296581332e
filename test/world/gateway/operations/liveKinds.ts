import { capturePhoto } from '../../../../main/job/accessories/photoCapture.ts'
import { sendNavJob, sendNavMessage, setNavMode } from '../../../../main/job/accessories/navUnit.ts'
import type { AccessoryGateway, CommandLog, LiveWrites } from '../../../../main/job/accessories/ports.ts'
import { createAccessoryTrials } from '../../../../main/job/accessories/trials.ts'
import { createAccessoryViews } from '../../../../main/gateway/client/accessories/accessoryView.ts'
import { eventMs } from '../../../../main/gateway/client/decoders/eventTimes.ts'
import { createEventReader } from '../../../../main/gateway/client/events/eventReader.ts'
import { createInstallationGateway } from '../../../../main/gateway/client/vehicles/installation.ts'
import { createPhotoReader } from '../../../../main/gateway/client/accessories/photoReader.ts'
import { createRemoteCommands } from '../../../../main/gateway/client/accessories/remoteCommands.ts'
import { createOutputs } from '../../../../main/job/outputs/outputs.ts'
import type { DeviceWriteStore } from '../../../../main/data/store/work/deviceWrites.ts'
import type { SimulatedGateway } from '../../../../simulator/gateway/gateway.ts'
import type { Run } from './gatewayWorld.ts'
import { memoryLedger } from '../../device/outputBench.ts'
import { shippedLimits } from '../../device/outputs.ts'
import { imei } from '../../data/parkedReport.ts'
import { carrierOf } from './queuedKinds.ts'

export interface LiveParts {
  gateway: AccessoryGateway
  tests: ReturnType<typeof createAccessoryTrials>
  live: LiveWrites
  log: CommandLog
  vehicleId: number
}

export interface LiveKind {
  /** Operation of the API that acts. */
  operation: string
  prepare?(gateway: SimulatedGateway): void
  /** Sends it once and follows it to its end. */
  follow(parts: LiveParts, signal: AbortSignal): Promise<unknown>
  count(gateway: SimulatedGateway): number
}

const effectsOf = (operation: string) => (gateway: SimulatedGateway) =>
  gateway.state.effects.filter((effect) => effect.operation === operation).length
const switchOn = (mode: number) => (gateway: SimulatedGateway) =>
  void gateway.state.navUnits.set(carrierOf(gateway).id, { mode, pending: 0, messages: [], jobs: [] })

/** What is sent at once and once, or not at all. */
export const liveKinds: Record<string, LiveKind> = {
  'a photo': {
    operation: 'photocam.capture',
    async follow(parts, signal) {
      const { id } = await capturePhoto(parts, { vehicleId: parts.vehicleId, waitS: 20 }, signal)
      await parts.tests.ended(id)
    },
    count: (gateway) => gateway.state.photos.length
  },
  'the mode of a navigation unit': {
    operation: 'navscreen.setMode',
    prepare: switchOn(0),
    follow: (parts, signal) => setNavMode(parts, { vehicleId: parts.vehicleId, on: true }, signal),
    count: effectsOf('navscreen.setMode')
  },
  'a message to a navigation unit': {
    operation: 'navscreen.sendMessage',
    prepare: switchOn(1),
    follow: (parts, signal) =>
      sendNavMessage(parts, { vehicleId: parts.vehicleId, type: 'inbox', text: 'Come to bay 4' }, signal),
    count: (gateway) => gateway.state.navUnits.get(carrierOf(gateway).id)?.messages.length ?? 0
  },
  'a job for a navigation unit': {
    operation: 'navscreen.sendJob',
    prepare: switchOn(1),
    follow: (parts, signal) =>
      sendNavJob(
        parts,
        { vehicleId: parts.vehicleId, text: 'Go to the yard', latitude: 40.4, longitude: -3.7 },
        signal
      ),
    count: (gateway) => gateway.state.navUnits.get(carrierOf(gateway).id)?.jobs.length ?? 0
  },
  'an output': {
    operation: 'remote.output',
    async follow({ gateway, tests, log, vehicleId }, signal) {
      const nothing = () => undefined
      const outputs = createOutputs({
        ledger: memoryLedger(),
        shipped: shippedLimits,
        chosen: () => ({ gatewayFreshS: 300 }),
        reach: nothing,
        technician: () => '',
        record: nothing,
        changed: nothing,
        reportFault: nothing
      })
      outputs.gateway.serve({ gateway, waits: tests, log })
      try {
        const { id } = await outputs.gateway.set({ vehicleId, otype: 'o', out: 1, on: true }, signal)
        await tests.ended(id)
      } finally {
        // Fitter ends, or has died: nothing is switched off by time any more.
        void outputs.stop()
      }
    },
    count: (gateway) => gateway.state.outputLog.length
  }
}

/** The accessory work of one run of Fitter, as the application puts it together. */
export function livePartsOf(
  { client, operations, process }: Run,
  gateway: SimulatedGateway,
  writes: DeviceWriteStore
): LiveParts {
  const get = () => Promise.resolve(client)
  const reader = createEventReader(get)
  const views = createAccessoryViews(get, reader)
  return {
    vehicleId: carrierOf(gateway).id,
    tests: createAccessoryTrials({ changed: () => undefined, reportFault: () => undefined }),
    live: {
      sendNow: (work) =>
        operations.sendNow({
          ...work,
          send() {
            process.reach('before the bytes leave')
            return work.send()
          }
        }),
      endLive: (id, end) => operations.endLive(id, end)
    },
    // The journal of outputs dies with its process like every other table.
    log: {
      begin(write) {
        process.reach('before the intent')
        const id = writes.begin({ ...write, at: new Date().toISOString(), by: '', jobId: null })
        process.reach('after the intent')
        process.reach('before the bytes leave')
        return id
      },
      end(id, outcome, detail, answer) {
        process.reach('before the answer')
        writes.end(id, { outcome, detail, answer, at: new Date().toISOString() })
        process.reach('after the answer')
      }
    },
    gateway: {
      nowMs: reader.nowMs,
      readEvents: reader.read,
      eventMs,
      readTags: views.readTags,
      readView: views.read,
      deviceOf: views.deviceOf,
      readLines: views.readLines,
      findLink: (vehicleId, assetId, request) => createInstallationGateway(get).findLink(vehicleId, assetId, request),
      photos: createPhotoReader(get),
      commands: createRemoteCommands(get)
    }
  }
}

/** What the journal of outputs says was sent. */
export function outputsSent(writes: DeviceWriteStore) {
  return writes.list({ imei, operations: ['remote.output'], limit: 100_000 })
}
