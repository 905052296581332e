import { buildStale } from '../../bin/build.ts'

/** The script of the page beside a report is built: the tests verify with it what it verifies for a reader. */
export async function setup(): Promise<void> {
  await buildStale(['sealPage'])
}
