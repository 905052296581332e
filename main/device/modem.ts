import {
  modemConfiguration,
  modemInformation,
  type ModemConfiguration,
  type ModemInformation,
  type Reading
} from '../../preload/contract/device/deviceAreas.ts'
import type { CallOptions, Wire } from './wire.ts'

export interface ApnInput {
  apn: string
  user: string
  pass: string
  pin: string
}

export interface ModemArea {
  /** `GET /storage/hgetall/modem_information`: all strings; for RSSI see `readSignal`, for GSM_REG `readRegistration`. */
  information(options?: CallOptions): Promise<Reading<ModemInformation>>
  /** `GET /storage/hgetall/modem_configuration`: all strings; SIM_SW_INTERVAL in hours. */
  configuration(options?: CallOptions): Promise<Reading<ModemConfiguration>>
  /** `POST /storage/edit`: user, password and PIN are secrets. The answer is not documented: read APN back. */
  editApn(input: ApnInput, options?: CallOptions): Promise<Reading<unknown>>
}

export function modemArea(wire: Wire): ModemArea {
  return {
    information: (options) => wire.read('modem.information', modemInformation, options),
    configuration: (options) => wire.read('modem.configuration', modemConfiguration, options),
    editApn: ({ apn, user, pass, pin }, options) =>
      wire.command('modem.editApn', { body: { apn, user, pass, pin }, secrets: [user, pass, pin], passwords: [pass, pin] }, options)
  }
}
