import type { Endpoint } from './call.ts'
import { directoryEndpoints } from './directory.ts'
import { linkEndpoints } from './links.ts'
import { rawdataEndpoints } from './rawdata/query.ts'
import { sessionEndpoints } from './sessions.ts'

/** Every operation of the gateway. */
export const endpoints: readonly Endpoint[] = [...sessionEndpoints, ...directoryEndpoints, ...linkEndpoints, ...rawdataEndpoints]
