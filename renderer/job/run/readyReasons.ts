import { t } from '../../base/texts.ts'

const reasons = {
  skip: ['notOrdered', 'partLater', 'noAccess', 'customerWish', 'notPossibleHere'],
  notWired: ['notOrdered', 'cableMissing', 'partLater', 'customerWish'],
  off: ['fusePulled', 'relayMeasured'],
  cancel: ['wrongVehicle', 'deviceDefective', 'customerAbsent', 'begunByMistake']
} as const

/** Frequent reasons for an action, in the language of the page. */
export function readyReasons(about: keyof typeof reasons): string[] {
  return reasons[about].map((reason) => t(`windowStage.reason.${reason}`))
}
