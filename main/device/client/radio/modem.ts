import {
  modemConfiguration,
  modemInformation,
  type ModemConfiguration,
  type ModemInformation,
  type Reading
} from '../../../../preload/contract/device/deviceAreas.ts'
import type { CallOptions, Wire } from '../wire.ts'

export interface ApnInput {
  apn: string
  user: string
  pass: string
  pin: string
}

export function modemArea(wire: Wire) {
  return {
    /**
     * `GET /storage/hgetall/modem_information`: all strings; for RSSI see `readSignal`, for GSM_REG `readRegistration`.
     */
    information: (options?: CallOptions): Promise<Reading<ModemInformation>> =>
      wire.read('modem.information', modemInformation, options),
    /** `GET /storage/hgetall/modem_configuration`: all strings; SIM_SW_INTERVAL in hours. */
    configuration: (options?: CallOptions): Promise<Reading<ModemConfiguration>> =>
      wire.read('modem.configuration', modemConfiguration, options),
    /** `POST /storage/edit`: user, password and PIN are secrets. The answer is not documented: read APN back. */
    editApn: ({ apn, user, pass, pin }: ApnInput, options?: CallOptions): Promise<Reading<unknown>> =>
      wire.command(
        'modem.editApn',
        { body: { apn, user, pass, pin }, secrets: [user, pass, pin], passwords: [pass, pin] },
        options
      )
  }
}
