/** The texts of screens that are loaded after the first one. */
export const topics = import.meta.glob<Record<string, string>>('../../resources/messages/en/{windowAccessories,windowEventLog,windowFleet,windowRemote,windowRemoteOutputs,windowTriggers,windowVehicle,windowVehicles}.json', { eager: true, import: 'default' })
