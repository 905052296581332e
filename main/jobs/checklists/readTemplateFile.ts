import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { mostFileBytes } from '../../../preload/contract/jobs/templates.ts'
import { checkJson } from '../../reading/checkJson.ts'

/** Names that a program could mistake for its own. */
const reserved = new Set(['__proto__', 'constructor', 'prototype'])

/** The JSON of a file that somebody handed over. Throws INVALID_REQUEST for one that is too large, too deep or no JSON. */
export function readHandedJson(text: string): unknown {
  if (text.length > mostFileBytes) throw new AppError('INVALID_REQUEST', message('templates.file.tooLarge', { mostBytes: mostFileBytes }))
  const read = checkJson(text)
  if (read.kind === 'notJson') throw new AppError('INVALID_REQUEST', message('templates.file.notJson'))
  if (read.kind !== 'json') throw new AppError('INVALID_REQUEST', message('templates.file.tooDeep'))
  const name = reservedName(read.value)
  if (name !== undefined) throw new AppError('INVALID_REQUEST', message('templates.file.reservedName', { name }))
  return read.value
}

function reservedName(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const found = reserved.has(name) ? name : reservedName(inner)
    if (found !== undefined) return found
  }
  return undefined
}
