import type { Sentences } from './match.ts'

/** What the search for devices and the self-test say. */
export const discovery: Sentences = {
  'This device is no longer in the list. Search again.': 'Este equipo ya no está en la lista. Busque otra vez.',
  'No address of this device is known. Wait until it is heard again, or enter its address.':
    'No se conoce ninguna dirección de este equipo. Espere a que se oiga otra vez o escriba su dirección.',
  'This device has not said who it is yet. Sign in first.': 'Este equipo aún no ha dicho quién es. Inicie sesión primero.',
  'The device does not say who it is. Restart it and try again.': 'El equipo no dice quién es. Reinícielo e inténtelo otra vez.',
  'At this address answers {host}, not the device {imei}. Choose the right device.': 'En esta dirección responde {host}, no el equipo {imei}. Elija el equipo correcto.',
  'It answers as {host}, not as {name}. Do not work on it.': 'Responde como {host}, no como {name}. No trabaje en él.',
  'No default user and password were typed yet. Keep them first.': 'Aún no se han escrito usuario y contraseña de fábrica. Guárdelos primero.'
}
