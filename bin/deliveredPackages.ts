import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

interface DeliveredPackage {
  name: string
  version: string
  licence: string
  folder: string
  integrity: string | undefined
}

interface LockedPackage {
  name?: string
  version?: string
  license?: string
  integrity?: string
  dev?: boolean
}

/**
 * The packages of the lockfile that are not only for development (`npm sbom --omit=dev` omits what development also
 * uses).
 */
function listDelivered(projectFolder: string): DeliveredPackage[] {
  const lock = JSON.parse(readFileSync(join(projectFolder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  return Object.entries(lock.packages)
    .filter(([path, entry]) => path !== '' && entry.dev !== true && existsSync(join(projectFolder, path)))
    .map(([path, entry]) => ({
      name: entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: entry.version ?? '',
      licence: entry.license ?? '',
      folder: join(projectFolder, path),
      integrity: entry.integrity
    }))
}

function readLicence(folder: string): string {
  const name = readdirSync(folder).find((file) => /^(licen[cs]e|copying)/i.test(file))
  return name === undefined ? '' : readFileSync(join(folder, name), 'utf8')
}

export async function writeLicences(projectFolder: string, target: string): Promise<void> {
  const texts = listDelivered(projectFolder).map(({ name, version, licence, folder }) => {
    const title = `${name} ${version}`
    return `${title}\n${'='.repeat(title.length)}\n${licence || 'see below'}\n\n${readLicence(folder)}`
  })
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, texts.join('\n\n'))
}

/** The software bill of materials as CycloneDX 1.5 JSON: every delivered package with the hash from the lockfile. */
export async function writeBillOfMaterials(projectFolder: string, target: string): Promise<void> {
  const own = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { name: string; version: string }
  const components = listDelivered(projectFolder).map(({ name, version, licence, integrity }) => ({
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(licence === '' ? {} : { licenses: [{ expression: licence }] }),
    ...(integrity === undefined ? {} : { hashes: [readHash(integrity)] })
  }))
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name: own.name, version: own.version } },
    components
  }
  await writeFile(target, `${JSON.stringify(bill, undefined, 2)}\n`)
}

/** Converts `sha512-<base64>` from the lockfile to the form of CycloneDX. */
function readHash(integrity: string): { alg: string; content: string } {
  const [algorithm = '', code = ''] = integrity.split('-', 2)
  return { alg: algorithm.toUpperCase().replace('SHA', 'SHA-'), content: Buffer.from(code, 'base64').toString('hex') }
}
