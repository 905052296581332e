import type { HandlersOf } from '../../../preload/contract/index.ts'
import type { BundleDesk } from './bundleDesk.ts'

/** The calls of support bundles that are made here. */
export function createBundleHandlers(bundles: BundleDesk): HandlersOf<'bundles'> {
  return {
    'bundles.prepare': (input, signal) => bundles.prepare(input, signal),
    'bundles.look': (input) => bundles.look(input),
    'bundles.part': (input) => bundles.part(input),
    'bundles.end': async ({ view }) => {
      await bundles.end(view)
      return {}
    }
  }
}
