import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { projectFolder } from '../../bin/build.ts'

const step =
  /^(?:Create `(?<created>[^`]+)`|In `(?<changed>[^`]+)`, after `(?<anchor>[^`]+)`|(?<run>Run)):\n\n```\w+\n(?<text>[\s\S]*?)```/gm

/**
 * Follows a recipe of docs/developing.md to the letter in a copy of the sources: files to create, lines to insert after
 * another one, commands to run. Returns the number of its steps.
 */
export function followRecipe(title: string, folder: string, run: (command: string) => void): number {
  const document = readFileSync(join(projectFolder, 'docs/developing.md'), 'utf8')
  const recipe = document.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? ''
  let steps = 0
  for (const { groups = {} } of recipe.matchAll(step)) {
    const { created, changed, anchor = '', text = '' } = groups
    steps += 1
    if (created) {
      mkdirSync(dirname(join(folder, created)), { recursive: true })
      writeFileSync(join(folder, created), text)
    } else if (changed) {
      const lines = readFileSync(join(folder, changed), 'utf8').split('\n')
      const at = lines.findIndex((line) => line.startsWith(anchor))
      if (at < 0) throw new Error(`${changed} has no line that starts with “${anchor}”`)
      lines.splice(at + 1, 0, text.replace(/\n$/, ''))
      writeFileSync(join(folder, changed), lines.join('\n'))
    } else for (const line of text.trim().split('\n')) run(line)
  }
  return steps
}
