import type { HandlersOf, Handlers } from '../../../preload/contract/index.ts'
import type { Diagnoses } from './diagnoses.ts'
import type { ToleranceSettings } from './tolerances.ts'
import type { Snapshots } from './snapshots/snapshots.ts'
import type { Bundles } from './bundles/bundles.ts'

export function createDiagnosisHandlers(
  diagnoses: Diagnoses
): Pick<HandlersOf<'diagnosis'>, 'diagnosis.look' | 'diagnosis.retest' | 'diagnosis.raw' | 'diagnosis.installed'> {
  return {
    'diagnosis.look': ({ subject, atMs, isQuick }) =>
      isQuick && atMs === null ? diagnoses.quick(subject) : diagnoses.look(subject, atMs),
    'diagnosis.raw': ({ subject, atMs }) => diagnoses.raw(subject, atMs),
    'diagnosis.installed': ({ imei }) => diagnoses.installed(imei),
    'diagnosis.retest': ({ subject, link }) => diagnoses.retest(subject, link)
  }
}

export function createToleranceHandlers(
  tolerances: ToleranceSettings
): Pick<Handlers, 'diagnosis.tolerances' | 'diagnosis.setTolerance' | 'diagnosis.resetTolerances'> {
  return {
    'diagnosis.tolerances': () => tolerances.list(),
    'diagnosis.setTolerance': ({ id, value }) => tolerances.set(id, value),
    'diagnosis.resetTolerances': () => tolerances.reset()
  }
}

export function createSnapshotHandlers(snapshots: Snapshots): HandlersOf<'snapshots'> {
  return {
    'snapshots.list': (input) => snapshots.list(input),
    'snapshots.take': async (input, signal) => ({ snapshot: await snapshots.take(input, signal) }),
    'snapshots.stop': ({ view }) => snapshots.stop(view),
    'snapshots.read': ({ id }) => snapshots.read(id),
    'snapshots.diff': (input) => snapshots.diff(input),
    'snapshots.export': ({ id }) => snapshots.export(id),
    'snapshots.open': ({ text }) => snapshots.open(text),
    'snapshots.installed': ({ imei }) => snapshots.installed(imei)
  }
}

export function createBundleHandlers(bundles: Bundles): HandlersOf<'bundles'> {
  return {
    'bundles.prepare': (input, signal) => bundles.prepare(input, signal),
    'bundles.look': (input) => bundles.look(input),
    'bundles.part': (input) => bundles.part(input),
    'bundles.end': ({ view }) => bundles.end(view)
  }
}
