import { useToasts } from '../../shell/toasts.store.ts'
import { t } from '../../texts.ts'

/** Puts a shown text on the clipboard, and says so. Numbers are typed elsewhere with plain spaces. */
export async function copyText(text: string): Promise<void> {
  const plain = text.replaceAll(/[\u00a0\u202f]/g, ' ')
  await navigator.clipboard.writeText(plain)
  useToasts().say(t('windowCopy.copied', { text: plain.replaceAll('\t', ', ') }))
}
