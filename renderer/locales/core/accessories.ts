import type { Sentences } from './match.ts'

/** What is said about outputs through the gateway. */
export const accessories: Sentences = {
  'No event of the vehicle in the last 6 hours.': 'Ningún evento del vehículo en las últimas 6 horas.',
  'Newest event {age} s old; at most {most} s: an offline device would carry it out later.':
    'Último evento de hace {age} s; máximo {most} s: un equipo sin conexión lo ejecutaría después.',
  'The gateway shows no speed.': 'La plataforma no muestra la velocidad.',
  'The position is not valid, so the speed says nothing.': 'La posición no es válida, así que la velocidad no dice nada.',
  'Speed {n} km/h; it must be 0.': 'Velocidad {n} km/h; debe ser 0.',
  'The gateway does not show the ignition.': 'La plataforma no muestra el encendido.',
  'The ignition is on: switch it off.': 'El encendido está activo: quite el contacto.',
  'The engine bus says that the engine runs.': 'El bus del motor dice que el motor está en marcha.',
  'The ignition is off.': 'El encendido está inactivo.',
  'Another output of this vehicle is being followed.': 'Se está siguiendo otra salida de este vehículo.',
  'No other output of this vehicle is being followed.': 'No se está siguiendo ninguna otra salida de este vehículo.',
  'The gateway shows no device in this vehicle.': 'La plataforma no muestra ningún equipo en este vehículo.',
  'Not switched on. {why}': 'No se activó. {why}',
  'Expander output': 'Salida del expansor',
  'Expander output {n}': 'Salida del expansor {n}',
  'expander output {n}': 'la salida del expansor {n}',
  'Output ({type}) {n}': 'Salida ({type}) {n}',
  'output ({type}) {n}': 'la salida ({type}) {n}',
  'Expander output {n} on': 'Salida del expansor {n} activa',
  'Expander output {n} off': 'Salida del expansor {n} inactiva',
  'Output ({type}) {n} on': 'Salida ({type}) {n} activa',
  'Output ({type}) {n} off': 'Salida ({type}) {n} inactiva',
  'It is not known whether the command arrived ({why}).': 'No se sabe si el comando llegó ({why}).',
  'Send “off” now, stay with the vehicle, and do not leave before the gateway shows it off.':
    'Envíe «apagar» ahora, quédese junto al vehículo y no se vaya antes de que la plataforma la muestre inactiva.',
  'Send “off” again and watch the output itself.': 'Envíe «apagar» otra vez y observe la salida misma.',
  'The device is offline: the gateway may hold this command and carry it out later.':
    'El equipo está sin conexión: la plataforma puede guardar este comando y ejecutarlo después.',
  'Waiting for the log and the line state of the gateway.': 'Esperando el registro y el estado de la línea en la plataforma.',
  '{name} is shorted.': '{name} está en cortocircuito.',
  'Check its wire for contact with ground. {note}': 'Revise si su cable toca masa. {note}',
  'The log of the gateway has it, and it shows {name} {state}.': 'El registro de la plataforma lo tiene, y muestra {name}: {state}.',
  'The log of the gateway has it; the gateway does not show this line.': 'El registro de la plataforma lo tiene; la plataforma no muestra esta línea.',
  'The log of the gateway has it; the line does not show it yet.': 'El registro de la plataforma lo tiene; la línea aún no lo muestra.',
  'The log of the gateway does not have it yet.': 'El registro de la plataforma aún no lo tiene.',
  'The device is offline.': 'El equipo está sin conexión.',
  'Expired: not seen at the gateway within {n} s. It is not sent again, and nobody knows whether it will act.':
    'Vencido: no se vio en la plataforma en {n} s. No se envía otra vez, y nadie sabe si actuará.'
}
