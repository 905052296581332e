/** Hands a file to the person through the browser's own download. */
export function saveFile(fileName: string, mediaType: string, base64: string): void {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  saveBlob(fileName, new Blob([bytes], { type: mediaType }))
}

/** The same for a file that is there already. */
export function saveBlob(fileName: string, file: Blob): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  // The download has taken hold of the data once the click was handled.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/**
 * Passes on what a person chose, if anything. The same file may be chosen again, for example after it was corrected.
 */
export function takeChosen({ target }: Event, take: (file: File, all: readonly File[]) => unknown): void {
  const input = target as HTMLInputElement
  const all = [...(input.files ?? [])]
  input.value = ''
  if (all[0]) void take(all[0], all)
}
