import { readonly, ref } from 'vue'
import type { DiagnosisSubject } from '../../../preload/contract/support/diagnosis.ts'
import { goTo, placeHref } from './router.ts'

export const isImei = (text: string): boolean => /^\d{15}$/.test(text)

/**
 * The subject of an address (`#/diagnose/device/KEY`, `#/diagnose/imei/NUMBER`, `#/diagnose/vehicle/7`); null when
 * there is none.
 */
export function subjectIn(kind: string, id: string): DiagnosisSubject | null {
  if (kind === 'device' && id !== '') return { key: id }
  if (kind === 'imei' && isImei(id)) return { imei: id }
  return kind === 'vehicle' && /^\d{1,15}$/.test(id) ? { vehicleId: Number(id) } : null
}

function placeOf(subject: DiagnosisSubject): [kind: string, id: string] {
  if ('key' in subject) return ['device', subject.key]
  return 'imei' in subject ? ['imei', subject.imei] : ['vehicle', String(subject.vehicleId)]
}

/** The address of a diagnosis, for links. */
export function diagnoseHref(subject: DiagnosisSubject): string {
  return placeHref('diagnose', ...placeOf(subject))
}

/** Opens the diagnosis of a subject. */
export function goDiagnose(subject: DiagnosisSubject): void {
  goTo('diagnose', ...placeOf(subject))
}

const last = ref<DiagnosisSubject | null>(null)

/** The last subject, where the rail leads back to. */
export const lastSubject = readonly(last)

export function rememberSubject(subject: DiagnosisSubject): void {
  last.value = subject
}
