import type { Endpoint } from './call.ts'
import { counterEndpoints } from './counters.ts'
import { directoryEndpoints } from './directory.ts'
import { geofenceEndpoints } from './geofences.ts'
import { linkEndpoints } from './links.ts'
import { navscreenEndpoints } from './navscreen.ts'
import { photocamEndpoints } from './photocam.ts'
import { rawdataEndpoints } from './rawdata/query.ts'
import { remoteEndpoints } from './remote.ts'
import { reportEndpoints } from './reports.ts'
import { routeEndpoints } from './routes.ts'
import { sessionEndpoints } from './sessions.ts'
import { triggerEndpoints } from './triggers.ts'
import { tripEndpoints } from './trips.ts'
import { vehicleCounterEndpoints } from './vehicleCounters.ts'

/** Every operation of the gateway. */
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
