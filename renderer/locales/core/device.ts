import type { Sentences } from './match.ts'

/** What a failed call to a device says. */
export const device: Sentences = {
  'It is not known whether {operation} took effect: read it back before you repeat it.':
    'No se sabe si {operation} tuvo efecto: reléalo antes de repetirlo.',
  "{label} is there but refuses the connection. The device may still be starting: wait a minute, then check that this is the device's address and port.":
    '{label} está ahí pero rechaza la conexión. Puede que el equipo aún esté arrancando: espere un minuto; luego revise que esta sea su dirección y su puerto.',
  "Nothing can be reached at {label}. Check that the device has power and that this computer is on the same network or on the device's hotspot.":
    'No se alcanza nada en {label}. Revise que el equipo tenga alimentación y que esta computadora esté en la misma red o en el punto de acceso del equipo.',
  "The name in {label} is not known on this network. Check that this computer is on the same network or on the device's hotspot, or give the IP address instead.":
    'El nombre en {label} no se conoce en esta red. Revise que esta computadora esté en la misma red o en el punto de acceso del equipo, o indique la dirección IP.',
  "This computer does not let Fitter reach {label}. Allow Fitter to use the local network in the system's privacy or firewall settings.":
    'Esta computadora no deja que Fitter alcance {label}. Permita a Fitter usar la red local en los ajustes de privacidad o firewall del sistema.',
  'the answer is larger than anything a device sends (2 MB)': 'la respuesta es mayor que todo lo que un equipo envía (2 MB)',
  "it does not speak the device's protocol": 'no habla el protocolo del equipo',
  'The connection to {label} broke off during {operation}.': 'La conexión con {label} se cortó durante {operation}.',
  'Try again.': 'Inténtelo otra vez.',
  '{label} cannot be reached: this computer has no network card "{card}" that is connected now. Plug it in or join the network again.':
    '{label} no se alcanza: esta computadora no tiene ahora ninguna tarjeta de red «{card}» conectada. Conéctela o entre otra vez en la red.',
  "Check the device's power and how good the connection is, then try again.":
    'Revise la alimentación del equipo y la calidad de la conexión; luego inténtelo otra vez.',
  '{label} did not answer {operation}.': '{label} no respondió a {operation}.',
  '{label} did not answer {operation} within {n} s.': '{label} no respondió a {operation} en {n} s.',
  "{label} answers {operation} with something else than a device does: {what}. Check that this is the device's address.":
    '{label} responde a {operation} con algo distinto a un equipo: {what}. Revise que esta sea la dirección del equipo.',
  'an empty answer': 'una respuesta vacía',
  'the answer is cut off or not JSON': 'la respuesta está cortada o no es JSON',
  '{wanted} wanted, {seen} seen': 'se esperaba {wanted}, llegó {seen}',
  '{path}: {wanted} wanted, {seen} seen': '{path}: se esperaba {wanted}, llegó {seen}',
  'true or false': 'true o false',
  number: 'número',
  text: 'texto',
  object: 'objeto',
  list: 'lista',
  'number out of range': 'número fuera de rango',
  'Something else answers at {label} (a captive portal or another service), not a device: {operation} brought a web page. Check the network that this computer is on and the address.':
    'Otra cosa responde en {label} (un portal de acceso u otro servicio), no un equipo: {operation} trajo una página web. Revise la red de esta computadora y la dirección.',
  'It says: "{words}".': 'Dice: «{words}».',
  'It says: {words}': 'Dice: {words}',
  'The device at {label} refuses {operation} as invalid (HTTP 400).': 'El equipo en {label} rechaza {operation} como no válido (HTTP 400).',
  'The device refuses the user name or password ({label}). Sign in to this device again.':
    'El equipo rechaza el usuario o la contraseña ({label}). Inicie sesión otra vez en este equipo.',
  'The device at {label} does not allow {operation} for this user.': 'El equipo en {label} no permite {operation} a este usuario.',
  'This device does not know {operation} ({label}). Its software may be older or newer than the documented one.':
    'Este equipo no conoce {operation} ({label}). Puede que su software sea más antiguo o más nuevo que el documentado.',
  'The device at {label} gave up waiting during {operation}. Try again.': 'El equipo en {label} dejó de esperar durante {operation}. Inténtelo otra vez.',
  'The device at {label} says that {operation} contradicts what is there.': 'El equipo en {label} dice que {operation} contradice lo que hay.',
  'The device at {label} gets too many requests. Wait a moment, then try again.':
    'El equipo en {label} recibe demasiadas solicitudes. Espere un momento; luego inténtelo otra vez.',
  'The device at {label} refuses {operation} (HTTP {status}).': 'El equipo en {label} rechaza {operation} (HTTP {status}).',
  'Read back what it did before you repeat it.': 'Relea qué hizo antes de repetirlo.',
  'Try again; if it stays, restart the device.': 'Inténtelo otra vez; si sigue igual, reinicie el equipo.',
  'The device at {label} failed during {operation} (HTTP {status}).': 'El equipo en {label} falló durante {operation} (HTTP {status}).',
  'An output is switched on only by an output test, which watches its safety conditions.':
    'Una salida se activa solo con una prueba de salida, que vigila sus condiciones de seguridad.',
  "The sign-in was answered without a user, so it proves nothing. Check that this is the device's address.":
    'La respuesta al inicio de sesión no trae usuario y no prueba nada. Revise que esta sea la dirección del equipo.',
  '{label} is an address of the internet, not of the local network. Fitter talks to a device there only when a person has confirmed it.':
    '{label} es una dirección de internet, no de la red local. Fitter habla allí con un equipo solo si una persona lo confirmó.',
  '"{address}" is not an address. Give a host name, an IPv4 address, or an IPv6 address in brackets, with an optional port.':
    '«{address}» no es una dirección. Indique un nombre, una dirección IPv4 o una IPv6 entre corchetes, con puerto opcional.',
  'The user name must not contain a colon.': 'El usuario no puede contener dos puntos.',
  'The request to the device was cancelled.': 'La solicitud al equipo se canceló.',

  // Lines of the device, switched by hand
  'no job that works on this device': 'ningún trabajo en curso en este equipo',
  '{out} is shorted. Check its wire for a short to ground or supply.': '{out} está en cortocircuito. Revise si su cable tiene un cortocircuito a masa o a la alimentación.',
  '{out} did not go on: the device does not show it.': '{out} no se activó: el equipo no la muestra activa.',
  '{out} is proved off.': 'Está probado que {out} está inactiva.',
  '{detail} {out} is proved off.': '{detail} Está probado que {out} está inactiva.',
  "{out} could not be proved off: it may still be on. Bring the device back within reach and switch it off, or take the relay's fuse out.":
    'No se pudo probar que {out} está inactiva: puede seguir activa. Vuelva a tener el equipo al alcance y desactívela, o quite el fusible del relé.',
  '{out} could not be proved off: it may still be on.': 'No se pudo probar que {out} está inactiva: puede seguir activa.',
  'It stayed off: {missing} missing during the countdown.': 'Quedó inactiva: durante la cuenta regresiva faltó {missing}.',
  'It stayed off: stopped during the countdown.': 'Quedó inactiva: se detuvo durante la cuenta regresiva.',
  'It stayed off: nobody was looking any more.': 'Quedó inactiva: ya nadie estaba mirando.',
  'It was switched off: {why}.': 'Se desactivó: {why}.',
  'It was switched off: the output is shorted.': 'Se desactivó: la salida está en cortocircuito.',
  'It was switched off by hand.': 'Se desactivó a mano.',
  'It was switched off: nobody was looking any more.': 'Se desactivó: ya nadie estaba mirando.',
  'It was switched off after {n} s.': 'Se desactivó después de {n} s.',
  '{out} stays off. Missing: {missing}.': '{out} queda inactiva. Falta: {missing}.'
}
