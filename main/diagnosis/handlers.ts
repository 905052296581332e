import type { HandlersOf } from '../../preload/contract/index.ts'
import type { DiagnosisDesk } from './desk.ts'

/** One line for each call of diagnosis. */
export function createDiagnosisHandlers(desk: DiagnosisDesk): Pick<HandlersOf<'diagnosis'>, 'diagnosis.look' | 'diagnosis.retest' | 'diagnosis.raw' | 'diagnosis.installed'> {
  return {
    'diagnosis.look': ({ subject, atMs }) => desk.look(subject, atMs),
    'diagnosis.raw': ({ subject, atMs }) => desk.raw(subject, atMs),
    'diagnosis.installed': ({ imei }) => desk.installed(imei),
    'diagnosis.retest': ({ subject, link }) => desk.retest(subject, link)
  }
}
