import type { ShortcutId } from '../../../preload/app/keys/keyTable.ts'
import { goTo, type ScreenName } from '../../base/shell/router.ts'
import { t } from '../../base/texts.ts'
import type { IconName } from '../../base/ui/Icon.vue'
import type { FindLine } from './findLine.ts'

function screen(name: ScreenName, icon: IconName, title: string, of?: ShortcutId): FindLine {
  return {
    id: `screen ${name}`,
    kind: 'screen',
    icon,
    title,
    note: t('windowPalette.screen'),
    ...(of ? { of } : {}),
    act: () => goTo(name)
  }
}

/** Every screen that needs no subject. */
export function screenLines(): FindLine[] {
  return [
    screen('start', 'start', t('windowApp.rail.start'), 'go.start'),
    screen('devices', 'devices', t('windowApp.rail.devices'), 'go.devices'),
    screen('board', 'columns', t('common.board')),
    screen('batch', 'jobs', t('windowBatch.title')),
    screen('self-test', 'eye', t('common.selfTest')),
    screen('activity', 'bell', t('windowActivity.title')),
    screen('jobs', 'jobs', t('windowApp.rail.jobs'), 'go.jobs'),
    screen('numbers', 'columns', t('common.statistics')),
    screen('vehicles', 'vehicle', t('windowApp.rail.vehicles'), 'go.vehicles'),
    screen('diagnose', 'pulse', t('windowApp.rail.diagnose'), 'go.diagnose'),
    screen('team', 'team', t('windowApp.rail.team'), 'go.team'),
    screen('waiting', 'waiting', t('windowApp.rail.waiting'), 'go.waiting'),
    screen('templates', 'file', t('windowTemplates.title')),
    { ...screen('explain', 'question', t('windowExplain.title')), also: t('windowPalette.explainWords') },
    {
      ...screen('settings', 'settings', t('windowApp.rail.settings'), 'go.settings'),
      also: t('windowPalette.settingsWords')
    }
  ]
}
