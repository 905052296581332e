import { answerQuestions } from '../../../base/threads/answerQuestions.ts'
import { drawPdfReport } from './pdf.ts'

answerQuestions(drawPdfReport)
