import { t } from '../texts.ts'
import { useToasts } from './toasts.store.ts'

/** Puts a text on the clipboard and says so, or that it was refused. */
export async function copyText(text: string, saying = t('common.copied')): Promise<void> {
  const toasts = useToasts()
  // Refused if the window has lost the focus: what was to be copied is on the screen anyway.
  const isCopied = await navigator.clipboard.writeText(text).then(
    () => true,
    () => false
  )
  if (isCopied) toasts.say(saying)
  else toasts.sayFailure(new Error(t('common.copyFailed')))
}

/** The same for a value as the screen shows it. Numbers are typed elsewhere with plain spaces. */
export async function copyShown(text: string): Promise<void> {
  const plain = text.replaceAll(/[\u00a0\u202f]/g, ' ')
  await copyText(plain, t('windowCopy.copied', { text: plain.replaceAll('\t', ', ') }))
}
