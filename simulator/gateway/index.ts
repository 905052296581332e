export { startGateway } from './gateway.ts'
export type { GatewayOptions, SimulatedGateway } from './types.ts'
