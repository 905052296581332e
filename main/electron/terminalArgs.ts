/**
 * What follows `--terminal --` in the command line: the packaged terminal command starts this program so (`resources/packaging/terminal`).
 * Chromium reads no switch after `--`. Undefined when the window is wanted.
 */
export function findTerminalArgs(argv: readonly string[]): string[] | undefined {
  const at = argv.indexOf('--terminal')
  return at > 0 && argv[at + 1] === '--' ? argv.slice(at + 2) : undefined
}
