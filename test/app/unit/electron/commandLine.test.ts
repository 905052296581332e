import { expect, it } from 'vitest'
import { findRefusedSwitch } from '../../../../main/app/electron/commandLine.ts'

/** Written down a second time: removing a switch from the list has to be decided here too. */
const refused = [
  ...[
    'remote-debugging-port',
    'remote-debugging-pipe',
    'remote-debugging-address',
    'remote-debugging-socket-name',
    'remote-allow-origins',
    'inspect',
    'inspect-brk',
    'inspect-port',
    'inspect-wait',
    'inspect-publish-uid'
  ],
  ...[
    'no-sandbox',
    'disable-gpu-sandbox',
    'disable-setuid-sandbox',
    'disable-seccomp-filter-sandbox',
    'disable-namespace-sandbox',
    'single-process',
    'disable-site-isolation-trials'
  ],
  ...[
    'disable-web-security',
    'allow-file-access-from-files',
    'allow-running-insecure-content',
    'ignore-certificate-errors',
    'ignore-certificate-errors-spki-list',
    'unsafely-treat-insecure-origin-as-secure'
  ],
  ...[
    'load-extension',
    'js-flags',
    'renderer-cmd-prefix',
    'utility-cmd-prefix',
    'gpu-launcher',
    'browser-subprocess-path'
  ],
  ...[
    'use-fake-ui-for-media-stream',
    'use-fake-device-for-media-stream',
    'use-file-for-fake-video-capture',
    'auto-accept-camera-and-microphone-capture'
  ]
]

it.each(refused)('a packaged Fitter does not start with --%s', (name) => {
  expect(findRefusedSwitch((candidate) => candidate === name)).toBe(name)
})

it('starts with the switches that people need: language, scale, graphics, proxy', () => {
  const allowed = new Set([
    'lang',
    'force-device-scale-factor',
    'disable-gpu',
    'ozone-platform',
    'ozone-platform-hint',
    'proxy-server',
    'user-data-dir',
    'training',
    'terminal'
  ])
  expect(findRefusedSwitch((name) => allowed.has(name))).toBeUndefined()
})
