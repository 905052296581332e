import type { CallOutput, CallParsed, HandlersOf } from '../../../preload/contract/index.ts'
import type { KeptBundle } from '../../../preload/contract/support/openedBundle.ts'
import { onlyLookedAt } from './refusals.ts'

export interface BundleViewerCalls {
  add(input: CallParsed<'cab.add'>): Promise<CallOutput<'cab.add'>>
  drop(upload: string): Promise<void>
  leave(): Promise<void>
  list(): KeptBundle[]
  reopen(id: string): Promise<void>
  forget(id: string): void
}

/** For front ends that do not open bundles. */
export const noCab: BundleViewerCalls = {
  add: () => Promise.reject(onlyLookedAt()),
  drop: () => Promise.resolve(),
  leave: () => Promise.resolve(),
  list: () => [],
  reopen: () => Promise.reject(onlyLookedAt()),
  forget: () => undefined
}

export function createCabHandlers(cab: BundleViewerCalls): HandlersOf<'cab'> {
  return {
    'cab.add': (input) => cab.add(input),
    'cab.drop': ({ upload }) => cab.drop(upload),
    'cab.leave': () => cab.leave(),
    'cab.list': () => ({ bundles: cab.list() }),
    'cab.reopen': ({ id }) => cab.reopen(id),
    'cab.forget': ({ id }) => {
      cab.forget(id)
      return { bundles: cab.list() }
    }
  }
}
