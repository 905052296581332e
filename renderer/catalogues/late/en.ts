/** The texts in one language that come with the first screen that is loaded later. */
export const topics = import.meta.glob<Record<string, string>>('../../../resources/messages/en/{windowEventLog,windowEventRaw,windowRoad,windowTrack,windowDiagnosing,windowVisit,windowWeeks,windowBundles}.json', { eager: true, import: 'default' })
