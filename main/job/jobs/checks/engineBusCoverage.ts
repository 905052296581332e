import type { SeenRow } from '../../../../preload/contract/job/jobSeen.ts'
import type { StepOf } from '../../../../preload/contract/job/steps/index.ts'
import { message, plainMessage, type Message } from '../../../../preload/contract/messages.ts'
import { busName } from '../../../../preload/job/busName.ts'
import { fail, pass, warn, withFigure, withRows, type Outcome } from '../engine/check.ts'
import type { BusValue, EngineBusAtGateway } from '../engine/ports.ts'
import type { Profile } from '../engine/profile.ts'

/** The parameters to be found on the bus; empty if none was ordered by name. */
export function orderedNames({
  parameters = [],
  entries = []
}: Pick<StepOf<'engineBus'>, 'parameters' | 'entries'>): string[] {
  return [...new Set([...parameters, ...entries.map(({ PARAM_NAME }) => PARAM_NAME)].map(busName))]
}

/** All values of a parameter while it was valid: a parameter with two values is changing. */
export type BusHistory = Map<string, Set<unknown>>

export function rememberEngineBus(history: BusHistory, events: EngineBusAtGateway['events']): void {
  for (const { values } of events) {
    for (const { name, flag, value } of values) {
      if (flag === 'T' && value !== null) history.set(name, (history.get(name) ?? new Set()).add(value))
    }
  }
}

export interface Coverage {
  rows: SeenRow[]
  /** The number of counted parameters with flag T and a value. */
  valid: number
  total: number
  percent: number
  /** The number of them that changed while they were valid. */
  moving: number
}

/** How many of the ordered parameters (without an order, of all that the gateway lists) are valid and change. */
export function coverageOf(ordered: readonly string[], bus: EngineBusAtGateway, history: BusHistory): Coverage {
  const values = new Map((bus.events.at(-1)?.values ?? []).map((value) => [value.name, value]))
  const listed = [...new Set([...bus.parameters.map(({ name }) => name), ...values.keys()])]
  const counted = ordered.length > 0 ? ordered : listed
  const isValid = (name: string) => values.get(name)?.flag === 'T' && values.get(name)?.value !== null
  const isMoving = (name: string) => (history.get(name)?.size ?? 0) > 1
  const others = listed.filter((name) => !counted.includes(name) && isValid(name))
  const valid = counted.filter(isValid)
  return {
    rows: [
      ...counted.map((name): SeenRow =>
        rowOf(name, values.get(name), {
          isListed: listed.includes(name),
          isOrdered: ordered.length > 0,
          isMoving: isMoving(name)
        })
      ),
      ...others.map((name): SeenRow => ({
        ...rowOf(name, values.get(name), { isListed: true, isOrdered: false, isMoving: isMoving(name) }),
        verdict: 'notOrdered'
      }))
    ],
    valid: valid.length,
    total: counted.length,
    percent: counted.length === 0 ? 0 : Math.floor((valid.length / counted.length) * 100),
    moving: valid.filter(isMoving).length
  }
}

function rowOf(
  name: string,
  seen: BusValue | undefined,
  is: { isListed: boolean; isOrdered: boolean; isMoving: boolean }
): SeenRow {
  const isValid = seen?.flag === 'T' && seen.value !== null
  const note: Message | undefined = !seen
    ? message(is.isListed ? 'engineBus.noValueYet' : 'engineBus.notListed')
    : seen.flag !== 'T'
      ? seen.meaning
      : !isValid
        ? message('engineBus.noValueYet')
        : is.isMoving
          ? undefined
          : message('engineBus.standsStill')
  return {
    label: plainMessage(name),
    wanted: is.isOrdered ? message('engineBus.validValue') : null,
    device: null,
    gateway: isValid ? plainMessage(String(seen.value)) : null,
    verdict: isValid
      ? is.isOrdered
        ? 'agrees'
        : 'received'
      : !seen
        ? is.isListed
          ? 'waiting'
          : 'missing'
        : seen.flag === 'U'
          ? 'missing'
          : seen.flag === 'F' || seen.flag === 'O'
            ? 'waiting'
            : 'differs',
    ...(note ? { note } : {})
  }
}

/** The outcome for a final score: enough of the parameters, and at least one that changes. */
export function judgeCoverage(coverage: Coverage, limits: Profile['engineBus']): Outcome {
  const { valid, total, percent, moving, rows } = coverage
  const score = { valid, total, coveragePercent: percent }
  const outcome =
    total === 0
      ? warn(message('engineBus.noParameters'), message('engineBus.addParameters'), ['gateway'])
      : percent < limits.coverageWarnPercent
        ? fail(message('engineBus.coverage', score), message('engineBus.tooFew'), ['gateway'])
        : moving === 0
          ? warn(message('engineBus.noneMoves', score), message('engineBus.driveABit'), ['gateway'])
          : percent < limits.coveragePassPercent
            ? warn(message('engineBus.coverage', score), message('engineBus.someMissing'), ['gateway'])
            : pass(message('engineBus.coverage', score), ['gateway'])
  return withRows(rows, withFigure(message('engineBus.percent', { coveragePercent: percent }), outcome))
}
