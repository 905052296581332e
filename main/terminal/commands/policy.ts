import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { sourceResourcesFolder } from '../../app/core.ts'
import { readCompanyFiles } from '../../app/core/companyFiles.ts'
import { loadShipped } from '../../job/jobs/checklists/shipped.ts'
import { policySchemaJson, readPolicy, showPolicy } from '../../app/policy/policy.ts'
import { policyPath } from '../../app/policy/policyPath.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { requireInput } from '../input/inputs.ts'
import { usageError } from '../output/usage.ts'

/** `fitter policy check FILE`, `policy show`, `policy schema`. */
export const runPolicy: Command = ({ terminal }, [verb, name]) => {
  if (verb === 'schema') {
    process.stdout.write(`${JSON.stringify(policySchemaJson(), undefined, 2)}\n`)
    return Promise.resolve(exitCodes.done)
  }
  if (verb !== 'check' && verb !== 'show')
    throw usageError(message('terminal.takes', { what: 'policy', choices: 'check, show, schema' }))
  const file = verb === 'check' ? requireInput(name, message('terminal.thePolicy')) : policyPath()
  const policy = showPolicy(readCompanyFiles(readPolicy(file), loadShipped(sourceResourcesFolder)).policy)
  if (verb === 'check' && !policy.isThere) throw new AppError('NOT_FOUND', message('policy.noSuchFile', { file }))
  const lines: Message[] = [
    policy.isThere
      ? message('policy.summary', { file, applied: policy.values.length, ignored: policy.problems.length })
      : message('policy.none', { file }),
    ...policy.problems.map(({ line, sentence }) => message('policy.problemLine', { line, sentence }))
  ]
  const values = verb === 'show' ? policy.values.map(({ key, value }) => `${key}  ${JSON.stringify(value)}`) : []
  terminal.result(
    { ok: policy.problems.length === 0, ...policy },
    [...lines.map((line) => terminal.text(line)), ...values].join('\n')
  )
  return Promise.resolve(policy.problems.length === 0 ? exitCodes.done : exitCodes.attention)
}
