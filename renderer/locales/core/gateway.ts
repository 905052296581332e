import type { Sentences } from './match.ts'

/** What a call to the gateway says: its answers, its sign-in, its limits. */
export const gateway: Sentences = {
  'A sign-in page of this network or another service answers instead of the gateway. Open a web page to sign in to the network, or check the gateway address.':
    'En lugar de la plataforma responde una página de acceso de esta red u otro servicio. Abra una página web para entrar en la red o revise la dirección de la plataforma.',
  'The request was sent on to another address ({status}): wrong network? {why}': 'La solicitud se desvió a otra dirección ({status}): ¿red equivocada? {why}',
  'The gateway refused the request as invalid.': 'La plataforma rechazó la solicitud como no válida.',
  'The gateway does not accept the sign-in. Sign in again.': 'La plataforma no acepta el inicio de sesión. Inicie sesión otra vez.',
  'The gateway does not allow this, whatever the rights of the user.': 'La plataforma no permite esto, sean cuales sean los derechos del usuario.',
  'The gateway answers: not found or not permitted.': 'La plataforma responde: no se encontró o no está permitido.',
  'The gateway answers that it exists already or contradicts what is there.': 'La plataforma responde que ya existe o contradice lo que hay.',
  'Too many requests to the gateway. Fitter waits until the gateway allows more.':
    'Demasiadas solicitudes a la plataforma. Fitter espera hasta que permita más.',
  'The gateway gave up waiting for the request. Try again.': 'La plataforma dejó de esperar la solicitud. Inténtelo otra vez.',
  'The gateway failed ({status}). Try again later.': 'La plataforma falló ({status}). Inténtelo más tarde.',
  'The gateway answered with a status that has no meaning here ({status}).': 'La plataforma respondió con un estado que aquí no significa nada ({status}).',
  'The gateway refused the request ({status}).': 'La plataforma rechazó la solicitud ({status}).',
  'The answer is nested too deeply to be one of the gateway.': 'La respuesta está demasiado anidada para ser de la plataforma.',
  'The answer of the gateway is damaged or cut off (no valid JSON). Try again.':
    'La respuesta de la plataforma está dañada o cortada (JSON no válido). Inténtelo otra vez.',
  'This session has ended already.': 'Esta sesión ya terminó.',
  'This is the session in use: sign out to end it.': 'Esta es la sesión en uso: ciérrela para terminarla.',
  'Choose at least one group: the token sees only what is in its groups.': 'Elija al menos un grupo: el token ve solo lo que está en sus grupos.',
  'Choose at least one scope: the token could do nothing.': 'Elija al menos un alcance: el token no podría hacer nada.',
  'Say for how long the token shall be valid, in seconds.': 'Diga por cuánto tiempo vale el token, en segundos.',
  'The gateway made the token but did not show it. End it in the list of sessions and try again.':
    'La plataforma creó el token pero no lo mostró. Termínelo en la lista de sesiones e inténtelo otra vez.',
  'Nobody is signed in to the gateway. Sign in with the user name and password of the gateway.':
    'Nadie ha iniciado sesión en la plataforma. Inicie sesión con el usuario y la contraseña de la plataforma.',
  'The gateway refused this user name and password before. Sign in again with the right ones.':
    'La plataforma ya rechazó este usuario y contraseña. Inicie sesión con los correctos.',
  'Cancelled while signing in to the gateway.': 'Cancelado al iniciar sesión en la plataforma.',
  'Cancelled before it was sent to the gateway.': 'Cancelado antes de enviarse a la plataforma.',
  'Cancelled while waiting for the gateway.': 'Cancelado mientras se esperaba a la plataforma.',
  'The gateway did not answer in time. Check the internet connection and try again.':
    'La plataforma no respondió a tiempo. Revise la conexión a internet e inténtelo otra vez.',
  'The answer of the gateway is larger than 50 MB. Ask for less, or for a background job (async).':
    'La respuesta de la plataforma supera 50 MB. Pida menos o un trabajo en segundo plano (async).',
  'What answered is not readable as the gateway: another service, or a damaged answer.':
    'Lo que respondió no se puede leer como la plataforma: otro servicio o una respuesta dañada.',
  'The name of the gateway is not known here. Check the internet connection and the gateway address.':
    'Aquí no se conoce el nombre de la plataforma. Revise la conexión a internet y la dirección de la plataforma.',
  'Nothing answers at the gateway address. Check the address.': 'Nada responde en la dirección de la plataforma. Revise la dirección.',
  'The gateway could not prove its identity (its certificate was not accepted). Check the address, the clock of this computer and the network.':
    'La plataforma no pudo probar su identidad (su certificado no fue aceptado). Revise la dirección, el reloj de esta computadora y la red.',
  'The connection to the gateway broke. Check the internet connection and try again.':
    'La conexión con la plataforma se cortó. Revise la conexión a internet e inténtelo otra vez.',
  'The answer of the gateway is not about this vehicle. Try again.': 'La respuesta de la plataforma no es de este vehículo. Inténtelo otra vez.',
  'this vehicle': 'este vehículo',
  'the counters of this vehicle': 'los contadores de este vehículo',
  'the events of this vehicle': 'los eventos de este vehículo',
  'the geofences': 'las geocercas',
  '{n} geofences could not be read.': '{n} geocercas no se pudieron leer.',
  'Your user may not see {what}: the scope "{scope}" is missing. Ask the back office for it.':
    'Su usuario no puede ver {what}: falta el alcance «{scope}». Pídalo a la oficina.',
  'The gateway does not permit {what} to your user: it is in none of your groups, or a scope is missing.':
    'La plataforma no permite {what} a su usuario: no está en ninguno de sus grupos o falta un alcance.',
  'The gateway does not show {what}: it is gone, or it is in none of your groups. The gateway does not tell which.':
    'La plataforma no muestra {what}: ya no existe o no está en ninguno de sus grupos. La plataforma no dice cuál.',
  'The gateway address is not a web address. Give it as https://site/api.': 'La dirección de la plataforma no es una dirección web. Escríbala como https://site/api.',
  'The gateway address must begin with https://.': 'La dirección de la plataforma debe empezar con https://.',
  'The gateway address must be without user name, password, "?" and "#". Give it as https://site/api.':
    'La dirección de la plataforma no debe llevar usuario, contraseña, «?» ni «#». Escríbala como https://site/api.',
  'The gateway address must begin with https://: without it, the password could be read on the network.':
    'La dirección de la plataforma debe empezar con https://: sin eso, la contraseña se podría leer en la red.',
  'The gateway address must end in /api. Give it as https://site/api.': 'La dirección de la plataforma debe terminar en /api. Escríbala como https://site/api.',
  'The gateway answered the sign-in without a token. Check the gateway address.':
    'La plataforma respondió al inicio de sesión sin token. Revise la dirección de la plataforma.',
  'The gateway does not accept this user name and password.': 'La plataforma no acepta este usuario y contraseña.',
  'The session had ended already.': 'La sesión ya había terminado.',
  'Nobody is signed in. Sign in with the user name and password of the gateway.':
    'Nadie ha iniciado sesión. Inicie sesión con el usuario y la contraseña de la plataforma.',
  'The gateway was not asked yet.': 'Aún no se ha preguntado a la plataforma.',
  'The gateway answers.': 'La plataforma responde.',
  'The gateway does not answer. Check the internet connection.': 'La plataforma no responde. Revise la conexión a internet.',
  'There are more than could be looked through. Type more of the name, or the id.': 'Hay más de los que se pudieron revisar. Escriba más del nombre o el id.',
  'This gateway gives no list of assets: type the id of the asset.': 'Esta plataforma no da una lista de activos: escriba el id del activo.',
  'The IMEI must have 15 digits and a right check digit.': 'El IMEI debe tener 15 dígitos y un dígito verificador correcto.',
  'The gateway allows no more requests of this kind for {n} s. Try again after that.':
    'La plataforma no permite más solicitudes de este tipo durante {n} s. Inténtelo después.',
  'Earlier requests to the gateway are still waiting for their answers. Try again in a moment.':
    'Solicitudes anteriores a la plataforma aún esperan respuesta. Inténtelo en un momento.',
  'The gateway did not finish the sign-in in time. Check the internet connection and try again.':
    'La plataforma no terminó a tiempo el inicio de sesión. Revise la conexión a internet e inténtelo otra vez.',
  'The gateway does not allow this to the signed-in user: a scope is missing, or no group is shared with it.':
    'La plataforma no permite esto al usuario: falta un alcance o no comparte ningún grupo.',
  'The gateway refuses the request although the sign-in was renewed. Sign in again, or ask for the right (scope, group) that is missing.':
    'La plataforma rechaza la solicitud aunque se renovó la sesión. Inicie sesión otra vez o pida el derecho (alcance, grupo) que falta.',
  'The answer of the gateway is empty. Try again.': 'La respuesta de la plataforma está vacía. Inténtelo otra vez.',
  'the answer has no body': 'la respuesta no tiene cuerpo',
  'The answer has not the form of the gateway document ({why}).': 'La respuesta no tiene la forma del documento de la plataforma ({why}).',
  'the list is longer than is read at once': 'la lista es más larga de lo que se lee de una vez',
  'the gateway sent a page again instead of the next one: the list may not be complete':
    'la plataforma envió otra vez una página en lugar de la siguiente: la lista puede no estar completa',
  'only the first {n} items were read': 'solo se leyeron los primeros {n} elementos',
  'The time range ends before it begins.': 'El intervalo termina antes de empezar.',
  'The gateway neither answered nor named the job that will.': 'La plataforma no respondió ni nombró el trabajo que lo hará.',
  'The gateway could not finish this question. Ask for a shorter time.': 'La plataforma no pudo terminar esta consulta. Pida un tiempo más corto.',
  'The gateway still works on it. Ask for a shorter time or fewer fields.': 'La plataforma aún trabaja en ello. Pida un tiempo más corto o menos campos.',
  'The gateway gave no list of its event fields.': 'La plataforma no dio la lista de sus campos de evento.',
  'No gateway is set. Enter its address and sign in under Settings, or give --gateway.':
    'No hay ninguna plataforma configurada. Escriba su dirección e inicie sesión en Ajustes, o indique --gateway.',
  'No gateway is set.': 'No hay ninguna plataforma configurada.',
  'This account is not in the list. Sign in with it first.': 'Esta cuenta no está en la lista. Inicie sesión con ella primero.',
  'A fault in Fitter stopped the copying.': 'Una falla de Fitter detuvo la copia.',
  'Copying the vehicles was stopped.': 'La copia de los vehículos se detuvo.',
  'Nobody is signed in to the gateway. Sign in under Settings, then copy the vehicles.':
    'Nadie ha iniciado sesión en la plataforma. Inicie sesión en Ajustes; luego copie los vehículos.'
}
