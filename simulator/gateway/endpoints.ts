import type { Endpoint } from './call.ts'
import { counterEndpoints } from './records/counters.ts'
import { directoryEndpoints } from './records/directory.ts'
import { geofenceEndpoints } from './records/geofences.ts'
import { linkEndpoints } from './records/links.ts'
import { navscreenEndpoints } from './accessories/navscreen.ts'
import { photocamEndpoints } from './accessories/photocam.ts'
import { rawdataEndpoints } from './rawdata/query.ts'
import { remoteEndpoints } from './accessories/remote.ts'
import { reportEndpoints } from './past/reports.ts'
import { routeEndpoints } from './past/routes.ts'
import { sessionEndpoints } from './sessions.ts'
import { triggerEndpoints } from './accessories/triggers.ts'
import { tripEndpoints } from './past/trips.ts'
import { vehicleCounterEndpoints } from './records/vehicleCounters.ts'

export const endpoints: readonly Endpoint[] = [
  ...sessionEndpoints,
  ...directoryEndpoints,
  ...linkEndpoints,
  ...remoteEndpoints,
  ...photocamEndpoints,
  ...navscreenEndpoints,
  ...rawdataEndpoints,
  ...counterEndpoints,
  ...vehicleCounterEndpoints,
  ...tripEndpoints,
  ...geofenceEndpoints,
  ...routeEndpoints,
  ...triggerEndpoints,
  ...reportEndpoints
]
