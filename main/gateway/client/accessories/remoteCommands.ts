import type { Json } from '../../../../preload/contract/define.ts'
import type { NavMessage } from '../../../../preload/contract/gateway/navUnit.ts'
import type { OutputLogEntry } from '../../../../preload/contract/gateway/remoteOutputs.ts'
import type { GatewayClient } from '../client.ts'

const isoOfEpochS = (value: number | undefined): string | null =>
  typeof value === 'number' ? new Date(value * 1000).toISOString() : null
/** The answer to a command may be late; then its effect is unknown, and it is not sent again. */
const commandTimeoutMs = 20_000

/** Outputs and navigation unit: commands that are sent once, and their state at the gateway. */
export function createRemoteCommands(client: () => Promise<GatewayClient>) {
  return {
    /**
     * "On" is taken back by the signal as long as nothing of it has left. "Off" waits for no other request and for no
     * limit that Fitter keeps.
     */
    async setOutput(vehicleId: number, command: { otype: string; out: number; state: boolean }, signal: AbortSignal) {
      const how = command.state ? { untilSent: signal } : { signal, overtakes: true }
      const { value, raw } = await (
        await client()
      ).remote.output(
        { vid: vehicleId, ...command },
        { ...how, priority: 'person', timeoutMs: commandTimeoutMs, rateLimitWaitMs: 0 }
      )
      return { message: value.msg ?? '', deviceIsOnline: value.device_is_online ?? null, raw: (raw ?? null) as Json }
    },

    /** Newest first. */
    async outputLog(vehicleId: number, signal: AbortSignal): Promise<OutputLogEntry[]> {
      const { value } = await (await client()).remote.outputLog({ id: vehicleId }, { signal, priority: 'person' })
      return (value.data ?? [])
        .map((item) => ({
          at: isoOfEpochS(item.time),
          otype: item.otype ?? null,
          out: item.out ?? null,
          on: item.state ?? null,
          user: item.user ?? null
        }))
        .sort((a, b) => (b.at ?? '').localeCompare(a.at ?? ''))
    },

    async userName(): Promise<string | null> {
      return (await (await client()).status()).user
    },

    async navState(vehicleId: number, signal: AbortSignal) {
      const { value } = await (await client()).navscreen.state({ vid: vehicleId }, { signal, priority: 'person' })
      return {
        isOnline: value.state === undefined ? null : value.state === 1,
        pending: value.pending ?? null,
        readAt: new Date().toISOString()
      }
    },

    async setNavMode(vehicleId: number, on: boolean, signal: AbortSignal): Promise<void> {
      await (await client()).navscreen.setMode({ vid: vehicleId, new_mode: on }, { signal, priority: 'person' })
    },

    /** Newest first. `from`: a day. */
    async navMessages(
      vehicleId: number,
      from: string,
      signal: AbortSignal
    ): Promise<{ messages: NavMessage[]; total: number | null }> {
      const { value } = await (
        await client()
      ).navscreen.messages({ vid: vehicleId, _from: from }, { signal, priority: 'person' })
      const messages = (value.data ?? []).map((item) => ({
        id: item.id ?? null,
        text: item.msg ?? '',
        type: item.type ?? '',
        user: item.user ?? '',
        at: typeof item.time === 'number' ? new Date(item.time).toISOString() : null,
        isRead: item.isread ?? null,
        isDeleted: item.deleted ?? null
      }))
      return { messages: messages.sort((a, b) => (b.at ?? '').localeCompare(a.at ?? '')), total: value.total ?? null }
    },

    async sendNavMessage(
      vehicleId: number,
      message: { mtype: 'inbox' | 'screen'; message: string },
      signal: AbortSignal
    ) {
      const { value } = await (
        await client()
      ).navscreen.sendMessage(
        { vid: vehicleId, ...message },
        { signal, priority: 'person', timeoutMs: commandTimeoutMs }
      )
      return {
        message: value.msg ?? '',
        deviceIsOnline: value.device_is_online ?? null,
        id: value.ts_message_id ?? null
      }
    },

    async sendNavJob(vehicleId: number, job: { message: string; flat: number; flon: number }, signal: AbortSignal) {
      const { value } = await (
        await client()
      ).navscreen.sendJob({ vid: vehicleId, ...job }, { signal, priority: 'person', timeoutMs: commandTimeoutMs })
      return {
        message: value.msg ?? '',
        deviceIsOnline: value.device_is_online ?? null,
        id: value.job_message_id ?? null
      }
    }
  }
}
