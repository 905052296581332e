import { t } from '../../base/texts.ts'
import { useApp } from '../../base/shell/app.store.ts'
import { openDialog } from '../../base/shell/dialogs.ts'
import { useOutputs } from '../../job/outputs/outputs.store.ts'
import { languages } from '../../base/languages.ts'
import { useSettings } from '../../base/shell/settings.store.ts'
import type { FindLine } from './findLine.ts'
import { call } from '../../base/bridge.ts'

/** Actions available everywhere, the first two for every search. */
export function actionLines(): FindLine[] {
  const app = useApp()
  const outputs = useOutputs()
  const on = outputs.ledger.length
  const allOff: FindLine = {
    id: 'action allOff',
    kind: 'action',
    icon: 'stop',
    title: t('windowKeys.name.outputs.allOff'),
    note: on === 0 ? t('windowPalette.noneOn') : t('windowPalette.on', { n: on }),
    of: 'outputs.allOff',
    act: () => outputs.allOff()
  }
  const training: FindLine = app.isTraining
    ? {
        id: 'action leave',
        kind: 'action',
        icon: 'training',
        title: t('windowTraining.leave.confirm'),
        note: '',
        act: () => openDialog({ what: 'leaveTraining' })
      }
    : {
        id: 'action training',
        kind: 'action',
        icon: 'training',
        title: t('common.training'),
        note: t('windowPalette.trainingNote'),
        act: () => openDialog({ what: 'enterTraining' })
      }
  const bundle: FindLine = app.isBundle
    ? {
        id: 'action leaveBundle',
        kind: 'action',
        icon: 'file',
        title: t('windowCab.leave'),
        note: t('windowCab.leaveNote'),
        act: () => call('cab.leave', {})
      }
    : {
        id: 'action openBundle',
        kind: 'action',
        icon: 'file',
        title: t('windowCab.open'),
        note: t('windowCab.openNote'),
        act: () => openDialog({ what: 'openBundle' })
      }
  if (app.isBundle) return [bundle, ...rareLines()]
  return [
    allOff,
    {
      id: 'action newJob',
      kind: 'action',
      icon: 'plus',
      title: t('windowKeys.name.app.newJob'),
      note: '',
      of: 'app.newJob',
      act: () => openDialog({ what: 'newJob', deviceKey: '' })
    },
    {
      id: 'action scan',
      kind: 'action',
      icon: 'scan',
      title: t('windowKeys.name.app.scanLabel'),
      note: '',
      of: 'app.scanLabel',
      act: () => openDialog({ what: 'scan' })
    },
    training,
    bundle,
    ...rareLines()
  ]
}

/** Shown only when the search matches. */
function rareLines(): FindLine[] {
  const settings = useSettings()
  const themes = (['light', 'dark', 'sunlight'] as const).map((theme): FindLine => ({
    id: `action theme ${theme}`,
    kind: 'action',
    icon: 'eye',
    title: t('windowPalette.theme', { theme: t(`windowSettings.theme.${theme}`) }),
    note: settings.settings.theme === theme ? t('windowPalette.isSo') : '',
    act: () => settings.change({ theme })
  }))
  const chosenLanguages = languages.map(({ value: language, text: name }): FindLine => ({
    id: `action language ${language}`,
    kind: 'action',
    icon: 'settings',
    title: t('windowPalette.language', { language: name }),
    note: settings.settings.language === language ? t('windowPalette.isSo') : '',
    act: () => settings.change({ language })
  }))
  return [
    {
      id: 'action address',
      kind: 'action',
      icon: 'devices',
      title: t('common.enterAnAddress'),
      note: '',
      act: () => openDialog({ what: 'address' })
    },
    {
      id: 'action ask',
      kind: 'action',
      icon: 'again',
      title: t('windowPalette.ask'),
      note: '',
      act: () => call('discovery.ask', {})
    },
    {
      id: 'action keys',
      kind: 'action',
      icon: 'settings',
      title: t('windowKeys.name.app.keys'),
      note: '',
      of: 'app.keys',
      act: () => openDialog({ what: 'keys' })
    },
    ...themes,
    ...chosenLanguages
  ]
}

/** Number of lines before the person types. */
export const actionsAtHand = 4
