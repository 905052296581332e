/** A name as it is compared: without case, accents, invisible marks and repeated spaces. */
export function foldName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
}

/**
 * A plate or a VIN as it is compared, with or without spaces and dashes; a text without letters or digits is neither.
 */
export function foldPlate(plate: string): string {
  return foldName(plate).replace(/[^\p{L}\p{N}]+/gu, '') || plate
}
