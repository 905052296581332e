import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { projectFolder } from '../../bin/build.ts'

interface Day {
  at: string
  zone: string
  locale: string
}

/** Days on which something is otherwise, each at an hour at which zones have different dates or the clock is changed. */
const days: readonly Day[] = [
  { at: '2027-02-28T23:58:00Z', zone: 'America/New_York', locale: 'en_US.UTF-8' },
  { at: '2028-02-29T00:01:00Z', zone: 'Asia/Kolkata', locale: 'es_ES.UTF-8' },
  { at: '2028-02-29T23:57:00Z', zone: 'Pacific/Kiritimati', locale: 'tr_TR.UTF-8' },
  { at: '2026-12-31T23:57:00Z', zone: 'America/New_York', locale: 'de_DE.UTF-8' },
  { at: '2027-12-31T18:28:00Z', zone: 'Asia/Kolkata', locale: 'ar_EG.UTF-8' },
  { at: '2027-03-14T06:57:00Z', zone: 'America/New_York', locale: 'es_ES.UTF-8' },
  { at: '2027-11-07T05:57:00Z', zone: 'America/New_York', locale: 'en_US.UTF-8' },
  { at: '2026-11-23T09:00:00Z', zone: 'Pacific/Kiritimati', locale: 'de_DE.UTF-8' },
  { at: '2027-07-15T12:00:00Z', zone: 'Asia/Kolkata', locale: 'tr_TR.UTF-8' },
  { at: '2038-01-19T03:13:00Z', zone: 'Pacific/Kiritimati', locale: 'ar_EG.UTF-8' }
]

/**
 * In a view of the file system of its own, every process that starts has the library that moves the clock, and reads by how much
 * from a file: also a process that is started with an environment of its own.
 */
const inAnotherTime = `set -e
mount -t tmpfs none /mnt
mkdir /mnt/etc /mnt/work
mount -t overlay overlay -o lowerdir=/etc,upperdir=/mnt/etc,workdir=/mnt/work /etc
ln -sf "/usr/share/zoneinfo/$3" /etc/localtime
echo "$2" > /etc/faketimerc
echo "$1" > /etc/ld.so.preload
shift 3
exec "$@"`

/**
 * `npm run proof -- steady [DAYS [SEED]]`: the daily tests on so many of the ten days (Linux, as root, with libfaketime), each
 * with other seeds, beside a process for each core that never rests.
 */
export async function proveSteady(count: number, seed: number): Promise<boolean> {
  const [library] = globSync('/usr/lib/*/faketime/libfaketime.so.1')
  if (process.getuid?.() !== 0 || library === undefined) {
    console.error('This needs Linux, root and libfaketime (apt-get install libfaketime).')
    return false
  }
  const told: string[] = []
  for (const [index, day] of days.slice(0, count).entries()) {
    const work = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', 'for (;;) Math.random()'], { stdio: 'ignore' }))
    told.push(`${day.at}  ${day.zone}, ${day.locale}, seed ${seed + index}: ${runDay(day, library, seed + index)}`)
    endAll(work)
  }
  const good = told.filter((line) => / [1-9]\d* passed, 0 failed, 0 skipped$/.test(line))
  console.log(['', ...told, `Steady: ${good.length} of ${told.length} days passed`].join('\n'))
  return told.length > 0 && good.length === told.length
}

function runDay({ at, zone, locale }: Day, library: string, seed: number): string {
  const seconds = Math.round((Date.parse(at) - Date.now()) / 1_000)
  const shift = `${seconds < 0 ? '' : '+'}${seconds}`
  const seeds = Object.fromEntries(['FUZZ_SEED', 'FITTER_HOLDING_SEED', 'FITTER_OPERATIONS_SEED'].map((name) => [name, String(seed)]))
  const { stdout } = spawnSync('unshare', ['--mount', 'sh', '-c', inAnotherTime, 'sh', library, shift, zone, process.execPath, join(projectFolder, 'test', 'run.ts'), 'daily'], {
    env: { ...process.env, ...seeds, LC_ALL: locale, LANG: locale },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 1e9
  })
  process.stdout.write(stdout)
  return stdout.trim().split('\n').at(-1) ?? ''
}

function endAll(work: readonly ChildProcess[]): void {
  for (const one of work) one.kill()
}
