/** Where a shortcut is active: everywhere, or only on screens of that kind. */
export type KeyPlace = 'anywhere' | 'start' | 'job' | 'diagnosis' | 'lists' | 'office' | 'charts'

interface ShortcutRow {
  id: string
  /** `n`, `shift+x`, `ctrl+k`, `enter`, or two keys one after the other: `g j`. */
  keys: string
  where: KeyPlace
  /** Also active while typing; `always`: in dialogs too. */
  also?: 'typing' | 'always'
  /** Repeats while the key is held down. */
  repeats?: true
}

/** Every shortcut. Screens bind them by id; the help sheet, the key caps and the settings list them. */
const shortcuts = [
  { id: 'app.find', keys: 'ctrl+k', where: 'anywhere', also: 'typing' },
  { id: 'app.scanLabel', keys: 'l', where: 'anywhere' },
  { id: 'app.newJob', keys: 'c', where: 'anywhere' },
  { id: 'go.start', keys: 'g s', where: 'anywhere' },
  { id: 'go.devices', keys: 'g d', where: 'anywhere' },
  { id: 'go.jobs', keys: 'g j', where: 'anywhere' },
  { id: 'go.vehicles', keys: 'g v', where: 'anywhere' },
  { id: 'go.diagnose', keys: 'g i', where: 'anywhere' },
  { id: 'go.team', keys: 'g t', where: 'anywhere' },
  { id: 'go.waiting', keys: 'g w', where: 'anywhere' },
  { id: 'go.settings', keys: 'g ,', where: 'anywhere' },
  { id: 'go.help', keys: 'g h', where: 'anywhere' },
  { id: 'training.vehicle', keys: 't', where: 'anywhere' },
  { id: 'outputs.allOff', keys: 'ctrl+.', where: 'anywhere', also: 'always' },
  { id: 'app.keys', keys: '?', where: 'anywhere' },
  { id: 'start.continue', keys: 'enter', where: 'start' },
  { id: 'job.above', keys: 'k', where: 'job', repeats: true },
  { id: 'job.below', keys: 'j', where: 'job', repeats: true },
  { id: 'job.doIt', keys: 'enter', where: 'job' },
  { id: 'job.next', keys: 'n', where: 'job' },
  { id: 'job.runAgain', keys: 'r', where: 'job' },
  { id: 'job.skip', keys: 's', where: 'job' },
  { id: 'job.arm', keys: 'space', where: 'job' },
  { id: 'job.yes', keys: 'y', where: 'job' },
  { id: 'job.no', keys: 'x', where: 'job' },
  /** Otherwise Escape only closes what lies on top. */
  { id: 'job.cancelCountdown', keys: 'escape', where: 'job', also: 'always' },
  { id: 'job.report', keys: 'p', where: 'job' },
  { id: 'job.large', keys: 'z', where: 'job' },
  { id: 'diagnosis.above', keys: 'k', where: 'diagnosis', repeats: true },
  { id: 'diagnosis.below', keys: 'j', where: 'diagnosis', repeats: true },
  { id: 'diagnosis.open', keys: 'enter', where: 'diagnosis' },
  { id: 'diagnosis.filter', keys: 'v', where: 'diagnosis' },
  { id: 'diagnosis.retest', keys: 'r', where: 'diagnosis' },
  { id: 'diagnosis.remedy', keys: 'd', where: 'diagnosis' },
  { id: 'diagnosis.replay', keys: 'p', where: 'diagnosis' },
  { id: 'diagnosis.now', keys: 'n', where: 'diagnosis' },
  { id: 'diagnosis.another', keys: '/', where: 'diagnosis' },
  { id: 'diagnosis.export', keys: 'e', where: 'diagnosis' },
  { id: 'lists.search', keys: '/', where: 'lists' },
  { id: 'lists.above', keys: 'k', where: 'lists', repeats: true },
  { id: 'lists.below', keys: 'j', where: 'lists', repeats: true },
  { id: 'lists.choose', keys: 'x', where: 'lists' },
  { id: 'lists.chooseToHere', keys: 'shift+x', where: 'lists' },
  { id: 'lists.open', keys: 'enter', where: 'lists' },
  { id: 'lists.diagnose', keys: 'd', where: 'lists' },
  { id: 'lists.export', keys: 'e', where: 'lists' },
  { id: 'office.nextFault', keys: 'f', where: 'office' },
  { id: 'lists.nextChange', keys: 'n', where: 'lists' },
  { id: 'lists.fit', keys: '0', where: 'lists' },
  { id: 'lists.play', keys: 'space', where: 'lists' },
  { id: 'charts.freeze', keys: 'f', where: 'charts' },
  { id: 'charts.cursorA', keys: 'a', where: 'charts' },
  { id: 'charts.cursorB', keys: 'b', where: 'charts' },
  { id: 'charts.zoomIn', keys: '+', where: 'charts' },
  { id: 'charts.zoomOut', keys: '-', where: 'charts' },
  { id: 'charts.previousGap', keys: '[', where: 'charts' },
  { id: 'charts.nextGap', keys: ']', where: 'charts' }
] as const satisfies readonly ShortcutRow[]

export type ShortcutId = (typeof shortcuts)[number]['id']
export interface Shortcut extends ShortcutRow {
  id: ShortcutId
}

export const shortcutRows: readonly Shortcut[] = shortcuts

const byId = new Map(shortcutRows.map((row) => [row.id, row]))

/** The row of an id; undefined if this version has none. */
export function findShortcut(id: string): Shortcut | undefined {
  return byId.get(id as ShortcutId)
}
