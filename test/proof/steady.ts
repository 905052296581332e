import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { projectFolder } from '../../bin/build.ts'
import { sideBySide } from '../../main/base/time/sideBySide.ts'

interface Day {
  at: string
  zone: string
  locale: string
}

/**
 * Days on which something is otherwise, each at an hour at which zones have different dates or the clock is changed.
 */
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
 * A network of its own, with nothing in it but this computer, so that the devices of another day are not found here.
 *
 * In a view of the file system of its own, every process that starts has the library that moves the clock, also a
 * process that is started with an environment of its own or by another user. What a browser test leaves there stays
 * apart as well.
 */
const inAnotherTime = `set -e
ip link set lo up
mount -t tmpfs none /mnt
mkdir /mnt/etc /mnt/work
mount -t overlay overlay -o lowerdir=/etc,upperdir=/mnt/etc,workdir=/mnt/work /etc
ln -sf "/usr/share/zoneinfo/$2" /etc/localtime
mkdir -p test-results
mount -t tmpfs none test-results
cp "$1" /mnt/anotherDay.so
echo /mnt/anotherDay.so > /etc/ld.so.preload
shift 2
exec "$@"`

/**
 * `npm run proof -- steady [DAYS [SEED]]`: the daily tests on so many of the ten days (Linux, as root, with gcc), each
 * with other seeds and its files in another order, and beside another day: a computer on which nothing else runs hides
 * what waits too briefly.
 */
export async function proveSteady(count: number, seed: number): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || spawnSync('gcc', ['--version']).status !== 0) {
    console.error('This needs Linux, root and a C compiler (apt-get install gcc libc6-dev).')
    return false
  }
  const told: string[] = []
  await sideBySide([...days.slice(0, count).entries()], { most: 2 }, async ([index, day]) => {
    const startedMs = performance.now()
    const result = await runDay(day, seed + index)
    told.push(
      `${day.at}  ${day.zone}, ${day.locale}, seed ${seed + index}, ${Math.round((performance.now() - startedMs) / 1_000)} s: ${result}`
    )
    console.log(told.at(-1))
  })
  const good = told.filter((line) => / [1-9]\d* passed, 0 failed, 0 skipped$/.test(line))
  console.log(['', ...told, `Steady: ${good.length} of ${told.length} days passed`].join('\n'))
  return told.length > 0 && good.length === told.length
}

/** The last line that the tests of this day print. */
async function runDay({ at, zone, locale }: Day, seed: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'fitter-day-'))
  const library = join(folder, 'anotherDay.so')
  const shiftS = Math.round((Date.parse(at) - Date.now()) / 1_000)
  const compiled = spawnSync(
    'gcc',
    [
      '-shared',
      '-fPIC',
      '-O2',
      `-DSHIFT_S=(${shiftS})`,
      '-o',
      library,
      join(projectFolder, 'test', 'proof', 'anotherDay.c')
    ],
    { stdio: 'inherit' }
  )
  if (compiled.status !== 0) return 'not compiled'
  const seeds = Object.fromEntries(
    ['FUZZ_SEED', 'FITTER_HOLDING_SEED', 'FITTER_OPERATIONS_SEED', 'FITTER_ORDER_SEED'].map((name) => [
      name,
      String(seed)
    ])
  )
  const tests = spawn(
    'unshare',
    [
      '--mount',
      '--net',
      'sh',
      '-c',
      inAnotherTime,
      'sh',
      library,
      zone,
      process.execPath,
      join(projectFolder, 'test', 'run.ts'),
      'daily'
    ],
    {
      cwd: projectFolder,
      env: { ...process.env, ...seeds, LC_ALL: locale, LANG: locale },
      stdio: ['ignore', 'pipe', 'inherit']
    }
  )
  const output = await text(tests.stdout)
  rmSync(folder, { recursive: true })
  process.stdout.write(output)
  return output.trim().split('\n').at(-1) ?? ''
}
