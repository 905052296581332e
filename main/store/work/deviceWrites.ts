import type { Json } from '../../../preload/contract/define.ts'
import { type Message, asMessage } from '../../../preload/contract/messages.ts'
import type { DeviceWrite } from '../../../preload/contract/device/workspace.ts'
import type { AttemptStore, StoredAttempt } from './attempts.ts'
import type { DataFile } from '../file/database.ts'

export interface NewDeviceWrite {
  /** IMEI of the device, or its address where it has not said who it is. */
  imei: string
  at: string
  operation: string
  /** Without secrets: nothing here takes them out. */
  input: Json
  by: string
  jobId: string | null
}

export interface DeviceWriteStore {
  /** Writes the intent before the first byte leaves; without an end it stays `unknown`. Gives its id. */
  begin(write: NewDeviceWrite): number
  end(id: number, end: Pick<DeviceWrite, 'outcome' | 'answer'> & { detail: Message | string; at: string }): void
  /** Newest first; of all operations when none is named. */
  list(filter: { imei: string; operations: readonly string[]; limit: number }): DeviceWrite[]
  /** A list that a person keeps, such as the applications that every device has to have. */
  names(preference: string): string[]
  keepNames(preference: string, names: readonly string[]): void
}

/** What was sent to a device (console runs, settings, engine-bus lists), as the journal of attempts has it. */
export function createDeviceWriteStore(data: DataFile, attempts: AttemptStore): DeviceWriteStore {
  const readPreference = data.prepare<[string], { value: string }>('select value from preference where name = ?')
  const putPreference = data.prepare(
    'insert into preference (name, value) values (?, ?) on conflict (name) do update set value = excluded.value'
  )

  return {
    begin: ({ imei, at, operation, input, by, jobId }) =>
      attempts.begin({ target: 'device', operation: null, imei, what: operation, input, requestHash: null, by, jobId, startedAt: at, serverTimeMs: null }),
    end: (id, end) => attempts.end(id, { ...end, detail: keepMessage(end.detail) }),
    list: ({ imei, operations, limit }) => attempts.ofDevice({ imei, what: operations, limit }).map(asDeviceWrite),
    names(preference) {
      const row = readPreference.get(preference)
      return row ? (JSON.parse(row.value) as string[]) : []
    },
    keepNames(preference, names) {
      data.write(() => putPreference.run(preference, JSON.stringify(names)))
    }
  }
}

function asDeviceWrite({ id, startedAt, what, input, by, jobId, outcome, detail, answer }: StoredAttempt): DeviceWrite {
  return { id, at: startedAt, operation: what, input, by, jobId, outcome: outcomeOf(outcome), detail: readKeptMessage(detail), answer }
}

/** Gateway work that names a device stands in the same list, in the words of operations. */
function outcomeOf(outcome: string | null): DeviceWrite['outcome'] {
  if (outcome === 'done' || outcome === 'failed' || outcome === 'refused') return outcome
  if (outcome === 'answered') return 'done'
  return outcome?.startsWith('not applied') ? 'refused' : 'unknown'
}

/** A message as a text column holds it. Words of before, and words that are not ours, stay the text that they are. */
function keepMessage(message: Message | string): string {
  return typeof message === 'string' ? message : JSON.stringify({ id: message.id, values: message.values })
}

/** What such a column says. */
function readKeptMessage(stored: string): Message {
  if (!stored.startsWith('{"id":')) return asMessage(stored)
  try {
    return JSON.parse(stored) as Message
  } catch {
    // A person's words may begin in the same way.
    return asMessage(stored)
  }
}
