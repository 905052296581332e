/**
 * Command-line switches that open the window or its process to others, or disable its protection. A packaged Fitter
 * does not start with one: changing a shortcut must not reveal the window's content. Fuses refuse Node's own
 * (--inspect) as well; a build from the sources is for developers, and accepts them.
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
  'inspect-wait',
  'inspect-publish-uid',
  'no-sandbox',
  'disable-gpu-sandbox',
  'disable-setuid-sandbox',
  'disable-seccomp-filter-sandbox',
  'disable-namespace-sandbox',
  'single-process',
  'disable-web-security',
  'disable-site-isolation-trials',
  'allow-file-access-from-files',
  'allow-running-insecure-content',
  'ignore-certificate-errors',
  'ignore-certificate-errors-spki-list',
  'unsafely-treat-insecure-origin-as-secure',
  'load-extension',
  'js-flags',
  'renderer-cmd-prefix',
  'utility-cmd-prefix',
  'gpu-launcher',
  'browser-subprocess-path',
  'use-fake-ui-for-media-stream',
  'use-fake-device-for-media-stream',
  'use-file-for-fake-video-capture',
  'auto-accept-camera-and-microphone-capture'
] as const

export function findRefusedSwitch(hasSwitch: (name: string) => boolean): string | undefined {
  return refused.find((name) => hasSwitch(name))
}

/**
 * What follows `--terminal --` in the command line: the packaged terminal command starts this program so
 * (`resources/packaging/terminal`).
 * Chromium reads no switch after `--`. Undefined when the window is wanted.
 */
export function findTerminalArgs(argv: readonly string[]): string[] | undefined {
  const at = argv.indexOf('--terminal')
  return at > 0 && argv[at + 1] === '--' ? argv.slice(at + 2) : undefined
}
