/** Every text in one language, as one file of the built page. */
// Texts of the terminal, of tables in files, of the page beside a report and of later screens stay out of the first load.
export const topics = import.meta.glob<Record<string, string>>(['../../resources/messages/en/*.json', '!../../resources/messages/en/terminal*.json', '!../../resources/messages/en/{reportTable,sealPage,windowStage}.json'], { eager: true, import: 'default' })
