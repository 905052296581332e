import type { TemplateStep } from '../../../preload/contract/steps/index.ts'
import { standardStep } from '../quickProfile.ts'

/** The checklist of every story: all kinds of a fitting, each told what was ordered. */
export const storySteps: TemplateStep[] = [
  standardStep('identity'),
  standardStep('external-power'),
  standardStep('ignition'),
  standardStep('position'),
  standardStep('network'),
  standardStep('delivered'),
  standardStep('same-place'),
  standardStep('inputs', { inputs: ['IN1', 'IN2'] }),
  standardStep('output-1'),
  standardStep('alignment'),
  standardStep('vehicle'),
  standardStep('sign-off')
]
