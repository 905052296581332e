import { answerQuestions } from '../../base/threads/answerQuestions.ts'
import { preparePhoto } from './preparePhoto.ts'

// Runs in a separate thread: a large picture takes seconds, and the thread that watches an output must never wait.
answerQuestions(preparePhoto)
