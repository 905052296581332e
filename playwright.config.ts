import { defineConfig } from '@playwright/test'
import { findElectron } from './bin/electronBinary.ts'
import type { FrontEnd } from './test/e2e/support/fitter.ts'

/**
 * The desktop window is tested where Electron's program is there; one window, and no server to be killed, in it. Films for
 * the camera are flags of a browser that the test starts itself.
 */
const electron = { name: 'electron', use: { frontEnd: 'electron' as const }, testIgnore: ['**/survives.spec.ts', '**/scan.spec.ts', '**/looks.spec.ts', '**/charts.spec.ts'] }

export default defineConfig<FrontEnd>({
  testDir: 'test/e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  globalSetup: './test/e2e/support/build.ts',
  projects: [{ name: 'browser', use: { frontEnd: 'browser' } }, ...(findElectron(import.meta.dirname) ? [electron] : [])],
  // Two at a time would share two cores with two browsers and two simulators.
  workers: 1,
  fullyParallel: false,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    launchOptions: {
      // Playwright's own browser is a download from outside the package registries; the system's is not.
      executablePath: process.env.FITTER_CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync'
      ]
    }
  }
})
