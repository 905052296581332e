import type { Json } from '../../../../preload/contract/define.ts'
import { type Message, asMessage } from '../../../../preload/contract/messages.ts'
import type { DeviceWrite } from '../../../../preload/contract/device/workspace.ts'
import type { AttemptStore, StoredAttempt } from './attempts.ts'
import type { DataFile } from '../file/database.ts'
import { createStoredValues } from '../storedValues.ts'

export interface NewDeviceWrite {
  /** IMEI of the device, or its address while its identity is unknown. */
  imei: string
  at: string
  operation: string
  /** Without secrets: this module does not remove them. */
  input: Json
  by: string
  jobId: string | null
}

export type DeviceWriteStore = ReturnType<typeof createDeviceWriteStore>

/** Changes sent to a device (console commands, settings, engine-bus lists), from the journal of attempts. */
export function createDeviceWriteStore(data: DataFile, attempts: AttemptStore) {
  const values = createStoredValues(data, 'preference')
  return {
    /** Writes the intent before the first byte is sent; without an end it stays `unknown`. Returns its id. */
    begin: ({ imei, at, operation, input, by, jobId }: NewDeviceWrite): number =>
      attempts.begin({
        target: 'device',
        operation: null,
        imei,
        what: operation,
        input,
        requestHash: null,
        by,
        jobId,
        startedAt: at,
        serverTimeMs: null
      }),
    end: (id: number, end: Pick<DeviceWrite, 'outcome' | 'answer'> & { detail: Message | string; at: string }) =>
      attempts.end(id, { ...end, detail: keepMessage(end.detail) }),
    /** Newest first; without a name, of all operations. */
    list: ({
      imei,
      operations,
      limit
    }: {
      imei: string
      operations: readonly string[]
      limit: number
    }): DeviceWrite[] => attempts.ofDevice({ imei, what: operations, limit }).map(asDeviceWrite),
    /** A list that a person maintains, such as the applications that every device must have. */
    names: (preference: string): string[] => values.read<string[]>(preference) ?? [],
    keepNames: (preference: string, names: readonly string[]): void => values.put(preference, names)
  }
}

function asDeviceWrite({ id, startedAt, what, input, by, jobId, outcome, detail, answer }: StoredAttempt): DeviceWrite {
  return {
    id,
    at: startedAt,
    operation: what,
    input,
    by,
    jobId,
    outcome: outcomeOf(outcome),
    detail: readKeptMessage(detail),
    answer
  }
}

/** Gateway work about a device is in the same list, with its own kinds. */
function outcomeOf(outcome: string | null): DeviceWrite['outcome'] {
  if (outcome === 'done' || outcome === 'failed' || outcome === 'refused') return outcome
  if (outcome === 'answered') return 'done'
  return outcome?.startsWith('not applied') ? 'refused' : 'unknown'
}

/** A message in a text column. Texts that are not Fitter's stay text. */
function keepMessage(message: Message | string): string {
  return typeof message === 'string' ? message : JSON.stringify({ id: message.id, values: message.values })
}

function readKeptMessage(stored: string): Message {
  if (!stored.startsWith('{"id":')) return asMessage(stored)
  try {
    return JSON.parse(stored) as Message
  } catch {
    // A person's text may begin in the same way.
    return asMessage(stored)
  }
}
