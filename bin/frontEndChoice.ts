export interface Situation {
  wantsBrowser: boolean
  hasDisplay: boolean
  isRootOnLinux: boolean
  /** Electron's program, where it is on this machine. */
  electron: string | undefined
  /** Why it is not worth trying to fetch it now; undefined when it is. */
  reasonNotToFetch: string | undefined
}

export type FrontEndChoice =
  | { kind: 'window'; program: string }
  | { kind: 'fetchFirst' }
  | { kind: 'browser'; sentence: string }

/** Which front end `npm start` opens, and in one sentence why, when it is not the usual one. */
export function chooseFrontEnd(situation: Situation): FrontEndChoice {
  const browser = (sentence: string): FrontEndChoice => ({ kind: 'browser', sentence })
  if (situation.wantsBrowser) return browser('Fitter opens in a browser, as asked.')
  if (!situation.hasDisplay) return browser('There is no display here, so Fitter waits for a browser on this machine.')
  if (situation.isRootOnLinux) return browser('Electron does not run safely as root, so Fitter opens in a browser.')
  if (situation.electron !== undefined) return { kind: 'window', program: situation.electron }
  if (situation.reasonNotToFetch === undefined) return { kind: 'fetchFirst' }
  return browser(`Electron's program is not here (${situation.reasonNotToFetch}), so Fitter opens in a browser.`)
}
