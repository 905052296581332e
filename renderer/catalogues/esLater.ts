/** Texts in this language that only screens after the first one show. */
export const topics = import.meta.glob<Record<string, string>>('../../resources/messages/es/windowStage.json', { eager: true, import: 'default' })
