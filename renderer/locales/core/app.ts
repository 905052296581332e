import type { Sentences } from './match.ts'

/** What the doctor, the keychain, the data folder and the program itself say. */
export const app: Sentences = {

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


  'Fitter is closing.': 'Fitter se está cerrando.',
  'A fault in Fitter. It was written to the log; please try again.': 'Una falla de Fitter. Quedó escrita en el registro; inténtelo otra vez.',
  'A report is pdf, csv or json.': 'Un informe es pdf, csv o json.',
  'A picture is named in the file of answers only.': 'Una imagen se nombra solo en el archivo de respuestas.',
  'The simulated vehicle exists only in the training workplace.': 'El vehículo simulado existe solo en la práctica.',
  'The gateway is asked without encryption: whoever is on the network can read the password. Use https:// where the gateway offers it.':
    'Se pregunta a la plataforma sin cifrado: quien esté en la red puede leer la contraseña. Use https:// donde la plataforma lo ofrezca.'
}
