import { threadId } from 'node:worker_threads'
import { answerQuestions } from '../../main/base/threads/answerQuestions.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { plainMessage } from '../../preload/contract/messages.ts'

export type Asked = 'id' | 'news' | 'refuse' | 'throw' | 'exit' | 'exit after the answer' | 'never' | 'all memory'

answerQuestions(async (asked: Asked, tell) => {
  await Promise.resolve()
  if (asked === 'news') for (const news of ['one', 'two']) tell({ news })
  if (asked === 'refuse') throw new AppError('UNREADABLE', plainMessage('No font'), { retryable: true })
  if (asked === 'throw') throw new RangeError('A fault')
  if (asked === 'exit') process.exit()
  if (asked === 'exit after the answer') setImmediate(() => process.exit())
  if (asked === 'never') for (;;);
  if (asked === 'all memory') for (const all: object[] = [{}]; ; all.push(...all.map((one) => ({ ...one }))));
  return threadId
})
