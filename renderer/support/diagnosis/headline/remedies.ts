import type { ChainLink, Finding, RemedyAction } from '../../../../preload/contract/support/diagnosis.ts'
import { goTo } from '../../../base/shell/router.ts'
import { t } from '../../../base/texts.ts'

/**
 * The label and the action of a remedy's button. A dialog opens on this screen, so that the person sees the chain
 * recover.
 */
export type RemedyButton = { text: string } & (
  | { opens: 'apn'; apn: string }
  | { opens: 'assign'; vehicleId: number; imei: string }
  | { opens: 'signIn' }
  | { opens: null; go: () => void }
)

/** The button of an action; null when the action needs a connected device and there is none. */
export function remedyButton(link: ChainLink, action: RemedyAction, deviceKey: string | null): RemedyButton | null {
  // The correct APN is unknown; only the cause is known.
  if (action.kind === 'openPart' && action.part === 'network' && (link === 'address' || link === 'apn'))
    return deviceKey === null ? null : { text: t('common.setTheAPN'), opens: 'apn', apn: '' }
  switch (action.kind) {
    case 'setApn':
      return deviceKey === null
        ? null
        : { text: t('windowDiagnosis.do.setApn', { apn: action.apn }), opens: 'apn', apn: action.apn }
    case 'linkVehicle':
      return {
        text: t('windowDiagnosis.do.linkVehicle'),
        opens: 'assign',
        vehicleId: action.vehicleId,
        imei: action.imei
      }
    case 'openVehicle':
      return {
        text: t('windowDiagnosis.do.openVehicle'),
        opens: null,
        go: () => goTo('vehicle', String(action.vehicleId))
      }
    case 'openPart':
      return deviceKey === null
        ? null
        : {
            text: t('windowDiagnosis.do.openPart', { part: t(`windowWorkspace.panel.${action.part}`) }),
            opens: null,
            go: () => goTo('device', deviceKey, action.part)
          }
    case 'signInGateway':
      return { text: t('common.signInToTheGateway'), opens: null, go: () => goTo('settings', 'gateway') }
    // Its text is copied: see filledButton.
    case 'askAdministrator':
      return null
    case 'signInDevice':
      return deviceKey === null ? null : { text: t('common.signInToTheDevice'), opens: 'signIn' }
  }
}

const parts: readonly (readonly [finding: RegExp, part: Extract<RemedyAction, { kind: 'openPart' }>['part']])[] = [
  [/^(weakSignal|late|modemOther|simDiffers|simChanged)$/, 'network'],
  [/^(otherPlace|poorFix|clockOff)$/, 'position'],
  [/^(ignitionWireMissing|ignitionLoose|powerDropped|dropsWhileCranking|chatter.+|short\d|out\dOn)$/, 'lines'],
  [/^busSilent$/, 'engineBus']
]

/** The buttons of a finding: where its remedy is done, or where the person sees what it says. */
export function findingButtons({ id, remedy }: Finding, deviceKey: string | null): RemedyButton[] {
  const apn = id === 'apnDiffers' ? remedy?.values['apn'] : undefined
  const part = parts.find(([of]) => of.test(id))?.[1]
  const action: RemedyAction | null =
    typeof apn === 'string' ? { kind: 'setApn', apn } : part ? { kind: 'openPart', part } : null
  const button = action && remedyButton('visible', action, deviceKey)
  if (!button) return []
  return [id === 'otherPlace' ? { ...button, text: t('windowDiagnosing.showBoth') } : button]
}
