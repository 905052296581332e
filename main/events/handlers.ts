import type { HandlersOf } from '../../preload/contract/index.ts'
import type { EventLogs } from './logs.ts'

export function createEventHandlers(logs: EventLogs): HandlersOf<'eventLog'> {
  return {
    'eventLog.open': (input) => logs.open(input),
    'eventLog.state': ({ id }) => logs.state(id),
    'eventLog.stop': ({ id }) => logs.stop(id),
    'eventLog.judge': (input) => logs.judge(input),
    'eventLog.last': ({ vehicleId }) => ({ state: logs.last(vehicleId) }),
    'eventLog.stretches': ({ id }) => logs.stretches(id),
    'eventLog.picture': (input) => logs.picture(input),
    'eventLog.rows': (input) => logs.rows(input),
    'eventLog.merged': (input) => logs.merged(input),
    'eventLog.find': (input) => logs.find(input),
    'eventLog.count': (input) => logs.count(input),
    'eventLog.event': (input, signal) => logs.event(input, signal),
    'eventLog.fields': (_input, signal) => logs.fields(signal),
    'eventLog.labels': ({ id }) => logs.labels(id),
    'eventLog.export': (input) => logs.export(input),
    'eventLog.exportPart': ({ id, from }) => logs.exportPart(id, from),
    'eventLog.endExport': ({ id }) => logs.endExport(id)
  }
}
