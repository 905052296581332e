export const scheme = 'app'
const host = 'fitter'
/** The only page that the window ever shows. */
export const startAddress = `${scheme}://${host}/`

/**
 * True for our own origin only. An empty address, `about:blank` and anything with a user name or a port are foreign.
 */
export function isOwnAddress(address: string): boolean {
  const url = URL.parse(address)
  return (
    url !== null && url.protocol === `${scheme}:` && url.host === host && url.username === '' && url.password === ''
  )
}
