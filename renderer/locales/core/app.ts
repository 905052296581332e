import type { Sentences } from './match.ts'

/** What the doctor, the keychain, the data folder and the program itself say. */
export const app: Sentences = {
  'Keep a copy of the data folder, then bring a backup back with "fitter data restore".':
    'Guarde una copia de la carpeta de datos; luego recupere un respaldo con «fitter data restore».',

  'Passwords are kept in memory and are gone when Fitter closes.': 'Las contraseñas se guardan en memoria y se pierden al cerrar Fitter.',
  'Passwords are kept for this run only.': 'Las contraseñas se guardan solo hasta que Fitter se cierre.',
  'The keychain is not used here. {note}': 'El llavero no se usa aquí. {note}',
  'The keychain does not answer; it may be locked. Unlock it. {note}': 'El llavero no responde; puede estar bloqueado. Desbloquéelo. {note}',
  'A secret needs a name and a value.': 'Un secreto necesita un nombre y un valor.',
  'The keychain did not answer in time.': 'El llavero no respondió a tiempo.',
  'The keychain library cannot be loaded. {note} On Linux, install libsecret-1-0 and a keyring such as gnome-keyring, then start Fitter again.':
    'La biblioteca del llavero no se puede cargar. {note} En Linux, instale libsecret-1-0 y un llavero como gnome-keyring; luego abra Fitter otra vez.',
  'No keychain service answers on this machine. {note} Install and unlock a keyring such as gnome-keyring (it needs a D-Bus session), then start Fitter again.':
    'Ningún servicio de llavero responde en esta máquina. {note} Instale y desbloquee un llavero como gnome-keyring (necesita una sesión D-Bus); luego abra Fitter otra vez.',
  'The keychain refuses Fitter. {note} Unlock the keychain and allow Fitter to use it, then start Fitter again.':
    'El llavero rechaza a Fitter. {note} Desbloquee el llavero y permita que Fitter lo use; luego abra Fitter otra vez.',

  'The job log is damaged. Keep a copy of the data folder, then bring a backup back with "fitter data restore".':
    'El registro de trabajos está dañado. Guarde una copia de la carpeta de datos; luego recupere un respaldo con «fitter data restore».',
  'Another Fitter took over this data folder. Close one of the two.': 'Otro Fitter tomó esta carpeta de datos. Cierre uno de los dos.',
  'Another Fitter uses this data folder. Close it, or choose another folder with --data.':
    'Otro Fitter usa esta carpeta de datos. Ciérrelo o elija otra carpeta con --data.',
  'This data folder was written by a newer Fitter. Update Fitter, or choose another folder with --data.':
    'Un Fitter más nuevo escribió esta carpeta de datos. Actualice Fitter o elija otra carpeta con --data.',
  'The disk with the data folder is full. Make room; nothing that was confirmed is lost.':
    'El disco de la carpeta de datos está lleno. Libere espacio; nada de lo confirmado se perdió.',
  'The data folder cannot be written to. Allow writing, or choose another folder with --data.':
    'No se puede escribir en la carpeta de datos. Permita la escritura o elija otra carpeta con --data.',
  'The data folder cannot be opened. Check that it exists and may be written to, or choose another with --data.':
    'La carpeta de datos no se puede abrir. Revise que exista y admita escritura, o elija otra con --data.',
  'The disk with the data folder reports errors. Check the disk, or choose another folder with --data.':
    'El disco de la carpeta de datos informa errores. Revise el disco o elija otra carpeta con --data.',
  'The data folder cannot be made there. Choose another folder with --data.': 'No se puede crear ahí la carpeta de datos. Elija otra con --data.',
  'The file is damaged: {why}.': 'El archivo está dañado: {why}.',
  'The log of job {id} was changed at entry {n}: {why}': 'El registro del trabajo {id} fue modificado en la entrada {n}: {why}',
  'The log of job {id} is not whole: entries are missing at its end.': 'El registro del trabajo {id} no está completo: faltan entradas al final.',

  'Fitter is closing.': 'Fitter se está cerrando.',
  'A fault in Fitter. It was written to the log; please try again.': 'Una falla de Fitter. Quedó escrita en el registro; inténtelo otra vez.',
  'A report is pdf, csv or json.': 'Un informe es pdf, csv o json.',
  'A picture is named in the file of answers only.': 'Una imagen se nombra solo en el archivo de respuestas.',
  'The simulated vehicle exists only in the training workplace.': 'El vehículo simulado existe solo en la práctica.',
  'The gateway is asked without encryption: whoever is on the network can read the password. Use https:// where the gateway offers it.':
    'Se pregunta a la plataforma sin cifrado: quien esté en la red puede leer la contraseña. Use https:// donde la plataforma lo ofrezca.'
}
