import { booleanIn, numberIn, type Fields } from './fields.ts'

const four = [1, 2, 3, 4]

/**
 * `ios_state` of a device (`GET /devices/:imei?select=ios_state`): the lines that the gateway shows; the others
 * (IN4..7,
 * OUT3..4) it does not expose. Missing lines are null. `epochS` is by the gateway.
 */
export function readIosState(state: Fields) {
  return {
    power: booleanIn(state, 'io_pwr'),
    ignition: booleanIn(state, 'io_ign'),
    inputs: [1, 2, 3].map((n) => booleanIn(state, `io_in${n}`)),
    outputs: [1, 2].map((n) => booleanIn(state, `io_out${n}`)),
    outputShorts: [1, 2].map((n) => booleanIn(state, `io_out${n}_short`)),
    expander: readIoExpander(state),
    epochS: numberIn(state, '_epoch', 0)
  }
}

/** The 13 fields of the expander, in `ios_state` or in a rawdata event with the set `$io_exp`. */
export function readIoExpander(fields: Fields) {
  return {
    isConnected: booleanIn(fields, 'io_exp_state'),
    inputs: four.map((n) => booleanIn(fields, `io_exp_in${n}`)),
    outputs: four.map((n) => booleanIn(fields, `io_exp_out${n}`)),
    outputShorts: four.map((n) => booleanIn(fields, `io_exp_out${n}_short`))
  }
}
