/** Every text in one language, as one file of the built page. */
// Texts of the terminal, of tables in files, of the page beside a report and of later screens stay out of the first load.
export const topics = import.meta.glob<Record<string, string>>(['../../resources/messages/es/*.json', '!../../resources/messages/es/terminal*.json', '!../../resources/messages/es/{reportTable,sealPage,windowStage}.json'], { eager: true, import: 'default' })
