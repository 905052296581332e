import type { CallOutput, CallParsed, HandlersOf } from '../../preload/contract/index.ts'
import { onlyLookedAt } from './refusals.ts'

export interface CabPort {
  add(input: CallParsed<'cab.add'>): Promise<CallOutput<'cab.add'>>
  drop(upload: string): Promise<void>
  leave(): Promise<void>
}

/** For front ends that do not open bundles. */
export const noCab: CabPort = {
  add: () => Promise.reject(onlyLookedAt()),
  drop: () => Promise.resolve(),
  leave: () => Promise.resolve()
}

export function createCabHandlers(cab: CabPort): HandlersOf<'cab'> {
  return {
    'cab.add': (input) => cab.add(input),
    'cab.drop': ({ upload }) => cab.drop(upload),
    'cab.leave': () => cab.leave()
  }
}
