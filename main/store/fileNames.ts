/** The one file that holds all data of a folder. */
export const databaseFileName = 'fitter.db'
