export const databaseFileName = 'fitter.db'
/** Locked by the process that uses the folder; it is empty. */
export const lockFileName = 'fitter.lock'
export const markFileName = 'fitter.mark'
export const backupsFolderName = 'backups'
/** Beside a data file, or a backup on another disk: pictures, each named by its hash. */
export const attachmentsFolderName = 'attachments'
/** Reserved space for a full disk; it contains no data. */
export const ballastFileName = 'fitter.ballast'
/** Exists while a data file with a problem in use awaits a complete inspection. */
export const suspectFileName = 'fitter.suspect'
