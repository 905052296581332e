import { programDataFolder } from '../../data/store/file/systemFolders.ts'

/**
 * Where the company's policy is expected: a folder that only an administrator can write to. A checkout also accepts a
 * path in
 * FITTER_POLICY_FILE, for trials; an installed Fitter does not, so that nobody can get around the policy.
 */
export function policyPath(
  platform: NodeJS.Platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
  isCheckout: boolean = import.meta.url.endsWith('.ts'),
  programData: () => string = programDataFolder
): string {
  const forTrial = env['FITTER_POLICY_FILE']
  if (isCheckout && forTrial !== undefined && forTrial !== '') return forTrial
  if (platform === 'win32') return `${programData()}\\Fitter\\policy.json`
  return platform === 'darwin' ? '/Library/Application Support/Fitter/policy.json' : '/etc/fitter/policy.json'
}
