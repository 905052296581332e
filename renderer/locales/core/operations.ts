import type { Sentences } from './match.ts'

/** Titles, reasons and evidence of the work that waits for the gateway. */
export const operations: Sentences = {
  // The engine
  'Fitter stopped while this was on its way. Reading back before anything is sent again.':
    'Fitter se detuvo mientras esto se enviaba. Se relee antes de enviar algo otra vez.',
  'Fitter could not write down what came of this. Reading back before anything is sent again.':
    'Fitter no pudo anotar qué resultó de esto. Se relee antes de enviar algo otra vez.',
  'This Fitter does not know work of the kind {kind}. Update Fitter.': 'Este Fitter no conoce tareas de tipo {kind}. Actualice Fitter.',
  'What this should send cannot be read any more. Drop it and enter it again.': 'Lo que esto debía enviar ya no se puede leer. Descártelo e ingréselo otra vez.',
  'Ready to be sent.': 'Listo para enviar.',
  'Waits until someone signs in at the gateway.': 'Espera hasta que alguien inicie sesión en la plataforma.',
  'Waits: {why}': 'Espera: {why}',
  'Sent {n} times without effect. Look at the evidence and decide.': 'Enviado {n} veces sin efecto. Mire la evidencia y decida.',
  'It could not be read back: {why}': 'No se pudo releer: {why}',
  '{reason} It could not be read back: {why}': '{reason} No se pudo releer: {why}',
  'Read back: {what}': 'Releído: {what}',
  '{reason} Read back: {what}': '{reason} Releído: {what}',
  'Reading back at the gateway.': 'Releyendo en la plataforma.',
  'It is not known whether this arrived; reading back failed: {why}': 'No se sabe si esto llegó; no se pudo releer: {why}',
  'It is not known whether this arrived, and it cannot be read back: {why}': 'No se sabe si esto llegó, y no se puede releer: {why}',
  'Not there yet; looking again: {what}': 'Aún no está; se mira otra vez: {what}',
  'Not there; looking once more in other words: {what}': 'No está; se mira una vez más de otra forma: {what}',
  'The gateway says that it exists already, and it is not ours. {what}': 'La plataforma dice que ya existe, y no es nuestro. {what}',
  'It is not sent again by itself.': 'No se envía otra vez por sí solo.',
  '{what} It is not sent again by itself.': '{what} No se envía otra vez por sí solo.',
  'Read twice and not there: it will be sent again.': 'Se leyó dos veces y no está: se enviará otra vez.',
  'There is no waiting work with the id {id}.': 'No hay ninguna tarea en espera con el id {id}.',
  'This work is {state}: that cannot be done with it now.': 'Esta tarea está en estado {state}: ahora no se puede hacer eso con ella.',
  'A person decided: {reason}': 'Una persona decidió: {reason}',
  'Waits for the gateway to tell which records are meant.': 'Espera que la plataforma diga de qué registros se trata.',
  'Stopped while the gateway was asked.': 'Detenido mientras se preguntaba a la plataforma.',
  'A fault in Fitter.': 'Una falla de Fitter.',
  'unknown: {code}': 'desconocido: {code}',
  'not applied: {code}': 'no aplicado: {code}',
  'Something between here and the gateway redirected the request. Wrong network?':
    'Algo entre este punto y la plataforma redirigió la solicitud. ¿Red equivocada?',
  'Sign in at the gateway, then send it again. {why}': 'Inicie sesión en la plataforma; luego envíelo otra vez. {why}',
  'The gateway limits requests; it will be sent after the reset.': 'La plataforma limita las solicitudes; se enviará cuando lo permita.',
  'The gateway does not show one of the records: not found, or not permitted for this user.':
    'La plataforma no muestra uno de los registros: no se encontró o no está permitido a este usuario.',
  'The gateway says that it exists already. Looking whether it is ours.': 'La plataforma dice que ya existe. Se mira si es nuestro.',
  'Not sent: {why}': 'No se envió: {why}',
  'It is not known whether this arrived: {why}': 'No se sabe si esto llegó: {why}',
  'This gateway work is gone.': 'Esta tarea de la plataforma ya no existe.',

  // What is created with a reference of its own
  'Create trigger {name}': 'Crear el disparador {name}',
  'Create {type} {name}': 'Crear {type} {name}',
  'Create geofence {name}, {n} m around the vehicle': 'Crear la geocerca {name}, {n} m alrededor del vehículo',
  'the trigger': 'el disparador',
  'the asset': 'el activo',
  'the geofence': 'la geocerca',
  'The gateway accepted {what}.': 'La plataforma aceptó {what}.',
  "The gateway's answer does not show {what} or its reference.": 'La respuesta de la plataforma no muestra {what} ni su referencia.',
  'The gateway shows {what} with {ref}.': 'La plataforma muestra {what} con {ref}.',
  'The gateway does not show {what} with {ref}.': 'La plataforma no muestra {what} con {ref}.',

  // SIM
  'Set the number of SIM {iccid} to {number}': 'Poner el número de la SIM {iccid} en {number}',
  'The gateway shows no SIM {iccid} yet. It makes the record when a device reports the card.':
    'La plataforma aún no muestra la SIM {iccid}. Crea el registro cuando un equipo reporta la tarjeta.',
  'The gateway accepted the number.': 'La plataforma aceptó el número.',
  'The gateway does not show this SIM: not found, or not permitted.': 'La plataforma no muestra esta SIM: no se encontró o no está permitida.',
  'no number': 'ningún número',
  'The SIM shows {number}.': 'La SIM muestra {number}.',

  // Links, keys, tags
  'Link {one} with {other}': 'Vincular {one} con {other}',
  'The gateway shows no {kind} "{text}" to this user.': 'La plataforma no muestra a este usuario ningún {kind} «{text}».',
  '"{text}" fits {n} {kind}s at the gateway: choose one.': '«{text}» coincide con {n} registros de tipo {kind} en la plataforma: elija uno.',
  '"{text}" fits {n} assets: choose one.': '«{text}» coincide con {n} activos: elija uno.',
  'The gateway accepted the link.': 'La plataforma aceptó el vínculo.',
  "The vehicle's history names asset {id}.": 'El historial del vehículo nombra el activo {id}.',
  "The vehicle's history does not name asset {id}.": 'El historial del vehículo no nombra el activo {id}.',
  "The gateway's answer does not show the vehicle's association history.": 'La respuesta de la plataforma no muestra el historial de vínculos del vehículo.',
  'Register key {id} for {asset}': 'Registrar la llave {id} para {asset}',
  'The gateway accepted the key.': 'La plataforma aceptó la llave.',
  'The gateway lists no key {id}.': 'La plataforma no lista ninguna llave {id}.',
  'The gateway lists key {id} for asset {owner}.': 'La plataforma lista la llave {id} para el activo {owner}.',
  'Key {id} is there, and belongs to no asset.': 'La llave {id} está y no pertenece a ningún activo.',
  'Key {id} belongs to asset {owner} already.': 'La llave {id} ya pertenece al activo {owner}.',
  'Assign tag {mac} to {asset}': 'Asignar la etiqueta {mac} a {asset}',
  'The gateway accepted the tag.': 'La plataforma aceptó la etiqueta.',
  'The gateway has no list of tags.': 'La plataforma no tiene una lista de etiquetas.',
  'An event names tag {mac} with asset {asset}.': 'Un evento nombra la etiqueta {mac} con el activo {asset}.',
  'The gateway has no list of tags, and no event of tag {mac} with an asset came within 15 minutes.':
    'La plataforma no tiene una lista de etiquetas, y en 15 minutos no llegó ningún evento de la etiqueta {mac} con un activo.',
  'No event names tag {mac} with an asset yet.': 'Aún ningún evento nombra la etiqueta {mac} con un activo.',

  // The back office
  'For the back office: {why} The gateway does not show device {imei} in {vehicle} yet.':
    'Para la oficina: {why} La plataforma aún no muestra el equipo {imei} en {vehicle}.',
  'The gateway shows the device in the vehicle.': 'La plataforma muestra el equipo en el vehículo.',
  'The gateway showed the device in the vehicle a moment ago.': 'La plataforma mostró el equipo en el vehículo hace un momento.',
  'The gateway does not show the device in the vehicle.': 'La plataforma no muestra el equipo en el vehículo.',
  'Back office: give {vehicle} the device {imei}': 'Oficina: asignar a {vehicle} el equipo {imei}',
  'The gateway did not assign the device. {why}': 'La plataforma no asignó el equipo. {why}',
  'The gateway shows device {imei} in {vehicle}; everything else is as it was.': 'La plataforma muestra el equipo {imei} en {vehicle}; todo lo demás está como estaba.',
  'The gateway shows device {imei} in {vehicle}, and {fields} changed as well. Tell the back office.':
    'La plataforma muestra el equipo {imei} en {vehicle}, y también cambió {fields}. Avise a la oficina.',
  'It is not known whether the update arrived: {why}': 'No se sabe si el cambio llegó: {why}',
  'The gateway answered without an error, and does not show the device in the vehicle.':
    'La plataforma respondió sin error y no muestra el equipo en el vehículo.',

  // Counters
  'Set {counter} of {vehicle} to {amount}': 'Poner {counter} de {vehicle} en {amount}',
  'Create the counter "{name}" for {vehicle}': 'Crear el contador «{name}» para {vehicle}',
  "The gateway accepted {amount}. It shows after the device's next report.":
    'La plataforma aceptó {amount}. Se verá después del próximo reporte del equipo.',
  'The gateway shows no {counter} for this vehicle.': 'La plataforma no muestra {counter} de este vehículo.',
  'The gateway shows {amount}': 'La plataforma muestra {amount}',
  "{shown}; {amount} shows after the device's next report.": '{shown}; {amount} se verá después del próximo reporte del equipo.',
  '{shown} after a report of the device, not {amount}.': '{shown} después de un reporte del equipo, no {amount}.',
  'The gateway accepted the counter.': 'La plataforma aceptó el contador.',
  "The gateway's answer does not list the vehicle's own counters.": 'La respuesta de la plataforma no lista los contadores propios del vehículo.',
  "The vehicle's counters show it.": 'Los contadores del vehículo lo muestran.',
  "The vehicle's counters do not show it.": 'Los contadores del vehículo no lo muestran.',
  'The gateway lets nobody set the counter "{counter}".': 'La plataforma no deja que nadie ponga el contador «{counter}».',
  'The gateway knows no counter "{counter}" to count along with.': 'La plataforma no conoce ningún contador «{counter}» que seguir.'
}
