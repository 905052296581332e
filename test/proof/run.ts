import { parseArgs } from 'node:util'
import { buildStale } from '../../bin/build.ts'
import { hasStrace, provePowercuts } from './powercut.ts'

/**
 * `npm run proof [-- --quick] [--seed N] [--only NAME] [--continue]` runs all of it and every benchmark, and writes
 * docs/proof.html (`--continue`: what has not been run yet; `--quick`: the short forms, into out/proof.html). One
 * alone: `npm run proof -- powercut [SEED [SHARE]] | kills [SEED [POINTS]] | disk [SEED [POINTS]] | mutants [GROUP ...]
 * | outputs [RUNS [SEED]] | stories | diagnosis | operations [RUNS [SEED [daily]]] | damage [FILES [SEED]] | networks |
 * transfers | going [RUNS [SEED]] | holding [RUNS [SEED [daily]]] | team [ROUNDS [SEED]] | bundles [RUNS [SEED]] | terminal [KIND ...] |
 * forgeries [RUNS [SEED]] | files [RUNS [SEED]] | security [short | TEXT] | steady [DAYS [SEED]]]`: the long form of
 * the proofs.
 */
const [name = '', ...rest] = process.argv.slice(2)
switch (name.startsWith('--') ? '' : name) {
  case '': {
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        continue: { type: 'boolean', default: false },
        seed: { type: 'string' },
        only: { type: 'string', multiple: true, default: [] }
      }
    })
    const { provePage } = await import('./page.ts')
    process.exitCode = (await provePage({
      isQuick: values.quick,
      isContinued: values.continue,
      seed: Number(values.seed ?? Date.now() % 1_000_000),
      only: values.only
    }))
      ? 0
      : 1
    break
  }
  case 'powercut':
    process.exitCode = runPowercuts(Number(rest[0] ?? Date.now() % 1_000_000), Number(rest[1] ?? 1))
    break
  case 'kills':
  case 'disk': {
    const { diskTroubles, kills, runDying } = await import('./dying/prove.ts')
    const options = {
      rounds: 2,
      seed: Number(rest[0] ?? Date.now() % 1_000_000),
      ...(rest[1] === undefined ? {} : { sample: Number(rest[1]) })
    }
    process.exitCode = needsStrace() ? 2 : await runDying(name === 'kills' ? [kills] : diskTroubles, options)
    break
  }
  case 'mutants': {
    const { proveMutants } = await import('./mutants.ts')
    process.exitCode = (await proveMutants(rest)) ? 0 : 1
    break
  }
  case 'outputs': {
    const { proveOutputs } = await import('./outputs.ts')
    process.exitCode = await proveOutputs(Number(rest[0] ?? 100_000), Number(rest[1] ?? Date.now() % 1_000_000))
    break
  }
  case 'stories': {
    const { proveStories } = await import('./stories.ts')
    process.exitCode = proveStories()
    break
  }
  case 'diagnosis': {
    const { proveDiagnosis } = await import('./diagnosis.ts')
    process.exitCode = proveDiagnosis()
    break
  }
  case 'operations': {
    const { proveOperations } = await import('./operations.ts')
    process.exitCode = proveOperations(
      Number(rest[0] ?? 500),
      Number(rest[1] ?? Date.now() % 1_000_000),
      rest[2] === 'daily'
    )
    break
  }
  case 'damage': {
    const { proveDamage, sayDamage } = await import('./damage.ts')
    const result = await proveDamage({
      files: Number(rest[0] ?? 1_000),
      seed: Number(rest[1] ?? 1),
      isToday: rest[2] === 'strictly'
    })
    process.stdout.write(`${sayDamage(result)}\n`)
    process.exitCode =
      result.silentlyWrong.length + result.refused.length + result.doubled.length === 0 &&
      result.onePage.leastShare >= 0.99
        ? 0
        : 1
    break
  }
  case 'networks': {
    const { proveNetworks } = await import('./networks.ts')
    process.exitCode = (await proveNetworks()) ? 0 : 1
    break
  }
  case 'transfers': {
    const { proveTransfers } = await import('./transfers.ts')
    process.exitCode = proveTransfers()
    break
  }
  case 'team': {
    const { runTeamProof } = await import('./team/prove.ts')
    process.exitCode = await runTeamProof(Number(rest[0] ?? 300), Number(rest[1] ?? Date.now() % 1_000_000))
    break
  }
  case 'going': {
    const { proveGoing } = await import('./going.ts')
    process.exitCode = proveGoing(Number(rest[0] ?? 200), Number(rest[1] ?? Date.now() % 1_000_000))
    break
  }
  case 'holding': {
    const { proveHolding } = await import('./holding.ts')
    process.exitCode = proveHolding(
      Number(rest[0] ?? 200),
      Number(rest[1] ?? Date.now() % 1_000_000),
      rest[2] === 'daily'
    )
    break
  }
  case 'bundles': {
    const { proveBundles } = await import('./bundles.ts')
    process.exitCode = proveBundles(Number(rest[0] ?? 10_000), Number(rest[1] ?? Date.now() % 1_000_000_000))
    break
  }
  case 'terminal': {
    const { proveTerminal } = await import('./terminal.ts')
    process.exitCode = (await proveTerminal(rest)) ? 0 : 1
    break
  }
  case 'forgeries': {
    await buildStale(['sealPage'])
    const { proveForgeries, sayForgeries } = await import('./forgeries.ts')
    const result = await proveForgeries(Number(rest[0] ?? 400), Number(rest[1] ?? Date.now() % 1_000_000))
    console.log(sayForgeries(result))
    process.exitCode = result.accepted.length + result.differing.length === 0 ? 0 : 1
    break
  }
  case 'files': {
    await buildStale(['sealPage'])
    const { proveAnyBytes, sayAnyBytes } = await import('./anyBytes.ts')
    const result = await proveAnyBytes(Number(rest[0] ?? 100_000), Number(rest[1] ?? Date.now() % 1_000_000))
    console.log(sayAnyBytes(result))
    process.exitCode = result.unanswered.length === 0 ? 0 : 1
    break
  }
  case 'security': {
    const { proveSecurity } = await import('./security/prove.ts')
    process.exitCode = (await proveSecurity(rest[0])) ? 0 : 1
    break
  }
  case 'steady': {
    const { proveSteady } = await import('./steady.ts')
    process.exitCode = (await proveSteady(Number(rest[0] ?? 10), Number(rest[1] ?? Date.now() % 1_000_000))) ? 0 : 1
    break
  }
  default:
    process.stderr.write(
      'Name one of: powercut, kills, disk, mutants, outputs, stories, diagnosis, operations, damage, networks, transfers, going, holding, team, bundles, terminal, forgeries, files, security, steady\n'
    )
    process.exitCode = 2
}

function needsStrace(): boolean {
  if (hasStrace()) return false
  console.error('This needs strace (apt-get install strace), and the right to trace a process.')
  return true
}

function runPowercuts(seed: number, share: number): number {
  if (needsStrace()) return 2
  const { events, states, acknowledged, lost, broken } = provePowercuts({ rounds: 60, seed, share })
  for (const line of [...lost, ...broken]) console.log(line)
  console.log(
    `Power cuts: ${events} events, ${acknowledged} acknowledged, ${states} states; lost ${lost.length}, damaged ${broken.length} (seed ${seed})`
  )
  return lost.length + broken.length === 0 ? 0 : 1
}
