/** Texts in this language that only screens after the first one show. */
export const topics = import.meta.glob<Record<string, string>>('../../resources/messages/es/{windowStage,windowEventLog,windowJob,windowVehicles,windowLines,windowOperations,windowData,windowVehicle,windowPosition,windowTeamForks,windowOverview,windowEngineBus,windowSnapshots}.json', { eager: true, import: 'default' })
