import type { Call } from '../call.ts'
import type { JsonRecord } from '../state.ts'

const known: [label: string, english: string, spanish: string][] = [
  [
    'prdtst',
    'Position:Position while the vehicle stands or drives',
    'Posición:Posición con el vehículo parado o en marcha'
  ],
  ['ignon', 'Ignition on:The ignition was turned on', 'Encendido:Se encendió el contacto'],
  ['ignoff', 'Ignition off:The ignition was turned off', 'Apagado:Se apagó el contacto'],
  ['pwrloss', 'Power loss:External power was cut', 'Sin alimentación:Se cortó la alimentación externa'],
  ['pwrrstd', 'Power restored:External power is back', 'Alimentación:Volvió la alimentación externa'],
  [
    'pwroff',
    'External power lost:External power was cut',
    'Se perdió la alimentación externa:Se cortó la alimentación externa'
  ],
  [
    'pwron',
    'External power came back:External power is back',
    'Volvió la alimentación externa:Hay otra vez alimentación externa'
  ],
  ['motion', 'Drives off:The vehicle began to move', 'Se pone en marcha:El vehículo empezó a moverse'],
  ['stop', 'Stopped:The vehicle stands', 'Se detiene:El vehículo está parado'],
  [
    'harshbrk',
    'Harsh braking:The vehicle slowed down harder than is set',
    'Frenada brusca:El vehículo frenó más fuerte de lo configurado'
  ],
  ['ibutton', 'Key held to the reader:A key fob was read', 'Llave en el lector:Se leyó una llave'],
  ['bttag', 'Bluetooth tag heard:A tag was heard', 'Etiqueta Bluetooth oída:Se oyó una etiqueta'],
  ...[1, 2, 3, 4, 5, 6, 7].flatMap((n): [string, string, string][] => [
    [`in${n}on`, `Input ${n} on:Input ${n} was turned on`, `Entrada ${n} activada:Se activó la entrada ${n}`],
    [`in${n}off`, `Input ${n} off:Input ${n} was turned off`, `Entrada ${n} desactivada:Se desactivó la entrada ${n}`]
  ]),
  ...[1, 2, 3, 4].flatMap((n): [string, string, string][] => [
    [`out${n}on`, `Output ${n} on:Output ${n} was switched on`, `Salida ${n} activada:Se activó la salida ${n}`],
    [
      `out${n}off`,
      `Output ${n} off:Output ${n} was switched off`,
      `Salida ${n} desactivada:Se desactivó la salida ${n}`
    ]
  ]),
  [
    'adaserr',
    'Accessory error:The driver assistance camera reports an error',
    'Error de accesorio:La cámara de asistencia informa un error'
  ],
  ['adasfcw', 'Forward collision:Forward collision warning', 'Colisión frontal:Aviso de colisión frontal']
]

export function labelRecords(call: Call): JsonRecord {
  const records: JsonRecord = {}
  const created = '2024-03-01T00:00:00'
  for (const [label, en, es] of known) records[label] = { label, en, es, created_at: created, edited_at: created }
  for (const { fields } of call.state.events) {
    const label = String(fields['label'])
    records[label] ??= {
      label,
      en: `${label}:Reported by a device`,
      es: `${label}:Informado por un equipo`,
      created_at: created,
      edited_at: created
    }
  }
  return records
}
