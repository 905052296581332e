import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { mostFileBytes } from '../../../../preload/contract/job/templates.ts'
import { checkJson } from '../../../base/reading/checkJson.ts'

/** Names that are special in JavaScript. */
const reserved = new Set(['__proto__', 'constructor', 'prototype'])

/** The JSON of a received file. Throws INVALID_REQUEST for a file that is too large, too deep or not JSON. */
export function readHandedJson(text: string): unknown {
  if (text.length > mostFileBytes)
    throw new AppError('INVALID_REQUEST', message('templates.file.tooLarge', { mostBytes: mostFileBytes }))
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
