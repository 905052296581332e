import { panelOf } from './panels.ts'
import type { LiveFacts, LiveOperation, LiveReading } from '../../../preload/contract/workspace.ts'
import { say } from '../../say.ts'
import { t } from '../../texts.ts'
import { at, flagAt, numberAt, readReleaseDate, share, textAt, withUnit } from './values.ts'

export interface Problem {
  id: string
  tone: 'fail' | 'warn'
  text: string
  todo: string
}

const littleFree = 0.1
const busyCpuPercent = 90
const clockOffS = 60
const oldSystemMonths = 24
const monthMs = 30.44 * 86_400_000

/** What is wrong with a device, from its readings: worst first. A value that was not read is no problem here. */
export function findProblems(readings: Partial<Record<LiveOperation, LiveReading>>, facts: LiveFacts, nowMs: number): Problem[] {
  const system = readings['system.info']?.value
  const modem = readings['modem.information']?.value
  const position = readings['gps.position']?.value
  const lines = readings['io.all']?.value
  const found: Problem[] = []
  const add = (id: string, tone: Problem['tone'], text: string, todo: string) => void found.push({ id, tone, text, todo })

  if (flagAt(lines, 'PWR') === false) add('power', 'fail', t('windowWorkspace.problem.power'), t('windowWorkspace.problem.powerTodo'))
  for (const n of [1, 2, 3, 4]) {
    if (flagAt(lines, `SO${String(n)}`)) add(`short${String(n)}`, 'fail', t('windowWorkspace.problem.short', { n }), t('windowWorkspace.problem.shortTodo'))
    if (flagAt(lines, `OUT${String(n)}`)) add(`out${String(n)}`, 'warn', t('windowWorkspace.problem.out', { n }), t('windowWorkspace.problem.outTodo'))
  }
  if (position !== null && position !== undefined && !((numberAt(position, 'extras', 'fix') ?? 0) > 0)) add('fix', 'fail', t('windowWorkspace.problem.fix'), t('windowWorkspace.problem.fixTodo'))
  const sim = textAt(modem, 'SIM_STATE')
  if (sim !== undefined && sim.toUpperCase() !== 'READY') add('sim', 'fail', t('windowWorkspace.problem.sim', { state: sim }), t('windowWorkspace.problem.simTodo'))
  else if (facts.modem && ['searching', 'denied', 'notRegistered'].includes(facts.modem.registration)) {
    add('network', 'fail', t('windowWorkspace.problem.network', { state: t(`windowWorkspace.registration.${facts.modem.registration}`) }), t('windowWorkspace.problem.networkTodo'))
  } else if (facts.modem && !facts.modem.hasIp) add('ip', 'fail', t('windowWorkspace.problem.ip'), t('windowWorkspace.problem.ipTodo'))
  const signal = facts.modem?.signal?.dBm
  if (signal !== undefined && signal < -100) add('signal', 'warn', t('windowWorkspace.problem.signal', { dbm: signal }), t('windowWorkspace.problem.signalTodo'))
  if (facts.clock && Math.abs(facts.clock.differenceS) > clockOffS) {
    add('clock', 'warn', t('windowWorkspace.problem.clock', { s: withUnit(facts.clock.differenceS, 's', 0) }), t('windowWorkspace.problem.clockTodo'))
  }
  for (const area of ['rootfs', 'datafs'] as const) {
    const free = share(numberAt(system, area, 'free'), numberAt(system, area, 'total'))
    if (free !== undefined && free < littleFree) {
      add(area, 'warn', t(`windowWorkspace.problem.${area}`, { percent: Math.round(free * 100) }), t('windowWorkspace.problem.storageTodo'))
    }
  }
  const memory = share(numberAt(system, 'ram', 'available'), numberAt(system, 'ram', 'total'))
  if (memory !== undefined && memory < littleFree) add('memory', 'warn', t('windowWorkspace.problem.memory', { percent: Math.round(memory * 100) }), t('windowWorkspace.problem.memoryTodo'))
  const usage = numberAt(system, 'cpu', 'usage')
  if (usage !== undefined && usage > busyCpuPercent) add('cpu', 'warn', t('windowWorkspace.problem.cpu', { percent: Math.round(usage) }), t('windowWorkspace.problem.cpuTodo'))
  const released = readReleaseDate(textAt(system, 'releaseDate'))
  if (released && nowMs - released.getTime() > oldSystemMonths * monthMs) {
    add('old', 'warn', t('windowWorkspace.problem.old', { months: Math.floor((nowMs - released.getTime()) / monthMs) }), t('windowWorkspace.problem.oldTodo'))
  }
  for (const [operation, reading] of Object.entries(readings)) {
    if (reading.problems.length > 0) add(`read-${operation}`, 'warn', t('windowWorkspace.problem.unreadable', { area: t(`windowWorkspace.panel.${panelOf(operation)}`), n: reading.problems.length }), reading.problems.map(say).join('; '))
  }
  return found.sort((a, b) => Number(b.tone === 'fail') - Number(a.tone === 'fail'))
}

/** Names of the wanted applications that are not there, or not active. */
export function missingApps(value: unknown, wanted: readonly string[]): { name: string; isInactive: boolean }[] {
  const apps = Array.isArray(value) ? value : []
  return wanted.flatMap((name): { name: string; isInactive: boolean }[] => {
    const app: unknown = apps.find((one) => textAt(one, 'name') === name)
    if (app === undefined) return [{ name, isInactive: false }]
    return at(app, 'status') === 'active' ? [] : [{ name, isInactive: true }]
  })
}
