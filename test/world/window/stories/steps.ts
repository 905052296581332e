import { plainMessage } from '../../../../preload/contract/messages.ts'
import type { StepKind, TemplateStep } from '../../../../preload/contract/job/steps/index.ts'
import type { FaultStory } from '../../../../simulator/faultStories.ts'
import { truckTyres } from '../../../../simulator/vehicle/tyres.ts'
import { standardStep } from '../../device/quickProfile.ts'

const accessorySteps: TemplateStep[] = [
  step({ kind: 'btTag', macs: ['A4C138001122'] }),
  step({
    kind: 'tyres',
    wheels: truckTyres.map(({ location, sensor }) => ({ axle: location >> 4, wheel: location & 15, sensorId: sensor }))
  }),
  step({
    kind: 'temperature',
    probes: [
      { probe: 'a', minDegC: -5, maxDegC: 5 },
      { probe: 'b', minDegC: 15, maxDegC: 25 }
    ]
  }),
  step({ kind: 'expander', inputs: [1, 2] }),
  step({ kind: 'iButton' }),
  step({ kind: 'camera', views: [{ source: 0 }] })
]

/**
 * The checklist of a story: an installation with the steps that concern it; without a fault, every step. Each step gets
 * its order.
 */
export function storySteps(story: Pick<FaultStory, 'area' | 'vehicle'> | null): TemplateStep[] {
  // What the customer says of their own vehicle; a charging 24 V one is above what the channel measures.
  const supply = story?.vehicle?.includes('charging24')
    ? { minMv: 26_000, maxMv: 28_000 }
    : { minMv: 11_500, maxMv: 15_000 }
  return [
    standardStep('identity'),
    standardStep('external-power'),
    standardStep('ignition'),
    standardStep('position'),
    standardStep('network'),
    step({ kind: 'apn', apn: 'internet.example' }),
    step({ kind: 'clock' }),
    step({ kind: 'analog', channels: [{ channel: 'AN1', ...supply }] }),
    step({ kind: 'hotspot', isOn: true }),
    step({ kind: 'software' }),
    step({ kind: 'engineBus', parameters: ['ecu_rpm', 'ecu_coolant_temp', 'ecu_fuel_level'] }),
    standardStep('delivered'),
    standardStep('same-place'),
    standardStep('inputs', { inputs: ['IN1', 'IN2'] }),
    standardStep('output-1'),
    standardStep('alignment'),
    ...(story === null || story.area === 'accessories' ? accessorySteps : []),
    ...(story === null || story.area === 'radio' ? [step({ kind: 'testTrip' })] : []),
    standardStep('vehicle'),
    standardStep('sign-off')
  ]
}

/** A step of this kind with its order; its texts do not matter here. */
function step(told: { kind: StepKind; [setting: string]: unknown }): TemplateStep {
  const id = told.kind.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return { id, title: plainMessage(told.kind), instruction: plainMessage(''), ...told } as TemplateStep
}
