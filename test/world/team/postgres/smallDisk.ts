import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { keepServer } from './keptFolders.ts'
import { nobody } from './programs.ts'

/** A disk in memory with so much room and no more, which only those see who are led into it. */
export interface SmallDisk {
  /** The same command, run where the disk is seen, as a user whom the server's programs accept. */
  inside(command: readonly string[]): string[]
  /** The path as it is seen from outside. */
  seen(path: string): string
  remove(): Promise<void>
}

/**
 * With whose rights one can be made here; null where none can (another system, or one that lets no user make
 * namespaces).
 */
export function smallDiskRights(): 'root' | 'user' | null {
  if (process.platform !== 'linux') return null
  const rights = nobody ? 'root' : 'user'
  const tried = spawnSync(
    'unshare',
    [...parts[rights].unshare, 'sh', '-c', 'mount -t tmpfs -o size=1m fitter /tmp && command -v nsenter setpriv'],
    { stdio: 'ignore' }
  )
  if (tried.status !== 0) return null
  return rights === 'root' ||
    spawnSync('unshare', ['-Urm', ...parts.user.drop, 'true'], { stdio: 'ignore' }).status === 0
    ? rights
    : null
}

const parts = {
  root: {
    unshare: ['-m'],
    enter: ['-m'],
    drop: ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'],
    mount: 'uid=65534,gid=65534,mode=700'
  },
  // Who is root in a space of their own becomes somebody in another one within it.
  user: {
    unshare: ['-Urm'],
    enter: ['-U', '-m', '--preserve-credentials'],
    drop: ['unshare', '-U', '--map-user=1000', '--map-group=1000'],
    mount: 'mode=700'
  }
}

/** Mounts one of so many MB at a folder that is there. It goes with the process that holds it, and that one with us. */
export async function openSmallDisk(folder: string, sizeMb: number): Promise<SmallDisk> {
  const rights = smallDiskRights()
  if (rights === null) throw new Error('No disk in memory can be mounted here')
  const { unshare, enter, drop, mount } = parts[rights]
  const holder = spawn(
    'unshare',
    [
      ...unshare,
      'sh',
      '-c',
      `mount -t tmpfs -o size=${String(sizeMb)}m,${mount} fitter "$0" && echo mounted && exec cat`,
      folder
    ],
    { cwd: '/', stdio: ['pipe', 'pipe', 'ignore'] }
  )
  keepServer(holder)
  const said = await Promise.race([
    once(holder.stdout, 'data').then(([part]) => String(part)),
    once(holder, 'exit').then(() => '')
  ])
  if (!said.includes('mounted')) throw new Error(`No disk in memory could be mounted at ${folder}`)
  const pid = String(holder.pid)
  return {
    inside: (command) => ['nsenter', '-t', pid, ...enter, ...drop, ...command],
    seen: (path) => `/proc/${pid}/root${path}`,
    async remove() {
      const ended = once(holder, 'exit')
      holder.stdin.end()
      await ended
    }
  }
}
