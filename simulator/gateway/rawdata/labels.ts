import type { Call } from '../call.ts'
import type { JsonRecord } from '../state.ts'

const known: [label: string, english: string, spanish: string][] = [
  ['prdtst', 'Periodic:Position while the vehicle stands or drives', 'Periódico:Posición con el vehículo parado o en marcha'],
  ['ignon', 'Ignition on:The ignition was turned on', 'Encendido:Se encendió el contacto'],
  ['ignoff', 'Ignition off:The ignition was turned off', 'Apagado:Se apagó el contacto'],
  ['pwrloss', 'Power loss:External power was cut', 'Sin alimentación:Se cortó la alimentación externa'],
  ['pwrrstd', 'Power restored:External power is back', 'Alimentación:Volvió la alimentación externa'],
  ['adaserr', 'Accessory error:The driver assistance camera reports an error', 'Error de accesorio:La cámara de asistencia informa un error'],
  ['adasfcw', 'Forward collision:Forward collision warning', 'Colisión frontal:Aviso de colisión frontal']
]

/** Labels of the catalogue and those that devices have reported, keyed by label. */
export function labelRecords(call: Call): JsonRecord {
  const records: JsonRecord = {}
  const created = '2024-03-01T00:00:00'
  for (const [label, en, es] of known) records[label] = { label, en, es, created_at: created, edited_at: created }
  for (const { fields } of call.state.events) {
    const label = String(fields['label'])
    records[label] ??= { label, en: `${label}:Reported by a device`, es: `${label}:Informado por un equipo`, created_at: created, edited_at: created }
  }
  return records
}
