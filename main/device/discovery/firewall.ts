import { readFile } from 'node:fs/promises'
import { readSystemProgram } from './systemProgram.ts'

const limitMs = 3_000
const windowsRules = 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\SharedAccess\\Parameters\\FirewallPolicy'

/**
 * What the system says about its firewall without administrator rights; `unknown` is the usual answer and proves
 * nothing.
 */
export interface FirewallState {
  kind: 'off' | 'on' | 'blocksFitter' | 'allowsFitter' | 'unknown'
  /** As its owner knows it: "Windows Firewall", "ufw"; empty when unknown. */
  name: string
}

const unknown: FirewallState = { kind: 'unknown', name: '' }

/**
 * The rules of the Windows firewall for one program, from `reg query`: its lines are not translated, those of netsh
 * are.
 */
export function readWindowsFirewall(profiles: string, rules: string, program: string): FirewallState {
  const name = 'Windows Firewall'
  const states = [...profiles.matchAll(/EnableFirewall\s+REG_DWORD\s+0x([01])/g)].map(([, state]) => state === '1')
  if (states.length === 0) return unknown
  if (!states.includes(true)) return { kind: 'off', name }
  const own = rules
    .split(/\r?\n/)
    .map(
      (line) =>
        new Map(
          line.split('|').map((field) => [field.slice(0, field.indexOf('=')), field.slice(field.indexOf('=') + 1)])
        )
    )
    .filter(
      (rule) =>
        rule.get('Active') === 'TRUE' &&
        rule.get('Dir') === 'In' &&
        rule.get('App')?.toLowerCase() === program.toLowerCase()
    )
    // 17 is UDP; a rule without a protocol is for all.
    .filter((rule) => ['17', undefined].includes(rule.get('Protocol')))
  if (own.some((rule) => rule.get('Action') === 'Block')) return { kind: 'blocksFitter', name }
  return { kind: own.some((rule) => rule.get('Action') === 'Allow') ? 'allowsFitter' : 'on', name }
}

/** The answers of `socketfilterfw --getglobalstate` and `--getappblocked`. */
export function readMacFirewall(state: string, blocked: string): FirewallState {
  const name = 'macOS Firewall'
  if (/State = 0/.test(state)) return { kind: 'off', name }
  if (!/State = [12]/.test(state)) return unknown
  if (/are blocked|is blocked/i.test(blocked)) return { kind: 'blocksFitter', name }
  return { kind: /are permitted|is permitted/i.test(blocked) ? 'allowsFitter' : 'on', name }
}

/** Whether ufw or firewalld is on. Their rules can be read only with administrator rights. */
export function readLinuxFirewall(ufw: string, firewalld: string): FirewallState {
  if (/^\s*ENABLED=yes/m.test(ufw)) return { kind: 'on', name: 'ufw' }
  if (firewalld.trim() === 'active') return { kind: 'on', name: 'firewalld' }
  return unknown
}

/** Asks this system about its firewall. */
export async function findFirewall(): Promise<FirewallState> {
  const { platform, execPath } = process
  if (platform === 'win32') {
    const [profiles, rules] = await Promise.all([
      readSystemProgram('reg', ['query', windowsRules, '/s', '/v', 'EnableFirewall'], limitMs),
      readSystemProgram('reg', ['query', `${windowsRules}\\FirewallRules`], limitMs)
    ])
    return readWindowsFirewall(profiles, rules, execPath)
  }
  if (platform === 'darwin') {
    const [state, blocked] = await Promise.all([
      readSystemProgram('socketfilterfw', ['--getglobalstate'], limitMs),
      readSystemProgram('socketfilterfw', ['--getappblocked', execPath], limitMs)
    ])
    return readMacFirewall(state, blocked)
  }
  // A file that is missing or unreadable gives no information, like a program that is missing.
  const [ufw, firewalld] = await Promise.all([
    readFile('/etc/ufw/ufw.conf', 'utf8').catch(() => ''),
    readSystemProgram('systemctl', ['is-active', 'firewalld'], limitMs)
  ])
  return readLinuxFirewall(ufw, firewalld)
}
