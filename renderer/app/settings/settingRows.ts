import { ref } from 'vue'
import type { PolicyKey } from '../../../preload/contract/app/policy.ts'
import type { Settings } from '../../../preload/contract/app/settings.ts'
import { t, type TextKey } from '../../base/texts.ts'
import type { IconName } from '../../base/ui/Icon.vue'

/** The pages of the settings, in the order of their list. */
export const pages = [
  'reading',
  'work',
  'gateway',
  'connection',
  'copies',
  'passwords',
  'maps',
  'keys',
  'team',
  'data',
  'about'
] as const
export type SettingsPage = (typeof pages)[number]
export const pageIcons: Record<SettingsPage, IconName> = {
  reading: 'eye',
  work: 'jobs',
  gateway: 'cloud',
  connection: 'wifi',
  copies: 'download',
  passwords: 'lock',
  maps: 'pin',
  keys: 'key',
  team: 'team',
  data: 'layers',
  about: 'laptop'
}

/** One setting: its texts, the key of the company's policy that decides it, and the person's setting behind it. */
export interface Row {
  page: SettingsPage
  name: TextKey
  text?: TextKey
  policy?: PolicyKey
  own?: keyof Settings
  /** There is nothing to choose here: the row is shown when the company has set it. */
  isCompanyOnly?: boolean
}

/** Every setting that has a row. The search finds them by their texts, on whatever page they are. */
export const settingRows = {
  theme: { page: 'reading', name: 'windowSettings.theme', text: 'windowSettings.themeText', own: 'theme' },
  language: {
    page: 'reading',
    name: 'common.language',
    text: 'windowSettings.languageText',
    policy: 'reading.language',
    own: 'language'
  },
  languages: {
    page: 'reading',
    name: 'windowSettings.languages',
    text: 'windowSettings.languagesText',
    policy: 'reading.languages',
    isCompanyOnly: true
  },
  units: {
    page: 'reading',
    name: 'windowSettings.units',
    text: 'windowSettings.unitsText',
    policy: 'reading.units',
    own: 'units'
  },
  rows: { page: 'reading', name: 'windowSettings.rows', text: 'windowSettings.rowsText', own: 'deskRows' },
  timeZone: {
    page: 'reading',
    name: 'windowSettings.timeZone',
    text: 'windowSettings.timeZoneText',
    policy: 'reading.timeZone',
    own: 'timeZone'
  },
  technician: { page: 'work', name: 'common.technician', text: 'windowSettings.technicianText', own: 'technician' },
  role: { page: 'work', name: 'windowSettings.role', text: 'windowSettings.roleText', own: 'role' },
  customer: { page: 'work', name: 'windowSettings.customer', text: 'windowSettings.customerText' },
  profile: {
    page: 'work',
    name: 'windowSettings.profile',
    text: 'windowSettings.profileText',
    policy: 'work.profile',
    own: 'profile'
  },
  checklists: { page: 'work', name: 'windowTemplates.title', text: 'windowTemplates.text' },
  reportFont: { page: 'work', name: 'windowSettings.reportFont', text: 'windowSettings.reportFontText' },
  checklistFiles: {
    page: 'work',
    name: 'windowSettings.checklistFiles',
    text: 'windowSettings.checklistFilesText',
    policy: 'checklists.files',
    isCompanyOnly: true
  },
  checklistOwn: {
    page: 'work',
    name: 'windowSettings.checklistOwn',
    text: 'windowSettings.checklistOwnText',
    policy: 'checklists.own',
    isCompanyOnly: true
  },
  profileFiles: {
    page: 'work',
    name: 'windowSettings.profileFiles',
    text: 'windowSettings.profileFilesText',
    policy: 'deviceProfiles.files',
    isCompanyOnly: true
  },
  supportMail: {
    page: 'work',
    name: 'common.support',
    text: 'windowSettings.supportMailText',
    policy: 'support.mail',
    isCompanyOnly: true
  },
  sounds: { page: 'work', name: 'windowStage.sounds', text: 'windowStage.sounds.text', own: 'sounds' },
  models: {
    page: 'work',
    name: 'windowSettings.models',
    text: 'windowSettings.modelsText',
    policy: 'work.deviceModels',
    own: 'deviceModels'
  },
  gatewayAddress: {
    page: 'gateway',
    name: 'common.gatewayAddress',
    text: 'windowSettings.gatewayAddressText',
    policy: 'gateway.address',
    own: 'gatewayUrl'
  },
  gatewaySites: {
    page: 'gateway',
    name: 'windowSettings.gatewaySites',
    text: 'windowSettings.gatewaySitesText',
    policy: 'gateway.sites',
    isCompanyOnly: true
  },
  gatewayOthers: {
    page: 'gateway',
    name: 'windowSettings.gatewayOthers',
    text: 'windowSettings.gatewayOthersText',
    policy: 'gateway.others'
  },
  gatewayCalls: {
    page: 'gateway',
    name: 'windowSettings.gatewayCalls',
    text: 'windowSettings.gatewayCallsText',
    policy: 'gateway.callsPerMinute',
    own: 'gatewayCalls'
  },
  proxy: {
    page: 'connection',
    name: 'common.proxy',
    text: 'windowConnection.proxyText',
    policy: 'gateway.proxy',
    own: 'gatewayProxy'
  },
  card: { page: 'connection', name: 'windowConnection.card', text: 'windowConnection.cardText', own: 'gatewayCard' },
  certificates: {
    page: 'connection',
    name: 'windowConnection.authorities',
    text: 'windowConnection.authoritiesText',
    policy: 'gateway.certificates'
  },
  sharedPassword: { page: 'passwords', name: 'windowSettings.shared', text: 'windowSettings.sharedText' },
  savedPasswords: {
    page: 'passwords',
    name: 'windowSettings.savedPasswords',
    text: 'windowSettings.savedPasswordsText',
    policy: 'credentials.keep'
  },
  mapFile: { page: 'maps', name: 'common.offlineMap', text: 'windowSettings.map.fileText', policy: 'maps.file' },
  mapOnline: { page: 'maps', name: 'common.onlineTiles', text: 'windowSettings.map.onlineText', policy: 'maps.online' },
  teamServer: {
    page: 'team',
    name: 'windowSettings.teamServer',
    text: 'windowSettings.teamServerText',
    policy: 'team.server',
    isCompanyOnly: true
  },
  dataFolder: { page: 'data', name: 'common.dataFolder', text: 'windowSettings.dataFolderText' },
  dataCheck: { page: 'data', name: 'windowData.check', text: 'windowData.checkText' },
  backups: { page: 'data', name: 'common.backups', text: 'windowData.keptText' },
  backupElsewhere: { page: 'data', name: 'windowData.elsewhere', text: 'windowData.elsewhereText' },
  backupCopy: { page: 'data', name: 'windowData.copy', text: 'windowData.copyText' },
  backupFile: { page: 'data', name: 'common.fromAFile', text: 'windowData.fromFileText' },
  version: { page: 'about', name: 'common.version' },
  updates: { page: 'about', name: 'common.updates', text: 'windowUpdates.about' },
  selfTest: { page: 'about', name: 'common.selfTest', text: 'windowSettings.doctorText' },
  licences: { page: 'about', name: 'windowSettings.licences', text: 'windowSettings.licencesText' }
} satisfies Record<string, Row>
export type SettingId = keyof typeof settingRows

export function rowOf(id: SettingId): Row {
  return settingRows[id]
}

/** What a person searches for, and the setting whose origin the side pane shows. */
export const query = ref('')
export const chosen = ref<SettingId | null>(null)

function fold(text: string): string {
  // Letter by letter, so that a place in the folded text is the same place in the text.
  return [...text].map((letter) => letter.normalize('NFD').charAt(0).toLowerCase()).join('')
}

const wordsOf = (text: string): string[] => fold(text).split(/\s+/).filter(Boolean)

/** The parts of a text, those that the search found among them. */
export function markParts(text: string, searched: string): { text: string; isFound: boolean }[] {
  const letters = [...text]
  const folded = fold(text)
  const isFound = letters.map(() => false)
  for (const word of wordsOf(searched)) {
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length))
      isFound.fill(true, at, at + word.length)
  }
  const parts: { text: string; isFound: boolean }[] = []
  for (const [n, letter] of letters.entries()) {
    const last = parts.at(-1)
    if (last && last.isFound === isFound[n]) last.text += letter
    else parts.push({ text: letter, isFound: isFound[n] ?? false })
  }
  return parts
}

/** How many settings of each page have all words that a person typed; a page that only its name finds counts as one. */
export function countFound(searched: string, isShown: (row: Row) => boolean): Map<SettingsPage, number> {
  const words = wordsOf(searched)
  const counts = new Map<SettingsPage, number>()
  if (words.length === 0) return counts
  const has = (text: string) => words.every((word) => fold(text).includes(word))
  for (const page of pages) {
    const rows = Object.values<Row>(settingRows).filter(
      (row) =>
        row.page === page &&
        isShown(row) &&
        has(`${t(row.name as 'common.language')} ${row.text ? t(row.text as 'common.language') : ''}`)
    )
    const n = rows.length > 0 ? rows.length : has(t(`windowSettings.part.${page}`)) ? 1 : 0
    if (n > 0) counts.set(page, n)
  }
  return counts
}
