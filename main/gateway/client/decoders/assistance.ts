import { numberIn, type Fields } from './fields.ts'

/** Labels of the driver-assistance camera ("ADAS labels"), in English and Spanish. */
export const assistanceLabels: Readonly<Record<string, { en: string; es: string }>> = {
  adaserr: { en: 'accessory error', es: 'error del accesorio' },
  adaslldw: { en: 'left lane departure', es: 'salida de carril por la izquierda' },
  adasrldw: { en: 'right lane departure', es: 'salida de carril por la derecha' },
  adasfcw: { en: 'forward collision', es: 'colisión frontal' },
  adasmaint: { en: 'maintenance flag', es: 'aviso de mantenimiento' },
  adasflsf: { en: 'failsafe: the camera does not see well', es: 'modo seguro: la cámara no ve bien' },
  adaspdfcw: { en: 'pedestrian forward collision', es: 'colisión frontal con peatón' },
  adaspddng: { en: 'pedestrian in danger zone', es: 'peatón en la zona de peligro' },
  adastmpr: { en: 'tamper', es: 'manipulación' },
  adasspd: { en: 'speeding above the detected sign', es: 'velocidad por encima de la señal detectada' },
  adashdwrn: { en: 'headway warning', es: 'aviso de distancia' },
  adasbrkon: { en: 'brakes on', es: 'frenos accionados' },
  adaslftsig: { en: 'left turn signal', es: 'intermitente izquierdo' },
  adasrghsig: { en: 'right turn signal', es: 'intermitente derecho' },
  adaswprs: { en: 'wipers', es: 'limpiaparabrisas' },
  adaslwbm: { en: 'low beams', es: 'luces cortas' },
  adashibm: { en: 'high beams', es: 'luces largas' },
  adastime: { en: 'time-of-day change', es: 'cambio de hora del día' },
  adasfvsa: { en: 'front vehicle start alarm', es: 'alarma de arranque del vehículo delantero' },
  adasfpw: { en: 'forward proximity warning', es: 'aviso de proximidad frontal' }
}

const units: Readonly<Record<string, string>> = {
  adas_distance_from_front_vehicle: 'm',
  adas_headway_measurement: 's',
  adas_relative_speed_from_front_vehicle: 'km/h'
}
export const assistanceFields = [
  'adas_distance_from_front_vehicle',
  'adas_headway_measurement',
  'adas_headway_warning_level',
  'adas_relative_speed_from_front_vehicle',
  'adas_speed_limit_recognition_sensitivity',
  'adas_speed_limit_recognition_state',
  'adas_speed_limit_recognition',
  'adas_speed',
  'adas_traffic_signs_recognition_warning_level',
  'adas_vision_only_sign_type'
] as const

/** Values of the driver-assistance camera in a rawdata event, with the documented unit, if any. */
export function readAssistance(event: Fields): { name: string; value: number; unit: string }[] {
  return assistanceFields.flatMap((name) => {
    const value = numberIn(event, name)
    return value === null ? [] : [{ name, value, unit: units[name] ?? '' }]
  })
}
