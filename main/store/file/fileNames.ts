/** The one file that holds all data of a folder. */
export const databaseFileName = 'fitter.db'
/** Held by the process that uses the folder; there is nothing in it. */
export const lockFileName = 'fitter.lock'
/** How far the log had come when it was last written. */
export const markFileName = 'fitter.mark'
/** Copies of that file that are made by themselves. */
export const backupsFolderName = 'backups'
/** Beside a data file, or a copy of one on another disk: pictures, each under its hash. */
export const attachmentsFolderName = 'attachments'
/** Room that is given up when the disk is full; there is nothing in it. */
export const ballastFileName = 'fitter.ballast'
/** There while the data file was found wanting in use and was not looked over whole since. */
export const suspectFileName = 'fitter.suspect'
