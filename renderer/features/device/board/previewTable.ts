import type { ProfilePreview } from '../../../../preload/contract/device/deviceProfiles.ts'
import { quoteCell } from '../../../../preload/messages/csvCell.ts'
import { say, sayError } from '../../../say.ts'
import { t } from '../../../texts.ts'
import { deviceValue, isSuggested, previewState, settingName, settingValue } from '../profile/profileTexts.ts'

/** A preview for many devices: one line for each setting, or why a device was not compared. Nothing in it is a password. */
export function previewTable(devices: readonly { name: string; preview: ProfilePreview | Error | undefined }[]): string {
  const head = [t('common.device'), 'IMEI', t('common.setting'), t('windowDeviceProfiles.onDevice'), t('windowDeviceProfiles.inProfile'), t('common.state'), t('common.when')]
  const lines = devices.flatMap(({ name, preview }) => {
    if (preview === undefined || preview instanceof Error) return [[name, '', '', '', '', preview ? sayError(preview) : t('common.notChecked'), '']]
    const when = preview.openJob ? t('windowDeviceProfiles.board.afterJob') : preview.refusal ? say(preview.refusal) : t('common.nowInText')
    return preview.rows.map((row) => {
      const isSent = isSuggested(row) && row.cut === null
      return [name, preview.device.imei ?? '', settingName(row.setting), deviceValue(row), settingValue(row.setting), previewState(row, isSent).text, isSent ? when : '']
    })
  })
  return [head, ...lines].map((cells) => cells.map(quoteCell).join(',')).join('\r\n')
}
