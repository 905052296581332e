import type { HandlersOf } from '../../../preload/contract/index.ts'
import type { Snapshots } from './desk.ts'

/** The calls of snapshots. */
export function createSnapshotHandlers(snapshots: Snapshots): HandlersOf<'snapshots'> {
  return {
    'snapshots.list': (input) => snapshots.list(input),
    'snapshots.take': async (input, signal) => ({ snapshot: await snapshots.take(input, signal) }),
    'snapshots.stop': ({ view }) => {
      snapshots.stop(view)
      return {}
    },
    'snapshots.read': ({ id }) => snapshots.read(id),
    'snapshots.diff': (input) => snapshots.diff(input),
    'snapshots.export': ({ id }) => snapshots.export(id),
    'snapshots.open': ({ text }) => snapshots.open(text),
    'snapshots.installed': ({ imei }) => snapshots.installed(imei)
  }
}
