import type { VehicleGateway } from '../gateway/vehicles.ts'
import type { OperationKind } from '../operations/kind.ts'
import { counterKey, countersCreate, countersSetGlobal, createCounterTitle, setGlobalTitle, type CreateCounterPayload, type SetGlobalPayload } from '../operations/kinds/counters.ts'
import { entitiesLink, linkKey, linkTitle, type LinkGateway } from '../operations/kinds/entitiesLink.ts'
import { comparedFirst, type RecordReader } from '../operations/kinds/fromCopy.ts'

/** Kinds of gateway work about vehicles. What was chosen from the copy is compared with the gateway first. */
export function vehicleKinds(gateway: LinkGateway & RecordReader, counters: VehicleGateway): OperationKind[] {
  return [
    comparedFirst(entitiesLink(gateway), gateway, { key: ({ primary }) => linkKey(primary), title: linkTitle }),
    comparedFirst<SetGlobalPayload>(countersSetGlobal({ ...counters, findExact: gateway.findExact }), gateway, { key: counterKey, title: setGlobalTitle }),
    comparedFirst<CreateCounterPayload>(countersCreate(counters), gateway, { key: counterKey, title: createCounterTitle, put: (payload, { id, name }) => ({ ...payload, vid: id, vehicle: name }) })
  ] as OperationKind[]
}
