import type { Sentences } from './match.ts'

/** What is wired to the lines of the simulated vehicle. */
export const training: Sentences = {
  'Panic button': 'Pánico',
  "Driver's door": 'Puerta conductor',
  "Passenger's door": 'Puerta pasajero',
  'Cargo door': 'Puerta de carga',
  Hood: 'Capó',
  'Power take-off': 'Toma de fuerza',
  'Seat belt': 'Cinturón',
  'Starter relay': 'Relé de arranque',
  Siren: 'Sirena',
  'Cab lamp': 'Luz de cabina',
  'Door lock': 'Cerradura'
}
