export { startGateway } from './gateway.ts'
export type { GatewayAccount, GatewayDeviceOptions, GatewayOptions, Fault, RateTier, RequestRecord, SimulatedGateway, Violation } from './types.ts'
export type { GatewayState } from './state.ts'
