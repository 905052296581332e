/** The texts in one language that the first screen needs, as one file of the built page. */
// Texts of later screens are in the folder late; those of the terminal, of tables in files and of the page beside a report are not for the page.
export const topics = import.meta.glob<Record<string, string>>(['../../resources/messages/es/*.json', '!../../resources/messages/es/terminal*.json', '!../../resources/messages/es/{reportTable,sealPage,windowEventLog,windowEventRaw,windowRoad,windowTrack,windowDiagnosing,windowVisit,windowWeeks,windowBundles}.json'], { eager: true, import: 'default' })
