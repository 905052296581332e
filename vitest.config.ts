import { join } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'
import { catalogues } from './bin/catalogues.ts'
import { guide } from './bin/guide.ts'
import { memoryFolder } from './test/world/memoryFolder.ts'

// Texts of the system's own language and order are expected in English, whatever language the computer speaks. Workers inherit it.
process.env['LC_ALL'] = 'C.UTF-8'

const orderSeed = process.env['FITTER_ORDER_SEED']

export default defineConfig({
  test: {
    // Only ends what hangs: how long a test takes depends on what else the computer does.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Looks again until a fact is there: the limit is for a fact that never comes, and not for a slow computer.
    expect: { poll: { timeout: 45_000 } },
    pool: 'forks',
    // A process for each file would spend most of its time loading the same modules.
    isolate: false,
    globalSetup: ['test/world/builtParts.ts'],
    setupFiles: ['test/world/leaveNothing.ts'],
    tags: [{ name: 'long', description: 'Runs with npm run test:all, not with npm test.' }],
    // On two cores: a third of the time tests wait for a process or a device.
    maxWorkers: 3,
    // Files share a process: what one of them leaves behind is found by another order, and not by the same one each day.
    ...(orderSeed !== undefined && { sequence: { shuffle: { files: true, tests: false }, seed: Number(orderSeed) } }),
    // A test that never ran is not a pass: an empty selection stays an error.
    passWithNoTests: false,
    env: {
      // What is expected of texts with a time of day is written in this zone, wherever the tests run.
      TZ: 'UTC',
      // Threads and programs that tests start take the types out of their files once, and not each of them anew.
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'node-compile'),
      TMPDIR: memoryFolder
    },
    projects: [
      { extends: true, test: { name: 'unit', environment: 'node', include: ['test/*/unit/**/*.test.ts'] } },
      {
        extends: true,
        test: { name: 'integration', environment: 'node', include: ['test/*/integration/**/*.test.ts'] }
      },
      {
        extends: true,
        plugins: [vue(), catalogues(), guide()],
        test: {
          name: 'renderer',
          environment: 'happy-dom',
          setupFiles: ['test/world/window/pageSetup.ts'],
          include: ['test/*/page/**/*.test.ts']
        }
      }
    ]
  }
})
