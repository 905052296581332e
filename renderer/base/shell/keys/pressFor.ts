import type { ShortcutId } from '../../../../preload/app/keys/keyTable.ts'

/** Presses the button that says that it performs the shortcut (`data-does`): the first one that is not disabled. */
export function pressFor(id: ShortcutId, within: HTMLElement | null): void {
  within?.querySelector<HTMLElement>(`[data-does="${id}"]:not(:disabled)`)?.click()
}
