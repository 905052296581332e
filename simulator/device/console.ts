import type { Unit } from './unit.ts'

const destructive = [
  /(^|[\s;&|`(/])(rm|rmdir|unlink|shred|dd|mkfs\S*|wipefs|mv|truncate)(\s|$)/,
  /\s-delete\b/,
  /(^|[^>])>\s*\/(?!dev\/null)/
]

/** The system tools of the device that a technician uses; commands that remove files are refused. */
export function runCommand(unit: Unit, command: string): { isRefused: boolean; output: string } {
  if (destructive.some((pattern) => pattern.test(command))) {
    return { isRefused: true, output: 'Command not allowed\n' }
  }
  const [name = '', ...args] = command.trim().split(/\s+/)
  return { isRefused: false, output: outputOf(unit, name, args) }
}

function outputOf(unit: Unit, name: string, args: string[]): string {
  const upS = Math.floor((unit.vehicle.now() - unit.startedMs) / 1000) + 340
  switch (name) {
    case 'uptime':
      return ` up ${Math.floor(upS / 60)} min,  1 user,  load average: 0.42, 0.38, 0.31\n`
    case 'ls':
      return args.includes('/data') ? 'apps\nlogs\n' : 'bin\ndata\netc\nusr\n'
    case 'date':
      return `${new Date(unit.vehicle.now()).toISOString()}\n`
    case 'hostname':
      return `${unit.hostname}\n`
    case 'uname':
      return 'Linux 5.10.110\n'
    case 'df':
      return 'Filesystem 1K-blocks Used Available Use% Mounted on\n/dev/root 3145728 1572864 1572864 50% /\n'
    case 'echo':
      return `${args.join(' ')}\n`
    default:
      return `sh: ${name}: not found\n`
  }
}
