import { defineConfig } from '@playwright/test'
import { findElectron } from './bin/electronBinary.ts'
import type { FrontEnd } from './test/e2e/support/fitter.ts'
import { hasOwnNetworks } from './test/e2e/support/ownNetwork.ts'
import { memoryFolder } from './test/world/memoryFolder.ts'

process.env['TMPDIR'] = memoryFolder
// Texts are expected in English and in this zone, whatever the computer has.
process.env['LC_ALL'] = 'C.UTF-8'
process.env['TZ'] = 'UTC'

/**
 * The desktop window is tested where Electron's program is there; one window, and no server to be killed, in it. Films for
 * the camera are flags of a browser that the test starts itself.
 */
const electron = {
  name: 'electron',
  use: { frontEnd: 'electron' as const },
  testIgnore: ['**/survives.spec.ts', '**/scan.spec.ts', '**/looks.spec.ts', '**/charts.spec.ts', '**/updates.spec.ts']
}

/** This walk takes longest, so it begins first: as the last one it would keep one worker busy while the others have nothing to do. */
const longest = '**/whole-job.spec.ts'
const browser = { name: 'browser', use: { frontEnd: 'browser' as const } }

export default defineConfig<FrontEnd>({
  testDir: 'test/e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  globalSetup: './test/e2e/support/build.ts',
  projects: [
    { ...browser, testMatch: longest },
    { ...browser, testIgnore: ['**/shell.spec.ts', longest] },
    ...(findElectron(import.meta.dirname) ? [electron] : [])
  ],
  // Devices announce themselves to the whole network: several at a time need one each. On two cores: more than half of the time tests wait.
  workers: hasOwnNetworks ? 3 : 1,
  // Each test has a core, a simulator and a folder of its own; a file at a time, the last one would keep the others waiting.
  fullyParallel: true,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    // What was done and said. Pictures and copies of the page at each step take as long as all the rest: --trace=retain-on-failure has them.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    launchOptions: {
      // Playwright's own browser is a download from outside the package registries; the system's is not.
      executablePath: process.env.FITTER_CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync'
      ]
    }
  }
})
