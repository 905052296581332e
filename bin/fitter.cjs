#!/usr/bin/env node
'use strict'
// CommonJS and old syntax: this file must start on any Node, so that it can report a Node that is too old.
const { spawn } = require('child_process')
const { accessSync, constants, existsSync } = require('fs')
const { homedir } = require('os')
const { join } = require('path')
const { pathToFileURL } = require('url')

const projectFolder = join(__dirname, '..')
const oldest = [22, 12]

function isNewEnough(version) {
  const parts = version.split('.').map(Number)
  return parts[0] > oldest[0] || (parts[0] === oldest[0] && parts[1] >= oldest[1])
}

/** The project's own Node, as `npm ci` installs it; undefined when it is missing. */
function findOwnNode() {
  const names = process.platform === 'win32' ? ['node/bin/node.exe', '.bin/node.exe'] : ['.bin/node', 'node/bin/node']
  return names.map((name) => join(projectFolder, 'node_modules', name)).find((path) => existsSync(path))
}

/** Runs this file with another Node as if it were this process: same stdio, signals and exit code. */
function runAgain(node, flags) {
  const child = spawn(node, flags.concat(__filename, process.argv.slice(2)), {
    stdio: 'inherit',
    env: Object.assign({}, process.env, { FITTER_STARTED_AGAIN: '1' })
  })
  // The terminal also sends Ctrl+C and Ctrl+\ to the child; passing them on would interrupt twice.
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) {
    process.on(signal, () => {
      if ((signal !== 'SIGINT' && signal !== 'SIGQUIT') || !hasTerminal) child.kill(signal)
    })
  }
  child.on('error', (error) =>
    refuse('Fitter could not start ' + node + ' (' + error.message + '): run "npm ci" in the project folder.')
  )
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

function refuse(sentence) {
  process.stderr.write(sentence + '\n')
  process.exit(2)
}

/** Beside the packages; in the user's cache folder when another user installed Fitter. */
function findCacheFolder() {
  const modules = join(projectFolder, 'node_modules')
  try {
    accessSync(modules, constants.W_OK)
    return join(modules, '.cache')
  } catch {
    if (process.platform === 'win32')
      return join(process.env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'Fitter', 'Cache')
    if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'Fitter')
    return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'fitter')
  }
}

function runHere() {
  // Stopped together with this process.
  if (process.env.FITTER_STARTED_AGAIN) process.env.FITTER_LAUNCHER = String(process.ppid)
  delete process.env.FITTER_STARTED_AGAIN
  const emitWarning = process.emitWarning
  process.emitWarning = function (warning, ...rest) {
    const options = rest[0]
    const kind = typeof options === 'object' && options !== null ? options.type : options
    // Hides Node's warnings about its own TypeScript and SQLite support: Fitter uses both on purpose.
    if (kind !== 'ExperimentalWarning') emitWarning.call(process, warning, ...rest)
  }
  const cacheFolder = join(findCacheFolder(), 'node-compile')
  const { enableCompileCache } = require('module')
  if (enableCompileCache) enableCompileCache(cacheFolder)
  // Worker threads read this setting from the environment only; without it each would strip the types of its files again.
  if (!process.env.NODE_COMPILE_CACHE) process.env.NODE_COMPILE_CACHE = cacheFolder
  import(pathToFileURL(join(projectFolder, 'main', 'terminal', 'index.ts')).href)
    .then(({ runTerminal }) => runTerminal(process.argv.slice(2)))
    .catch((error) => {
      process.stderr.write((error && error.stack ? error.stack : String(error)) + '\n')
      process.exitCode = 70
    })
}

function start() {
  const canRunHere = isNewEnough(process.versions.node) && Boolean(process.features.typescript)
  if (canRunHere) return runHere()
  const ownNode = process.env.FITTER_STARTED_AGAIN ? undefined : findOwnNode()
  if (ownNode !== undefined) return runAgain(ownNode, [])
  // 22.12 to 22.17 can run TypeScript, but only with this option.
  if (isNewEnough(process.versions.node) && !process.env.FITTER_STARTED_AGAIN) {
    return runAgain(process.execPath, ['--experimental-strip-types'])
  }
  refuse(
    'Fitter needs Node ' +
      oldest.join('.') +
      ' or newer and this is ' +
      process.versions.node +
      ': run "npm ci" in ' +
      projectFolder +
      ' (it brings its own), or install a newer Node.'
  )
}

start()
