import type { Evidence } from '../../../../preload/contract/support/evidence.ts'
import type { Tolerances } from '../../../../preload/contract/support/tolerances.ts'
import type { DeviceSays } from './deviceSays.ts'
import type { GatewaySays } from './gatewaySays.ts'

export interface BothSay {
  device: DeviceSays
  gateway: GatewaySays
  evidence: Evidence
  tolerances: Tolerances
}
