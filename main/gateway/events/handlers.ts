import type { HandlersOf } from '../../../preload/contract/index.ts'
import type { EventLogs } from './logs.ts'

export function createEventHandlers(logs: EventLogs): HandlersOf<'eventLog'> {
  return {
    'eventLog.open': logs.open,
    'eventLog.state': ({ id }) => logs.state(id),
    'eventLog.stop': ({ id }) => logs.stop(id),
    'eventLog.judge': logs.judge,
    'eventLog.last': ({ vehicleId }) => ({ state: logs.last(vehicleId) }),
    'eventLog.stretches': ({ id }) => logs.stretches(id),
    'eventLog.picture': logs.picture,
    'eventLog.rows': logs.rows,
    'eventLog.merged': logs.merged,
    'eventLog.find': logs.find,
    'eventLog.count': logs.count,
    'eventLog.event': logs.event,
    'eventLog.fields': (_input, signal) => logs.fields(signal),
    'eventLog.labels': ({ id }) => logs.labels(id),
    'eventLog.export': logs.export,
    'eventLog.exportPart': ({ id, from }) => logs.exportPart(id, from),
    'eventLog.endExport': ({ id }) => logs.endExport(id)
  }
}
