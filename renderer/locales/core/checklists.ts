import type { Sentences } from './match.ts'

/** Names, titles, instructions and questions of the checklists and check profiles that come with Fitter. */
export const checklists: Sentences = {
  'Short hold times (training and demonstration)': 'Tiempos cortos (práctica y demostración)',
  Standard: 'Estándar',
  Camera: 'Cámara',
  'A camera added to an installed device: identity, power, network, and what the person sees.':
    'Una cámara agregada a un equipo instalado: identidad, alimentación, red y lo que la persona ve.',
  Identity: 'Identidad',
  "Scan or type the IMEI on the device's label.": 'Escanee o escriba el IMEI de la etiqueta del equipo.',
  'External power': 'Alimentación externa',
  'Leave the power connected.': 'Deje la alimentación conectada.',
  Network: 'Red',
  'Wait for the mobile network.': 'Espere la red móvil.',
  'Delivered at the gateway': 'Recibido en la plataforma',
  'Wait until the device reports to the gateway.': 'Espere hasta que el equipo reporte a la plataforma.',
  Vehicle: 'Vehículo',
  'Choose the vehicle that this device is in.': 'Elija el vehículo en el que está este equipo.',
  'Camera fixed': 'Cámara fijada',
  'Is the camera fixed, and does its cable run free of moving parts?': '¿La cámara está fija y su cable pasa lejos de partes móviles?',
  Picture: 'Imagen',
  'Does the fleet application show a clear picture of what the camera should see?':
    '¿La aplicación de flota muestra una imagen clara de lo que la cámara debe ver?',
  'Sign-off': 'Firma',
  'Give the names and close the job.': 'Indique los nombres y firme el trabajo.',
  Diagnosis: 'Diagnóstico',
  'A vehicle does not report: identity, power, position, network and delivery, in the order in which they break.':
    'Un vehículo no reporta: identidad, alimentación, posición, red y entrega, en el orden en que suelen fallar.',
  'Let the device see the sky.': 'Deje que el equipo vea el cielo.',
  'Same place': 'Mismo lugar',
  'Leave the vehicle parked.': 'Deje el vehículo estacionado.',
  'Heavy truck': 'Camión pesado',
  '24 V supply measured by hand, power, ignition, position, network, inputs, alignment and vehicle.':
    'Alimentación de 24 V medida a mano, alimentación, encendido, posición, red, entradas, alineación y vehículo.',
  'Supply at rest': 'Alimentación en reposo',
  "Measure the supply at the device's plug, engine off.": 'Mida la alimentación en el conector del equipo, con el motor apagado.',
  'Turn the key on and off again, twice, then start the engine.': 'Ponga y quite el contacto dos veces; luego arranque el motor.',
  Inputs: 'Entradas',
  'Operate each wired input twice.': 'Accione dos veces cada entrada cableada.',
  'Auto-alignment': 'Autoalineación',
  'Park on level ground and do not touch the vehicle.': 'Estacione en suelo nivelado y no toque el vehículo.',
  'Entity link': 'Vínculo',
  'Choose the trailer or driver that belongs to this vehicle, if there is one.':
    'Elija el remolque o el conductor que pertenece a este vehículo, si lo hay.',
  Removal: 'Retiro',
  'A device is taken out of a vehicle: identity, last report, wiring made safe.':
    'Se retira un equipo de un vehículo: identidad, último reporte, cableado seguro.',
  'Wires restored': 'Cables restablecidos',
  'Are all wires restored and insulated, and does the vehicle start?': '¿Todos los cables están restablecidos y aislados, y el vehículo arranca?',
  'Device taken': 'Equipo retirado',
  'Is the device out of the vehicle and labelled?': '¿El equipo está fuera del vehículo y etiquetado?',
  'Service visit': 'Visita de servicio',
  'An installed device is looked over: identity, power, ignition, position, network, delivery and vehicle.':
    'Se revisa un equipo instalado: identidad, alimentación, encendido, posición, red, entrega y vehículo.',
  'Standard installation': 'Instalación estándar',
  'A tracking device in a vehicle: power, ignition, position, network, inputs, one output, alignment, vehicle and link.':
    'Un equipo de rastreo en un vehículo: alimentación, encendido, posición, red, entradas, una salida, alineación, vehículo y vínculo.',
  'Output 1': 'Salida 1',
  'Test the relay on output 1.': 'Pruebe el relé de la salida 1.',
  'Does the relay on output 1 do what it should?': '¿El relé de la salida 1 hace lo que debe?',
  'Installation with starter relay': 'Instalación con relé de arranque',
  'As the standard installation, with the relay that interrupts the starter.': 'Como la instalación estándar, con el relé que interrumpe el arranque.',
  'Output 1: starter relay': 'Salida 1: relé de arranque',
  'Test the starter relay on output 1.': 'Pruebe el relé de arranque de la salida 1.',
  'Does the starter stay still when the key is turned to start?': '¿El motor de arranque queda quieto al girar la llave para arrancar?',
  Trailer: 'Remolque',
  'A device on a trailer: power, position, network, inputs, vehicle and link. There is no key.':
    'Un equipo en un remolque: alimentación, posición, red, entradas, vehículo y vínculo. No hay llave.'
}
