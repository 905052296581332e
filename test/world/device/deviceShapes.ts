import type { z } from 'zod'
import * as areas from '../../../preload/contract/device/deviceAreas.ts'

/** The operations whose answer is documented, with its shape; the answers of all others are "not shown". */
export const documentedShapes: Readonly<Record<string, z.ZodType>> = {
  'auth.login': areas.signedInUser,
  'gps.position': areas.gpsPosition,
  'eth.state': areas.ethernetState,
  'wifi.state': areas.wifiState,
  'wifi.list': areas.wifiList,
  'wifi.scan': areas.wifiScan,
  'hotspot.list': areas.hotspotList,
  'hotspot.state': areas.hotspotState,
  'modem.information': areas.modemInformation,
  'modem.configuration': areas.modemConfiguration,
  'io.all': areas.ioState,
  'accel.state': areas.accelerometerState,
  'accel.configuration': areas.accelerometerConfiguration,
  'system.info': areas.systemInfo,
  'updates.osCheck': areas.osUpdate,
  'apps.list': areas.applications
}
