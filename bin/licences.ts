import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

interface LockedPackage {
  version?: string
  license?: string
  dev?: boolean
  optional?: boolean
}

/** The licence of every package that is delivered with Fitter, in full, in one text file. */
export async function writeLicences(projectFolder: string, target: string): Promise<void> {
  const lock = JSON.parse(readFileSync(join(projectFolder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  const texts: string[] = []
  for (const [path, entry] of Object.entries(lock.packages)) {
    const folder = join(projectFolder, path)
    if (path === '' || entry.dev === true || !existsSync(folder)) continue
    const title = `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)} ${entry.version ?? ''}`
    texts.push(`${title}\n${'='.repeat(title.length)}\n${entry.license ?? 'see below'}\n\n${readLicence(folder)}`)
  }
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, texts.join('\n\n'))
}

function readLicence(folder: string): string {
  const name = readdirSync(folder).find((file) => /^(licen[cs]e|copying)/i.test(file))
  return name === undefined ? '' : readFileSync(join(folder, name), 'utf8')
}
