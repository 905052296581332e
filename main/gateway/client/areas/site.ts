import { labels, timeZones, versionRecord } from '../records/site.ts'
import { recordForm, type Caller, type CallOptions } from '../transport/caller.ts'
import type { ServerTime } from '../transport/serverTime.ts'

type Nothing = Record<string, never>

/** `GET {base_url}`: the version record. */
export function versionArea({ call }: Caller) {
  return {
    get: (input: Nothing = {}, options?: CallOptions) => call('version.get', input, options, recordForm(versionRecord))
  }
}

/** `GET /tz`: the gateway's clock and its time zones. */
export function tzArea({ call }: Caller, serverTime: ServerTime) {
  return {
    list: async (input: Nothing = {}, options?: CallOptions) => {
      const reading = await call('tz.list', input, options, recordForm(timeZones))
      const endedAtMs = Date.parse(reading.readAt)
      if (reading.value.server_utc_epoch !== undefined) {
        serverTime.learnEpoch(reading.value.server_utc_epoch, endedAtMs - reading.elapsedMs - 1, endedAtMs)
      }
      return reading
    }
  }
}

/** `GET /labels`: event labels and their texts. */
export function labelsArea({ call }: Caller) {
  return {
    list: (input: Nothing = {}, options?: CallOptions) => call('labels.list', input, options, recordForm(labels))
  }
}
