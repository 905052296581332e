export interface Situation {
  wantsBrowser: boolean
  hasDisplay: boolean
  isRootOnLinux: boolean
  electron: string | undefined
  /** Why a download is not worth trying now; undefined when it is. */
  reasonNotToFetch: string | undefined
}

export type FrontEndChoice =
  { kind: 'window'; program: string } | { kind: 'fetchFirst' } | { kind: 'browser'; sentence: string }

/** The front end that `npm start` opens; if it is not the desktop window, also the reason in one sentence. */
export function chooseFrontEnd(situation: Situation): FrontEndChoice {
  const browser = (sentence: string): FrontEndChoice => ({ kind: 'browser', sentence })
  if (situation.wantsBrowser) return browser('Fitter opens in a browser, as asked.')
  if (!situation.hasDisplay) return browser('There is no display here, so Fitter waits for a browser on this machine.')
  if (situation.isRootOnLinux) return browser('Electron does not run safely as root, so Fitter opens in a browser.')
  if (situation.electron !== undefined) return { kind: 'window', program: situation.electron }
  if (situation.reasonNotToFetch === undefined) return { kind: 'fetchFirst' }
  return browser(`Electron's program is not here (${situation.reasonNotToFetch}), so Fitter opens in a browser.`)
}
