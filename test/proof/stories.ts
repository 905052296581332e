import { runLongForm } from './longForm.ts'

/** Every fault story through a whole job: the verdict of each check, and the cause that is named. */
export function proveStories(): number {
  return runLongForm(['test/support/integration/fault-stories.test.ts'], { FITTER_STORIES: 'all' })
}
