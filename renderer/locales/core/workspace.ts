import type { Sentences } from './match.ts'

const wayBack = 'Tenga uno de los dos listo antes de continuar.'

/** What the device's own screens say: changes and their way back, runs over several devices, the console. */
export const workspace: Sentences = {
  '{operation}, by hand': '{operation}, a mano',
  '{name} sent; it cannot be read back.': '{name} enviado; no se puede releer.',
  'A job works on this device: an update could start in the middle of it. Finish or pause the job first.':
    'Un trabajo usa este equipo: una actualización podría empezar en medio. Primero termine o pause el trabajo.',
  'It ran.': 'Se ejecutó.',
  '[too long to keep]': '[demasiado largo para guardarlo]',
  '{output}… [cut]': '{output}… [cortado]',
  'This computer reaches the device at {host}, its Ethernet port.': 'Esta computadora alcanza el equipo en {host}, su puerto Ethernet.',
  'This computer reaches the device at {host}, its Wi-Fi address.': 'Esta computadora alcanza el equipo en {host}, su dirección Wi-Fi.',
  'This computer reaches the device at {host}, its Wi-Fi address in the network "{ssid}".':
    'Esta computadora alcanza el equipo en {host}, su dirección Wi-Fi en la red «{ssid}».',
  '{host} is neither the Ethernet nor the Wi-Fi address of the device, so it is taken for its hotspot.':
    '{host} no es la dirección Ethernet ni la Wi-Fi del equipo, así que se toma por su punto de acceso.',
  'Which interface of the device {host} belongs to cannot be told.': 'No se puede saber a qué interfaz del equipo pertenece {host}.',
  cuts: 'corta',
  'may cut': 'puede cortar',
  'This {likely} the connection that you are using now: {link}': 'Esto {likely} la conexión que usa ahora: {link}',
  'The device joins its saved network again by itself. Wait a minute; if it does not come back, use its hotspot or a cable.':
    'El equipo vuelve por sí solo a su red guardada. Espere un minuto; si no vuelve, use su punto de acceso o un cable.',
  'Only over its hotspot or a cable can its Wi-Fi be started again. Have one of the two ready before you go on.':
    `Su Wi-Fi solo se puede volver a encender por su punto de acceso o por cable. ${wayBack}`,
  'The device may change the network that you are using now: {link}': 'El equipo puede cambiar la red que usa ahora: {link}',
  'Join the network that the device is in then, and search for it again; or use its hotspot or a cable.':
    'Entre en la red en la que esté entonces el equipo y búsquelo otra vez; o use su punto de acceso o un cable.',
  'Join the hotspot again under its new name, with its new password, and search for the device.':
    'Entre otra vez en el punto de acceso con su nombre nuevo y su contraseña nueva, y busque el equipo.',
  'Only over its Wi-Fi network or a cable can the hotspot be started again. Have one of the two ready before you go on.':
    `El punto de acceso solo se puede volver a encender por su red Wi-Fi o por cable. ${wayBack}`,
  'The device took it. It cannot be read back.': 'El equipo lo tomó. No se puede releer.',
  'Read back: {wanted}.': 'Releído: {wanted}.',
  '{why} It could not be read back.': '{why} No se pudo releer.',
  'It could not be read back.': 'No se pudo releer.',
  'Read back, but not there: {wanted}.': 'Releído, pero no está: {wanted}.',
  'the APN is "{apn}" (user, password and PIN are never shown)': 'el APN es «{apn}» (usuario, contraseña y PIN nunca se muestran)',
  '"{ssid}" is among the saved networks (the password is never shown)': '«{ssid}» está entre las redes guardadas (la contraseña nunca se muestra)',
  '"{ssid}" is not among the saved networks': '«{ssid}» no está entre las redes guardadas',
  'Wi-Fi is on': 'la Wi-Fi está encendida',
  'Wi-Fi is off': 'la Wi-Fi está apagada',
  'the hotspot is called "{name}" (the password is never shown)': 'el punto de acceso se llama «{name}» (la contraseña nunca se muestra)',
  'the hotspot is on': 'el punto de acceso está activo',
  'the hotspot is off': 'el punto de acceso está inactivo',
  'It is no longer wanted.': 'Ya no se quiere.',
  'This run is not known any more: Fitter was started again since.': 'Esta serie ya no se conoce: Fitter se abrió otra vez desde entonces.',
  'A fault in Fitter ended this. Look at the device before it is repeated.': 'Una falla de Fitter terminó esto. Mire el equipo antes de repetirlo.',
  'Sent; it cannot be read back.': 'Enviado; no se puede releer.',
  '{n} of {all} sent.': '{n} de {all} enviados.',
  '{n} of {all} sent, {refused} refused.': '{n} de {all} enviados, {refused} rechazados.',
  '{n} of {all} sent, {silent} without an answer.': '{n} de {all} enviados, {silent} sin respuesta.',
  '{n} of {all} sent, {refused} refused, {silent} without an answer.': '{n} de {all} enviados, {refused} rechazados, {silent} sin respuesta.',
  'It is still running. Stop it first.': 'Aún está en curso. Deténgalo primero.',

  // The list of engine-bus parameters
  'Values of SAE J1939-71, bytes counted from 1. The document of the device does not say how it counts positions: check with the gateway that the values make sense.':
    'Valores de SAE J1939-71, bytes contados desde 1. El documento del equipo no dice cómo cuenta las posiciones: verifique en la plataforma que los valores tengan sentido.',
  'J1939 engine': 'J1939 motor',
  'J1939 speed, distance, battery': 'J1939 velocidad, distancia, batería',
  'J1939 fuel': 'J1939 combustible',
  'The first line has to name the columns: {columns}.': 'La primera línea debe nombrar las columnas: {columns}.',
  'The file has {n} rows; at most {most} are taken at once.': 'El archivo tiene {n} filas; se toman como máximo {most} a la vez.',
  'A name is missing.': 'Falta un nombre.',
  'Letters, digits and underscores only.': 'Solo letras, dígitos y guiones bajos.',
  'A hexadecimal number of up to five digits, such as FEF1.': 'Un número hexadecimal de hasta cinco dígitos, como FEF1.',
  'Larger than any PGN (3FFFF).': 'Mayor que todo PGN (3FFFF).',
  'PGN {pgn} is sent as {sent}: the document wants trailing zeros trimmed.': 'El PGN {pgn} se envía como {sent}: el documento pide quitar los ceros finales.',
  'A whole number, or ON_REQUEST.': 'Un número entero o ON_REQUEST.',
  'A whole number from 0 to 7.': 'Un número entero de 0 a 7.',
  'The data length, a whole number.': 'La longitud de los datos, un número entero.',
  'A whole number of at least 1.': 'Un número entero, como mínimo 1.',
  'A number, such as 4 or 4.1.': 'Un número, como 4 o 4.1.',
  'A number, with a decimal point.': 'Un número, con punto decimal.',
  'A number, with a decimal point; 0 where there is none.': 'Un número, con punto decimal; 0 donde no hay.',
  'With 0 every value would be 0.': 'Con 0 todo valor sería 0.',
  'One of {names}.': 'Uno de {names}.',
  'The same name as row {n}.': 'El mismo nombre que la fila {n}.',
  'Sent to this device before: the list can only be added to, so it could be there twice.':
    'Ya se envió a este equipo: a la lista solo se puede agregar, así que podría quedar dos veces.',

  // The console
  '"{command}" is not sent: {why}.': '«{command}» no se envía: {why}.',
  '"{command}" is not sent: what it would run cannot be checked here.': '«{command}» no se envía: lo que ejecutaría no se puede verificar aquí.',
  'Give one command on one line.': 'Escriba un solo comando en una línea.',
  'A command inside another one ($(…), `…`, {more}) cannot be checked here. Run them one after the other.':
    'Un comando dentro de otro ($(…), `…`, {more}) no se puede verificar aquí. Ejecútelos uno tras otro.',
  'Shell functions cannot be checked here.': 'Las funciones de shell no se pueden verificar aquí.',
  'Writing into a file with ">" is not allowed here: it can overwrite what the device needs.':
    'Escribir en un archivo con «>» no está permitido aquí: puede sobrescribir lo que el equipo necesita.',
  'Which command this runs cannot be seen from here. Write its name out.': 'Desde aquí no se ve qué comando ejecuta esto. Escriba su nombre completo.',
  'it removes files': 'borra archivos',
  'it overwrites or moves files': 'sobrescribe o mueve archivos',
  'it changes or wipes a disk': 'modifica o borra un disco',
  'it writes the flash memory': 'escribe la memoria flash',
  'it switches the device off, and nobody could switch it on again from here': 'apaga el equipo, y nadie podría encenderlo desde aquí',
  'it changes who may sign in': 'cambia quién puede iniciar sesión',
  'it ends programs by name': 'termina programas por su nombre',
  'it changes the rights of files': 'cambia los permisos de archivos',
  'it takes parts of the system away': 'quita partes del sistema',
  'it removes or changes what it finds': 'borra o cambia lo que encuentra',
  'it removes software': 'quita software',
  'it removes settings of the device': 'borra ajustes del equipo',
  'it removes data': 'borra datos',
  'it stops parts of the system': 'detiene partes del sistema',
  'it ends the system': 'termina el sistema',
  'it changes files in place': 'cambia archivos en su lugar',
  'it can lock everyone out': 'puede dejar a todos sin acceso',
  'it can cut the connection to the device': 'puede cortar la conexión con el equipo',
  'it removes or changes files': 'borra o cambia archivos',
  'it removes the timetable': 'borra la programación de tareas',
  'it overwrites files of the system': 'sobrescribe archivos del sistema',
  'it overwrites files': 'sobrescribe archivos',
  'it stops the system': 'detiene el sistema',
  'it writes files': 'escribe archivos'
}
