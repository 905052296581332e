import type { Words } from './written.ts'

/** A guide as a person writes it: its wires may still be empty. */
export interface WrittenGuide {
  wires?: { line: string; pin?: string; wire: Words }[]
  picture?: string
}

/** The limit of the contract for a picture in a checklist. */
const mostPictureLength = 300_000
const widestPx = 900
const qualities = [0.8, 0.6, 0.4]

/** A picture as a small JPEG in a data address; null when it cannot be made small enough, or is no picture. */
export async function shrinkPicture(file: Blob): Promise<string | null> {
  try {
    const picture = await createImageBitmap(file)
    const scale = Math.min(1, widestPx / Math.max(picture.width, picture.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(picture.width * scale)
    canvas.height = Math.round(picture.height * scale)
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
    return (
      qualities
        .map((quality) => canvas.toDataURL('image/jpeg', quality))
        .find(({ length }) => length <= mostPictureLength) ?? null
    )
  } catch {
    // It is damaged, or no picture at all: the person is told to choose another one.
    return null
  }
}
