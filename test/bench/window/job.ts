import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { projectFolder } from '../../../bin/build.ts'

interface Report {
  suites: { specs: { ok: boolean; tests: { results: { attachments: { name: string; body?: string }[] }[] }[] }[] }[]
}

/** A whole job in a browser, as its test does it: what moved on the page without a person having done anything. */
export async function benchJob(say: (text: string) => void): Promise<void> {
  const script = join(projectFolder, 'node_modules', '@playwright', 'test', 'cli.js')
  const child = spawn(
    process.execPath,
    [
      script,
      'test',
      'job-by-hand.spec.ts',
      '--project=browser',
      '--reporter=json',
      '-g',
      'nothing moves on the screen'
    ],
    {
      cwd: projectFolder,
      stdio: ['ignore', 'pipe', 'inherit']
    }
  )
  let text = ''
  child.stdout.on('data', (part: Buffer) => (text += part.toString('utf8')))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  const { suites } = JSON.parse(text.slice(text.indexOf('{'))) as Report
  const results = suites
    .flatMap(({ specs }) => specs)
    .flatMap(({ tests }) => tests)
    .flatMap((test) => test.results)
  const body = results.flatMap(({ attachments }) => attachments).find(({ name }) => name === 'actions and shifts')?.body
  const told =
    body === undefined
      ? undefined
      : (JSON.parse(Buffer.from(body, 'base64').toString('utf8')) as { shifts: { byItself: number; moved: string[] } })
  say(
    `layout shift over a whole job: ${told ? `${String(told.shifts.byItself)}, ${String(told.shifts.moved.length)} moves` : 'not measured'}, goal 0${code === 0 ? '' : '  MISSED'}`
  )
}
