import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readAnswersJson } from '../../../../main/terminal/input/answers.ts'
import { readInput } from '../../../../main/terminal/input/inputs.ts'
import { readSnapshot } from '../../../../main/support/diagnosis/snapshots/fileForm.ts'
import { readHandedJson } from '../../../../main/job/jobs/checklists/readTemplateFile.ts'
import { readFile as readHandOver } from '../../../../main/job/jobs/handover/readFile.ts'
import { readOrders } from '../../../../main/job/jobs/orders/readOrders.ts'
import { judge } from '../../../../main/app/policy/policy.ts'
import { tailEnd, tailStart } from '../../../../main/job/reports/reportForm.ts'
import { verifyJsonReport } from '../../../../main/job/reports/verify.ts'
import { sha256Hex } from '../../../../main/data/store/jobs/seal.ts'
import { readJoinFile } from '../../../../main/team/server/joinFile.ts'
import { readProfileFile } from '../../../../main/support/deviceSession/deviceProfiles/fileForm.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const report = readFileSync(
  join(import.meta.dirname, '..', '..', '..', 'job', 'unit', 'reports', 'report-of-version-1.json'),
  'utf8'
)

/** A valid report with something nested in an entry of its log, and the hash that belongs to it. */
function reportWith(nested: string): string {
  const body = report.slice(0, report.lastIndexOf(tailStart)).replace('"data": {', `"data": { "more": ${nested},`)
  return `${body}${tailStart}${sha256Hex(body)}${tailEnd}`
}

async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

/** Everything that reads a file of a person; each answers with a sentence or fails with an AppError that has one. */
const readers: Record<string, (nested: string) => unknown> = {
  'a company policy': (nested) => judge(`{ "maps": { "online": ${nested} } }`),
  'a checklist or a list of settings': (nested) => readHandedJson(`{ "id": ${nested} }`),
  'an order': (nested) => readOrders(new TextEncoder().encode(`[${nested}]`)),
  'a device profile': (nested) => readProfileFile(`{ "fitter": "profile", "settings": ${nested} }`),
  'a snapshot': (nested) => readSnapshot(`{ "format": "fitter-snapshot", "version": 1, "items": ${nested} }`),
  'a report': (nested) => verifyJsonReport(reportWith(nested)),
  'an invitation to a team log': (nested) => readJoinFile(`{ "fitter": "team", "version": 1, "team": ${nested} }`),
  'a file of a job that is handed over': (nested) =>
    readHandOver(chunks(`{"fitter":"handover","version":1,"x":${nested}}\n`)),
  'answers for a job': (nested) => {
    const file = join(tempFolder(), 'answers.json')
    writeFileSync(file, `{ "answers": ${nested} }`)
    return readAnswersJson(file)
  },
  'a body for a call': (nested) => JSON.stringify(readInput({ body: nested }))
}

const shapes: Record<string, (levels: number) => string> = {
  lists: (levels) => `${'['.repeat(levels)}${']'.repeat(levels)}`,
  objects: (levels) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`,
  both: (levels) => `${'[{"a":'.repeat(levels)}1${'}]'.repeat(levels)}`,
  'lists without an end': (levels) => '['.repeat(levels),
  'objects without an end': (levels) => '{"a":'.repeat(levels)
}

describe.each(Object.entries(readers))('a file that is %s', (_name, read) => {
  it.each(Object.entries(shapes))(
    'with tens of thousands of levels of %s is refused in words and never exhausts the stack',
    async (_shape, make) => {
      for (const levels of [3_000, 50_000, 150_000]) {
        try {
          await read(make(levels))
        } catch (error) {
          expect(error).toBeInstanceOf(AppError)
          expect((error as AppError).code).not.toBe('INTERNAL')
        }
      }
    }
  )
})
