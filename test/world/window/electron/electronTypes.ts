import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { projectFolder } from '../../../../bin/build.ts'

/** The version of Electron whose definitions are read: the pinned one. */
export const electronVersion = (
  JSON.parse(readFileSync(join(projectFolder, 'node_modules/electron/package.json'), 'utf8')) as { version: string }
).version

/**
 * Documented, but missing in the definitions: the event of `shutdown` can be prevented (PowerMonitor in electron.d.ts
 * says so in words).
 */
const documentedOnly =
  /^Electron\.CrossProcessExports\.powerMonitor\.on\("shutdown", \(a0\) => \{ read\(a0, "preventDefault"\) \}/

/** Reads a property that at least one form of an argument has: a request for a permission has several. */
const reader =
  'declare function read<T, K extends T extends unknown ? keyof T : never>(value: T, key: K): T extends { [P in K]?: infer V } ? V : never; export {}'

/**
 * What of these statements Electron does not have: each unknown method, property, event, option or value, with the
 * sentence of the compiler. Empty when all of them exist.
 */
export function findUnknownToElectron(statements: readonly string[]): string[] {
  const path = join(projectFolder, 'electron-uses.ts')
  const text = [reader, ...statements.map((statement) => `;${statement}`)].join('\n')
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.Preserve,
    strict: false,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
    lib: ['lib.esnext.d.ts', 'lib.dom.d.ts']
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile } = host
  host.getSourceFile = (name, ...more) =>
    name === path ? ts.createSourceFile(path, text, ts.ScriptTarget.ESNext) : getSourceFile.call(host, name, ...more)
  host.fileExists = (name) => name === path || fileExists.call(host, name)
  host.readFile = (name) => (name === path ? text : readFile.call(host, name))
  const program = ts.createProgram([path, join(projectFolder, 'node_modules/electron/electron.d.ts')], options, host)
  const source = program.getSourceFile(path)
  if (!source) throw new Error('The uses of Electron were not read.')
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].flatMap(
    ({ start = 0, messageText }) => {
      const statement = statements[source.getLineAndCharacterOfPosition(start).line - 1] ?? ''
      return documentedOnly.test(statement)
        ? []
        : [`${statement}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`]
    }
  )
}
