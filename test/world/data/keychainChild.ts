import { writeFileSync } from 'node:fs'
import { createSecrets } from '../../../main/base/secrets/keychain.ts'
import { createSealKey } from '../../../main/base/secrets/sealKey.ts'

/**
 * A process that does one thing after the other with the keychain, as its argument says, and prints the results as one
 * JSON list: `["status"]`, `["set", name, value]`, `["get", name]`, `["remove", name]`, `["untilKeychain"]`,
 * `["mark", file]`, `["sign", workplace, text]`.
 */
const { steps, limitMs } = JSON.parse(process.argv[2] ?? '') as { steps: string[][]; limitMs?: number }
const secrets = createSecrets({ service: 'FitterTest', limitMs })
const remembered: string[] = []

async function untilKeychain(): Promise<boolean> {
  for (let tries = 0; tries < 400; tries++) {
    if ((await secrets.status()).kind === 'keychain') return true
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return false
}

async function take([what, name = '', value = '']: string[]): Promise<unknown> {
  if (what === 'set') return secrets.set(name, value)
  if (what === 'get') return secrets.get(name)
  if (what === 'remove') return secrets.remove(name)
  if (what === 'sign')
    return {
      ...(await createSealKey({ secrets, workplaceId: () => name, remember: (key) => void remembered.push(key) }).sign(
        value
      )),
      remembered: [...remembered]
    }
  if (what === 'mark') return writeFileSync(name, '')
  if (what === 'untilKeychain') return untilKeychain()
  return secrets.status()
}

const results: unknown[] = []
for (const step of steps) results.push((await take(step)) ?? null)
process.stdout.write(JSON.stringify(results))
// A call that the keychain never answers would keep the process alive.
process.exit(0)
