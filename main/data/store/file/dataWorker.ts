import { answerQuestions } from '../../../base/threads/answerQuestions.ts'
import { runDataWork, type DataWork } from './dataWork.ts'

// Runs in a separate thread, so that the thread that watches an output never waits for a whole file to be read.
answerQuestions((work: DataWork, tell) => runDataWork(work, (done, total) => tell({ done, total })))
