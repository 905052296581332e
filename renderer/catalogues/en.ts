/** Every text in one language, as one file of the built page. */
// What only the terminal says stays out of the first load.
export const topics = import.meta.glob<Record<string, string>>(['../../resources/messages/en/*.json', '!../../resources/messages/en/terminal*.json'], { eager: true, import: 'default' })
