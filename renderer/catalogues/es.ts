/** Every text in one language, as one file of the built page. */
export const topics = import.meta.glob<Record<string, string>>('../../resources/messages/es/*.json', { eager: true, import: 'default' })
