/** Every text in one language, as one file of the built page. */
// Texts of the terminal, of tables in files and of the page beside a report stay out of the first load.
export const topics = import.meta.glob<Record<string, string>>(['../../resources/messages/es/*.json', '!../../resources/messages/es/terminal*.json', '!../../resources/messages/es/{reportTable,sealPage}.json'], { eager: true, import: 'default' })
