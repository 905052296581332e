import { expect, it } from 'vitest'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'

it('the same failure of another request says the same sentence, in every language', () => {
  const failure = new AppError('UNREACHABLE', message('workspace.noAddress'), { retryable: true, fate: 'unknown' })
  const other = failure.withFate('notSent')
  expect([other.fate, other.sentence, other.retryable]).toEqual(['notSent', message('workspace.noAddress'), true])
})
