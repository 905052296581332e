/** The name of the file of an invitation: the laptop's name as part of a file name on every system. */
export function joinFileName(name: string): string {
  const part = name.normalize('NFC').replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|[-.]+$/g, '').slice(0, 60)
  return `fitter-team-${part || 'laptop'}.json`
}
