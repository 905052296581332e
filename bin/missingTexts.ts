import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { messageFiles } from '../main/base/messages/messageFiles.ts'
import { resourcesFolder } from '../main/base/projectFolder.ts'

/** `node bin/missingTexts.ts FOLDER`: the texts that a language lacks, by the file in which each belongs. */
const english = join(resourcesFolder, 'messages', 'en')
const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('node bin/missingTexts.ts FOLDER, such as resources/messages/es')
  process.exit(2)
}

const idsIn = (file: string): string[] => Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object)
const translated = new Set([...messageFiles(resolve(folder)).values()].flatMap(idsIn))
const lines = [...messageFiles(english).values()].flatMap((file) => {
  const missing = idsIn(file).filter((id) => !translated.has(id))
  return missing.length > 0 ? [`${relative(english, file)}: ${missing.sort().join(', ')}`] : []
})
console.log(lines.length > 0 ? lines.join('\n') : 'No text is missing.')
process.exitCode = lines.length > 0 ? 1 : 0
