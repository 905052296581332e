import type { DeviceCompare } from '../../../../preload/contract/device/deviceCompare.ts'
import type { WorkspaceLimits } from '../../../../preload/contract/device/workspace.ts'
import { say } from '../../../base/say.ts'
import { t } from '../../../base/texts.ts'
import type { Shape } from '../../../base/ui/status.ts'

export interface Verdict {
  shape: Shape
  title: string
  text: string
}

/** Whether device and gateway agree on the position, in everyday words, by the limits of the profile. */
export function judgePlaces(compare: DeviceCompare | null, limits: WorkspaceLimits | null): Verdict {
  if (!compare || !limits || compare.gateway.state === 'asking')
    return { shape: 'live', title: t('windowPosition.verdict.asking'), text: t('windowPosition.verdict.askingText') }
  const { gateway, apartM, isParked } = compare.places
  if (gateway === null || apartM === null) return judgeMissing(compare)
  const position = compare.facts.find(({ fact }) => fact === 'position')
  const values = { apartM, wantedM: position?.tolerance?.value ?? limits.apartPassM, ageS: gateway.ageS }
  const relation = position?.verdict
  if (relation === 'agree')
    return {
      shape: 'pass',
      title: t('common.deviceAndGatewayAgree'),
      text: t(isParked === false ? 'windowPosition.verdict.apartDriving' : 'windowPosition.verdict.apart', values)
    }
  if (relation === 'differ') {
    const isNear = apartM <= limits.apartWarnM
    return {
      shape: isNear ? 'warn' : 'fail',
      title: t(isNear ? 'windowPosition.verdict.near' : 'windowPosition.verdict.differ'),
      text: t('windowPosition.verdict.apart', values)
    }
  }
  const isMoving = isParked === false && gateway.ageS <= limits.eventAgeWarnS
  return isMoving
    ? {
        shape: 'defer',
        title: t('windowPosition.verdict.moving'),
        text: t('windowPosition.verdict.movingText', values)
      }
    : { shape: 'defer', title: t('windowPosition.verdict.old'), text: t('windowPosition.verdict.oldText', values) }
}

function judgeMissing({ gateway, places }: DeviceCompare): Verdict {
  if (gateway.state === 'signedOut')
    return {
      shape: 'wait',
      title: t('windowPosition.verdict.signedOut'),
      text: t('windowPosition.verdict.signedOutText')
    }
  if (gateway.state === 'away')
    return { shape: 'defer', title: t('windowPosition.verdict.away'), text: say(gateway.why) }
  if (gateway.state === 'notShown')
    return {
      shape: 'wait',
      title: t('windowPosition.verdict.notShown'),
      text: t('windowPosition.verdict.notShownText')
    }
  if (places.gateway === null)
    return {
      shape: 'wait',
      title: t('windowPosition.verdict.noPlaceThere'),
      text: t('windowPosition.verdict.noPlaceThereText')
    }
  return {
    shape: 'warn',
    title: t('windowPosition.verdict.noPlaceHere'),
    text: t('windowPosition.verdict.noPlaceHereText')
  }
}
