import type { ChainLink, Diagnosis, DiagnosisSubject } from '../../preload/contract/diagnosis.ts'
import type { Evidence } from '../../preload/contract/evidence.ts'
import type { Tolerances } from '../../preload/contract/tolerances.ts'
import { diagnose } from './diagnosis.ts'
import { createGathering, type Gathered, type GatheringParts } from './gathering.ts'
import { createGatewayWitness } from './gatewayWitness.ts'
import type { DiagnosisGateway } from '../gateway/diagnosisGateway.ts'
import { sightOf } from './sight.ts'

export interface DiagnosisDeskParts extends Omit<GatheringParts, 'gateway'> {
  gateway: DiagnosisGateway
  tolerances(): Tolerances
}

/** How soon it is worth looking again: while something is under way, while all is well, while nobody answers. */
const nextMs = { soon: 300, usual: 1_500, silent: 5_000 }

/** What is asked from the screens of diagnosis. */
export function createDiagnosisDesk(parts: DiagnosisDeskParts) {
  const witness = createGatewayWitness(parts.gateway, parts.reportFault, parts.now)
  const gathering = createGathering({ ...parts, gateway: witness })

  function told({ evidence, deviceKey, model, isWhole }: Gathered): Diagnosis {
    const limits = parts.limits()
    const { device, gateway } = evidence
    const { heard } = sightOf(evidence, limits)
    const vehicle = gateway?.vehicle?.value ?? null
    const isSilent = device !== null && device.state !== 'answers' && device.state !== 'asking'
    return {
      ...diagnose(evidence, { limits, tolerances: parts.tolerances() }),
      at: evidence.at,
      subject: { deviceKey, vehicleId: vehicle?.id ?? null, imei: evidence.imei, name: vehicle?.name ?? null, plate: vehicle?.plate ?? null, model, host: device?.host || null },
      device: device && { state: device.state, why: device.why, readAt: newest(Object.values(device.readings).map(({ readAt }) => readAt)) },
      gateway: gateway && { state: gateway.state, why: gateway.why, readAt: newest([gateway.events, gateway.lines, gateway.record, gateway.vehicle].map((kept) => kept?.readAt)), aheadS: gateway.aheadS },
      lastReport: heard && { at: new Date(heard.atMs).toISOString(), ageS: Math.round(heard.ageS) },
      recorded: null,
      isWhole,
      nextInMs: isWhole ? (isSilent ? nextMs.silent : nextMs.usual) : nextMs.soon
    }
  }

  return {
    /** What is known by now; whoever looks comes again after `nextInMs`. */
    look: async (subject: DiagnosisSubject): Promise<Diagnosis> => told(await gathering.look(subject)),
    /** Asks afresh what this link is judged by. */
    retest: async (subject: DiagnosisSubject, link: ChainLink): Promise<Diagnosis> => told(await gathering.again(subject, link)),
    /** All that both witnesses say now, as data. */
    evidence: async (subject: DiagnosisSubject): Promise<Evidence> => (await gathering.whole(subject)).evidence,
    heard: gathering.heard,
    stop: () => gathering.stop()
  }
}
export type DiagnosisDesk = ReturnType<typeof createDiagnosisDesk>

function newest(times: readonly (string | undefined)[]): string | null {
  return times.filter((time) => time !== undefined).sort().at(-1) ?? null
}
