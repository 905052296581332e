import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs, promisify } from 'node:util'
import { projectFolder } from './build.ts'

/** How long the window has to stay open; one that fails does so within a second or two. */
const windowStaysMs = 10_000

interface Installed {
  /** Runs the terminal command. */
  terminal: [program: string, ...parameters: string[]]
  /** The program with the window; undefined for a terminal command alone. */
  window: string | undefined
}

/** Finds the one package in `out/packages` that ends like this. */
function findPackage(ending: string): string {
  const folder = join(projectFolder, 'out', 'packages')
  const name = readdirSync(folder).find((file) => file.endsWith(ending))
  if (name === undefined) throw new Error(`out/packages has no package that ends with ${ending}.`)
  return join(folder, name)
}

const installers: Readonly<Record<string, () => Installed>> = {
  linux() {
    execFileSync('sudo', ['apt-get', 'install', '-y', findPackage('amd64.deb')], { stdio: 'inherit' })
    return { terminal: ['fitter'], window: 'fitter-desktop' }
  },
  win() {
    execFileSync(findPackage(`setup-${process.arch}.exe`), ['/S'], { stdio: 'inherit' })
    const folder = join(process.env.LOCALAPPDATA ?? '', 'Programs', 'fitter')
    return {
      terminal: ['cmd', '/c', join(folder, 'resources', 'terminal', 'fitter.cmd')],
      window: join(folder, 'Fitter.exe')
    }
  },
  mac() {
    const folder = mkdtempSync(join(tmpdir(), 'fitter-application-'))
    execFileSync('ditto', ['-x', '-k', findPackage('universal.zip'), folder], { stdio: 'inherit' })
    const contents = join(folder, 'Fitter.app', 'Contents')
    return { terminal: [join(contents, 'Resources', 'terminal', 'fitter')], window: join(contents, 'MacOS', 'Fitter') }
  }
}

/** Runs a diagnosis job on a simulated device with the installed terminal command, and makes its report. */
export async function tryTerminal([program, ...first]: Installed['terminal'], folder: string): Promise<void> {
  const simulator = spawn(program, [...first, 'simulate', '--devices', '1', '--json'], {
    stdio: ['pipe', 'pipe', 'inherit']
  })
  try {
    const { devices } = JSON.parse(await firstLine(simulator)) as {
      devices: { host: string; port: number; imei: string; user: string; password: string }[]
    }
    const device = devices[0]!
    const env = { ...process.env, FITTER_DEVICE_USER: device.user, FITTER_DEVICE_PASSWORD: device.password }
    const run = async (...parameters: string[]): Promise<string> => {
      try {
        return (
          await promisify(execFile)(program, [...first, ...parameters, '--data', join(folder, 'data')], {
            env,
            maxBuffer: 64 * 1024 * 1024
          })
        ).stdout
      } catch (error) {
        // 1 stands for a step that was skipped or failed: the job still ran to its end.
        const { code, stdout } = error as { code?: number; stdout?: string }
        if (code === 1 && stdout !== undefined) return stdout
        throw error
      }
    }
    const { version } = JSON.parse(await run('--version', '--json')) as { version: string }
    const { id } = JSON.parse(
      await run('job', 'new', '--template', 'diagnosis', '--device', `${device.host}:${device.port}`, '--json')
    ) as { id: string }
    const answers = join(folder, 'answers.json')
    writeFileSync(
      answers,
      JSON.stringify({
        technician: 'Package trial',
        customer: 'Package trial',
        steps: { identity: { value: device.imei }, ...skipped }
      })
    )
    const job = JSON.parse(
      (await run('job', 'run', id, '--answers', answers, '--json')).trim().split('\n').at(-1)!
    ) as { state: string }
    // The vehicle is confirmed by a gateway, which this trial does not have.
    if (job.state !== 'done' && job.state !== 'installedAwaitingGateway')
      throw new Error(`The job ended as ${job.state}.`)
    const report = join(folder, 'report.pdf')
    await run('job', 'report', id, '--format', 'pdf', '--out', report)
    if (readFileSync(report, 'latin1').slice(0, 5) !== '%PDF-') throw new Error('The report is not a PDF.')
    console.log(`Fitter ${version}: a job ran to its end on a simulated device, and its report was made.`)
  } finally {
    simulator.stdin.end()
    simulator.kill()
  }
}

/** Without a gateway these have nothing to read. */
const skipped = Object.fromEntries(
  ['delivered', 'same-place', 'vehicle', 'engine-bus'].map((id) => [id, { waive: 'no gateway in this trial' }])
)

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) return line
  throw new Error('The simulator ended before it said where it is.')
}

/** Opens the window in training, and ends it as a person would. */
async function tryWindow(program: string): Promise<void> {
  const isLinux = process.platform === 'linux'
  const child = spawn(isLinux ? 'xvfb-run' : program, [...(isLinux ? ['-a', program] : []), '--training'], {
    stdio: 'inherit'
  })
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const early = await Promise.race([
    ended.then(() => true),
    new Promise<false>((resolve) => setTimeout(() => resolve(false), windowStaysMs))
  ])
  if (early) throw new Error('The window closed by itself.')
  if (process.platform === 'win32') execFileSync('taskkill', ['/PID', String(child.pid)])
  else child.kill('SIGTERM')
  await ended
  console.log(`The window opened, stayed for ${windowStaysMs / 1000} s, and closed.`)
}

/**
 * `node bin/tryPackage.ts linux|win|mac` installs what `npm run package` made and tries it; `--terminal COMMAND` tries
 * a command only.
 */
if (import.meta.main) {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { terminal: { type: 'string' } } })
  const install = installers[positionals[0] ?? '']
  if (values.terminal === undefined && install === undefined) throw new Error('Name the system: linux, win or mac.')
  const installed: Installed =
    values.terminal === undefined ? install!() : { terminal: [values.terminal], window: undefined }
  const folder = mkdtempSync(join(tmpdir(), 'fitter-trial-'))
  try {
    await tryTerminal(installed.terminal, folder)
    if (installed.window !== undefined) await tryWindow(installed.window)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
