import fs from 'node:fs'
import path from 'node:path'

/**
 * The files of texts in the folder of a language, by topic. They lie in the wings that say them; a topic has one file.
 */
export function messageFiles(languageFolder: string): Map<string, string> {
  const files = new Map<string, string>()
  const look = (folder: string): void => {
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name)
      if (entry.isDirectory()) look(file)
      else if (entry.name.endsWith('.json')) files.set(entry.name.slice(0, -'.json'.length), file)
    }
  }
  look(languageFolder)
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)))
}
