/** Passes on what a person chose, if anything. The same file may be chosen again, for example after it was corrected. */
export function takeChosen({ target }: Event, take: (file: File, all: readonly File[]) => unknown): void {
  const input = target as HTMLInputElement
  const all = [...(input.files ?? [])]
  input.value = ''
  if (all[0]) void take(all[0], all)
}
