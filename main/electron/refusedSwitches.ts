/**
 * Command-line switches that open the window or its process to others, or take its walls away. A packaged Fitter does not
 * start with one: whoever can change a shortcut must not get at what the window shows. Fuses refuse Node's own (--inspect)
 * as well; a build from the sources is for those who work on Fitter, and takes them.
 */
const refused = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'remote-debugging-socket-name',
  'remote-allow-origins',
  'inspect',
  'inspect-brk',
  'inspect-port',
  'no-sandbox',
  'disable-gpu-sandbox',
  'disable-setuid-sandbox',
  'disable-seccomp-filter-sandbox',
  'single-process',
  'disable-web-security',
  'disable-site-isolation-trials',
  'allow-file-access-from-files',
  'allow-running-insecure-content',
  'ignore-certificate-errors',
  'ignore-certificate-errors-spki-list',
  'load-extension',
  'js-flags',
  'renderer-cmd-prefix',
  'utility-cmd-prefix',
  'gpu-launcher',
  'use-fake-ui-for-media-stream'
] as const

/** The first switch that is refused; undefined when there is none. */
export function findRefusedSwitch(hasSwitch: (name: string) => boolean): string | undefined {
  return refused.find((name) => hasSwitch(name))
}
