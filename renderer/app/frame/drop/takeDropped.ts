import { language, loadLanguage } from '../../../base/say.ts'
import { openDialog } from '../../../base/shell/dialogs.ts'
import { giveDropped, isTaken, type DropKind } from '../../../base/shell/drops.ts'
import { goTo } from '../../../base/shell/router.ts'
import { useToasts } from '../../../base/shell/toasts.store.ts'
import { t } from '../../../base/texts.ts'
import { isReadOnly } from '../../../base/ui/readOnly.ts'
import { kindOfFile } from './kindOfFile.ts'

const places: Partial<Record<DropKind, () => void>> = {
  table: () => goTo('batch'),
  checklist: () => goTo('templates'),
  handover: () => goTo('jobs'),
  invitation: () => goTo('settings', 'team')
}

const mostFiles = 12

/** Why these files are not accepted, in one sentence; null when they are. */
function refusal(kinds: readonly DropKind[]): string | null {
  const [kind = 'unknown'] = kinds
  if (document.querySelector('dialog[open]:not(.keeps-keys)')) return t('windowDrop.refused.dialog')
  if (kinds.length > mostFiles) return t('windowDrop.refused.many', { n: mostFiles })
  if (kinds.includes('unknown')) return t('windowDrop.refused.unknown')
  if (kinds.length > 1 && kinds.some((one) => one !== 'photo')) return t('windowDrop.refused.one')
  if (isReadOnly.value && kind !== 'bundle') return t('windowDrop.refused.readOnly')
  if (kind === 'photo' && !isTaken('photo')) return t('windowDrop.refused.photo')
  return null
}

/** Does what the dropped files are for, or refuses them in one sentence. Nothing else happens to the page. */
export async function takeDropped(files: File[]): Promise<void> {
  const kinds =
    files.length > mostFiles
      ? files.map(() => 'photo' as const)
      : await Promise.all(files.map((file) => kindOfFile(file)))
  // The first screen accepts a drop before the texts of a refusal are there.
  await loadLanguage(language.value)
  const why = refusal(kinds)
  if (why !== null) return useToasts().sayFailure(new Error(why))
  const [[kind], [file]] = [kinds, files]
  if (kind === 'bundle') openDialog({ what: 'openBundle', file })
  else if (kind) giveDropped(kind, files, places[kind] ?? (() => undefined))
}
