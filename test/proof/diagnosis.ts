import { runLongForm } from './longForm.ts'

/**
 * Every fault story by device, gateway and both, and the clean vehicle in all that it does: the cause within a minute,
 * and nothing false.
 */
export function proveDiagnosis(): number {
  return runLongForm(['test/support/integration/diagnosis-stories.test.ts'], { FITTER_STORIES: 'all' })
}
