import type { VehicleGateway } from '../gateway/vehicles.ts'
import type { OperationKind } from '../operations/kind.ts'
import { counterKey, countersCreate, countersSetGlobal, type CreateCounterPayload, type SetGlobalPayload } from '../operations/kinds/counters.ts'
import { entitiesLink, linkKey, type LinkGateway } from '../operations/kinds/entitiesLink.ts'
import { comparedFirst, type RecordReader } from '../operations/kinds/fromCopy.ts'

/** Kinds of gateway work about vehicles. What was chosen from the copy is compared with the gateway first. */
export function vehicleKinds(gateway: LinkGateway & RecordReader, counters: VehicleGateway): OperationKind[] {
  return [
    comparedFirst(entitiesLink(gateway), gateway, { key: ({ primary }) => linkKey(primary) }),
    comparedFirst<SetGlobalPayload>(countersSetGlobal({ ...counters, findExact: gateway.findExact }), gateway, { key: counterKey }),
    comparedFirst<CreateCounterPayload>(countersCreate(counters), gateway, { key: counterKey, put: (payload, { id, name }) => ({ ...payload, vid: id, vehicle: name }) })
  ] as OperationKind[]
}
