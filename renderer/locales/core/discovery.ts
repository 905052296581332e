import type { Sentences } from './match.ts'

/** What the search for devices and the self-test say. */
export const discovery: Sentences = {
  'Open System Settings, Privacy & Security, Local Network, and allow Fitter.':
    'Abra Ajustes del Sistema, Privacidad y seguridad, Red local, y permita Fitter.',
  'Allow Fitter in the Windows firewall for private networks, and set this network to private.':
    'Permita Fitter en el firewall de Windows para redes privadas y marque esta red como privada.',
  'Let UDP port {port} in and out through the firewall (for example: ufw allow {rule}/udp).':
    'Deje entrar y salir el puerto UDP {port} por el firewall (por ejemplo: ufw allow {rule}/udp).',
  'Let UDP port {port} through the firewall.': 'Deje pasar el puerto UDP {port} por el firewall.',
  '{address}: {questions} sent, {packets} heard from others, {names} among them.':
    '{address}: {questions} enviadas, {packets} oídos de otros, {names} entre ellos.',
  '{address}: {questions} sent, {packets} heard from others, {n} of them unreadable, {names} among them.':
    '{address}: {questions} enviadas, {packets} oídos de otros, {n} de ellos ilegibles, {names} entre ellos.',
  '{n} question': '{n} pregunta',
  '{n} questions': '{n} preguntas',
  '{n} packet': '{n} paquete',
  '{n} packets': '{n} paquetes',
  '{n} device name': '{n} nombre de equipo',
  '{n} device names': '{n} nombres de equipo',
  '{n} device found.': '{n} equipo encontrado.',
  '{n} devices found.': '{n} equipos encontrados.',
  'This computer itself ({card})': 'Esta misma computadora ({card})',
  'Network card {card}': 'Tarjeta de red {card}',
  'Last error: {error}.': 'Último error: {error}.',
  'Close the program that holds port {port}. Until then, find the device by its label or its address.':
    'Cierre el programa que ocupa el puerto {port}. Hasta entonces, busque el equipo por su etiqueta o su dirección.',
  'Nothing could be sent.': 'No se pudo enviar nada.',
  'Check that the card is connected to the right network: unplug and plug in the cable, or join the Wi-Fi again.':
    'Revise que la tarjeta esté conectada a la red correcta: desconecte y conecte el cable, o entre otra vez en la red Wi-Fi.',
  'Not even its own questions came back: this computer blocks announcements.':
    'Ni siquiera volvieron sus propias preguntas: esta computadora bloquea los anuncios.',
  'No other machine announces itself here.': 'Ninguna otra máquina se anuncia aquí.',
  "{firewall} Guest Wi-Fi often keeps machines apart: then use the device's own hotspot or a cable, or type its address.":
    '{firewall} Las redes Wi-Fi de invitados suelen aislar las máquinas: use entonces el punto de acceso del equipo o un cable, o escriba su dirección.',
  'Network cards': 'Tarjetas de red',
  'No network card has an IPv4 address.': 'Ninguna tarjeta de red tiene una dirección IPv4.',
  "Plug the cable in, or join the Wi-Fi network or the device's own hotspot.":
    'Conecte el cable, o entre en la red Wi-Fi o en el punto de acceso del equipo.',
  'Also on the port: {programs}.': 'También en el puerto: {programs}.',
  'The system names no other program on the port.': 'El sistema no nombra ningún otro programa en el puerto.',
  'mDNS port {port}': 'Puerto mDNS {port}',
  'Another program keeps the port to itself, so announcements do not reach Fitter. {who}':
    'Otro programa ocupa el puerto para sí solo, así que los anuncios no llegan a Fitter. {who}',
  'Announcements can reach Fitter. {who}': 'Los anuncios pueden llegar a Fitter. {who}',
  'Stop {program}, then ask again.': 'Detenga {program}; luego pregunte otra vez.',
  'the program that holds it': 'el programa que lo ocupa',
  'Default gateways': 'Puertas de enlace',
  '{addresses} was asked whether it is a device with its hotspot on.':
    'Se preguntó a {addresses} si es un equipo con su punto de acceso activo.',
  'There is none. On the hotspot of a device, the device would be here.': 'No hay ninguna. En el punto de acceso de un equipo, el equipo estaría aquí.',
  'No device answered.': 'Ningún equipo respondió.',
  'Check that the device has power and is on this network. {firewall} You can also type its address.':
    'Revise que el equipo tenga alimentación y esté en esta red. {firewall} También puede escribir su dirección.',
  'Device {name}': 'Equipo {name}',
  'Compare the IMEI on the label with the table, and switch the other host off.': 'Compare el IMEI de la etiqueta con la tabla y apague la otra máquina.',
  'Do not work on it. Read the IMEI on the label, and look that one up.': 'No trabaje en él. Lea el IMEI de la etiqueta y busque ese.',
  'Check the address. A device answers on port 8080; something else is there.': 'Revise la dirección. Un equipo responde en el puerto 8080; ahí hay otra cosa.',
  'Check its power, and that this computer is on its network; then ask again.':
    'Revise su alimentación y que esta computadora esté en su red; luego pregunte otra vez.',
  'Port {port} is held by another program that does not share it. Devices are still asked directly, but announcements are not heard.':
    'Otro programa ocupa el puerto {port} y no lo comparte. Se sigue preguntando a los equipos directamente, pero los anuncios no se oyen.',
  'The card does not take part in multicast ({why}).': 'La tarjeta no participa en multicast ({why}).',
  '“{text}” is no address. Type a host name or an IP address, for example 192.168.8.1 or 192.168.8.1:8080.':
    '«{text}» no es una dirección. Escriba un nombre o una dirección IP, por ejemplo 192.168.8.1 o 192.168.8.1:8080.',
  'No machine called {host} is known on this network. Try its IP address.':
    'No se conoce ninguna máquina llamada {host} en esta red. Pruebe con su dirección IP.',
  '{host} is not on a local network: what is sent there can be read on the way. Confirm that it is meant.':
    '{host} no está en una red local: lo que se envía allí se puede leer en el camino. Confirme que es lo que quiere.',
  'The table of devices is full.': 'La tabla de equipos está llena.',
  "{host} calls itself “{name}”, which is no device's name.": '{host} se llama «{name}», que no es el nombre de un equipo.',
  'An IMEI has 15 digits; this has {n}.': 'Un IMEI tiene 15 dígitos; este tiene {n}.',
  'The check digit does not fit. Read the number again.': 'El dígito verificador no coincide. Lea el número otra vez.',
  'No device with IMEI {imei} answered on any card. Check its power and that this machine is on its network, or type its address.':
    'Ningún equipo con IMEI {imei} respondió en ninguna tarjeta. Revise su alimentación y que esta máquina esté en su red, o escriba su dirección.',
  'The search was stopped.': 'La búsqueda se detuvo.',
  'There is no network card called {card} to search.': 'No hay ninguna tarjeta de red llamada {card} en la que buscar.',
  'It said that it leaves the network. Check its power and its network if that was not meant.':
    'Avisó que deja la red. Revise su alimentación y su red si eso no era lo previsto.',
  'It stopped answering. Check its power, and that this machine is still on the same network.':
    'Dejó de responder. Revise su alimentación y que esta máquina siga en la misma red.',
  'Two hosts carry this IMEI: {hosts}. Read the label of the device in your hand, and switch the other one off.':
    'Dos máquinas llevan este IMEI: {hosts}. Lea la etiqueta del equipo que tiene en la mano y apague el otro.',
  'Its name was heard; its answer is awaited.': 'Se oyó su nombre; se espera su respuesta.',
  'It answers and wants a user name and a password.': 'Responde y pide usuario y contraseña.',
  'Something else answers at {where}. {detail}': 'Otra cosa responde en {where}. {detail}',
  'Its name is heard, but {where} does not answer. {detail}': 'Se oye su nombre, pero {where} no responde. {detail}',
  'It answers at {where} and calls itself {name}.': 'Responde en {where} y se llama {name}.',
  'Its own answer names the same host.': 'Su propia respuesta nombra la misma máquina.',
  'The network calls it {name}, but it calls itself {other}. Do not work on it before that is cleared up.':
    'La red lo llama {name}, pero él se llama {other}. No trabaje en él antes de aclararlo.',
  'The device is no longer asked.': 'Ya no se pregunta al equipo.',
  'No answer within {n} s.': 'Sin respuesta en {n} s.',
  'The question could not be asked.': 'No se pudo hacer la pregunta.',
  'The answer is far longer than a device sends.': 'La respuesta es mucho más larga que la de un equipo.',
  'It answers with status {status} and no JSON.': 'Responde con estado {status} y sin JSON.',
  'It answers with status {status}, not as a device does.': 'Responde con estado {status}, no como un equipo.',
  'Its answer names no host.': 'Su respuesta no nombra ninguna máquina.',
  'Port {port} is closed.': 'El puerto {port} está cerrado.',
  'What answers there is no web service.': 'Lo que responde ahí no es un servicio web.',
  'There is no way to that address.': 'No hay camino a esa dirección.',
  'It does not answer.': 'No responde.',
  // The desk
  'This device is no longer in the list. Search again.': 'Este equipo ya no está en la lista. Busque otra vez.',
  'No address of this device is known. Wait until it is heard again, or enter its address.':
    'No se conoce ninguna dirección de este equipo. Espere a que se oiga otra vez o escriba su dirección.',
  'A fault in Fitter ended the search. Please try again.': 'Una falla de Fitter terminó la búsqueda. Inténtelo otra vez.',
  'The device {imei} is not known here. It is remembered once it was verified.': 'El equipo {imei} no se conoce aquí. Se recuerda una vez verificado.',
  'The network of {card} is still being searched. Stop that first.': 'Aún se busca en la red de {card}. Detenga eso primero.',
  'There is no network card {card} to search. Is it still connected?': 'No hay ninguna tarjeta de red {card} en la que buscar. ¿Sigue conectada?',
  'There is no IMEI in what was read. Scan the barcode that is marked IMEI.': 'No hay ningún IMEI en lo leído. Escanee el código de barras marcado IMEI.',
  'There are {n} valid IMEIs in what was read. Choose the one on the device’s own label.':
    'Hay {n} IMEI válidos en lo leído. Elija el de la etiqueta del propio equipo.',
  'The check digit of {number} does not fit. Read the number again.': 'El dígito verificador de {number} no coincide. Lea el número otra vez.',
  'This device has not said who it is yet. Sign in first.': 'Este equipo aún no ha dicho quién es. Inicie sesión primero.',
  'The device does not say who it is. Restart it and try again.': 'El equipo no dice quién es. Reinícielo e inténtelo otra vez.',
  'At this address answers {host}, not the device {imei}. Choose the right device.': 'En esta dirección responde {host}, no el equipo {imei}. Elija el equipo correcto.',
  'It answers as {host}, not as {name}. Do not work on it.': 'Responde como {host}, no como {name}. No trabaje en él.',
  'No default user and password were typed yet. Keep them first.': 'Aún no se han escrito usuario y contraseña de fábrica. Guárdelos primero.'
}
