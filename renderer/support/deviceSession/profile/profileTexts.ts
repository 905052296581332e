import type {
  AppliedRow,
  PreviewRow,
  ProfileOrigin,
  ProfilePreview,
  ProfileRun,
  ProfileSetting
} from '../../../../preload/contract/device/deviceProfiles.ts'
import { csvFile } from '../../../../preload/base/messages/csvFile.ts'
import { formatWhen } from '../../../base/format.ts'
import { say, sayError } from '../../../base/say.ts'
import { t } from '../../../base/texts.ts'
import type { Shape } from '../../../base/ui/status.ts'
import { parameterName } from '../engineBus/ecuTable.ts'

/** The groups of settings, in the order of the screen. */
export const settingGroups = ['mobile', 'radio', 'bus'] as const
type SettingGroup = (typeof settingGroups)[number]

export function groupOfSetting({ kind }: ProfileSetting): SettingGroup {
  return kind === 'apn' ? 'mobile' : kind === 'hotspotOn' || kind === 'wifiOn' ? 'radio' : 'bus'
}

export function groupName(group: SettingGroup): string {
  return group === 'bus' ? t('common.engineBus') : t(`windowDeviceProfiles.group.${group}`)
}

export function settingName(setting: ProfileSetting): string {
  switch (setting.kind) {
    case 'apn':
      return t('common.apn')
    case 'hotspotOn':
      return t('common.hotspot')
    case 'wifiOn':
      return t('common.wiFi')
    case 'busConfiguration':
      return t('common.interface')
    case 'busParameter':
      return parameterName(setting.value.PARAM_NAME)
  }
}

/** A value of a profile or of a device, in words. */
export function shownValue(value: string | boolean): string {
  if (typeof value === 'boolean') return t(value ? 'common.onInTextRadio' : 'common.offInTextRadio')
  return value === '' ? t('windowDeviceProfiles.emptyValue') : value
}

export function settingValue(setting: ProfileSetting): string {
  if (setting.kind === 'busParameter')
    return t('windowDeviceProfiles.parameter', {
      pgn: setting.value.PGN ?? setting.value.CAN_ID ?? '',
      position: setting.value.START_POSITION
    })
  if (setting.kind === 'busConfiguration')
    return (
      [setting.value.PRIMARY_CAN, setting.value.SECONDARY_CAN].filter((name) => name !== '').join(', ') ||
      t('windowDeviceProfiles.emptyValue')
    )
  return shownValue(setting.value)
}

/** What the device shows of a setting, or that it shows nothing. */
export function deviceValue({ now, sentBeforeAt }: Pick<PreviewRow, 'now' | 'sentBeforeAt'>): string {
  if (now !== null) return shownValue(now)
  return sentBeforeAt === null
    ? t('windowDeviceProfiles.cannotBeRead')
    : t('windowDeviceProfiles.sentWhen', { when: formatWhen(sentBeforeAt) })
}

export function savedFrom({ from, savedAt }: { from: ProfileOrigin; savedAt: string }): string {
  const said = { digits: from.digits, when: formatWhen(savedAt) }
  return from.vehicle === null
    ? t('windowDeviceProfiles.savedFrom', said)
    : t('windowDeviceProfiles.savedFromVehicle', { ...said, vehicle: from.vehicle })
}

/** A setting that the person takes part in: it would be sent if it is chosen. */
export function isSendable({ state }: PreviewRow): boolean {
  return state === 'changes' || state === 'cannotRead' || state === 'sentBefore'
}

/** What Fitter suggests to send: nothing twice that nobody can take back. */
export function isSuggested({ state }: PreviewRow): boolean {
  return state === 'changes' || state === 'cannotRead'
}

export function previewState(row: PreviewRow, isChosen: boolean): { shape: Shape; text: string } {
  if (row.state === 'same') return { shape: 'pass', text: t('common.sameInText') }
  if (row.state === 'leftOut') return { shape: 'none', text: t('windowDeviceProfiles.state.leftOut') }
  if (row.state === 'sentBefore' && !isChosen)
    return { shape: 'sent', text: t('windowDeviceProfiles.state.sentBefore') }
  if (!isChosen) return { shape: 'none', text: t('windowDeviceProfiles.state.takenOut') }
  return row.state === 'changes'
    ? { shape: 'warn', text: t('windowDeviceProfiles.state.changes') }
    : { shape: 'unknown', text: t('windowDeviceProfiles.state.cannotConfirm') }
}

const runShapes: Record<AppliedRow['state'], Shape> = {
  waiting: 'wait',
  sending: 'live',
  confirmed: 'pass',
  sent: 'sent',
  differs: 'fail',
  refused: 'fail',
  unknown: 'unknown',
  notSent: 'none'
}

export function runState({ state }: AppliedRow): { shape: Shape; text: string } {
  return {
    shape: runShapes[state],
    text: state === 'waiting' ? t('common.waitingInText') : t(`windowDeviceProfiles.run.${state}`)
  }
}

/** True while settings may still be sent. */
export function isRunning({ state }: Pick<ProfileRun, 'state'>): boolean {
  return state === 'snapshot' || state === 'running'
}

/** What did not happen, or of which nobody can tell. */
export const problemStates: readonly AppliedRow['state'][] = ['differs', 'refused', 'unknown', 'notSent']

/**
 * A preview for many devices: one line for each setting, or why a device was not compared. Nothing in it is a password.
 */
export function previewTable(
  devices: readonly { name: string; preview: ProfilePreview | Error | undefined }[]
): string {
  const head = [
    t('common.device'),
    'IMEI',
    t('common.setting'),
    t('windowDeviceProfiles.onDevice'),
    t('windowDeviceProfiles.inProfile'),
    t('common.state'),
    t('common.when')
  ]
  const lines = devices.flatMap(({ name, preview }) => {
    if (preview === undefined || preview instanceof Error)
      return [[name, '', '', '', '', preview ? sayError(preview) : t('common.notChecked'), '']]
    const when = preview.openJob
      ? t('windowDeviceProfiles.board.afterJob')
      : preview.refusal
        ? say(preview.refusal)
        : t('common.nowInText')
    return preview.rows.map((row) => {
      const isSent = isSuggested(row) && row.cut === null
      return [
        name,
        preview.device.imei ?? '',
        settingName(row.setting),
        deviceValue(row),
        settingValue(row.setting),
        previewState(row, isSent).text,
        isSent ? when : ''
      ]
    })
  })
  return csvFile([head, ...lines])
}
