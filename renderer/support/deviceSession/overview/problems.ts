import type { LiveFacts, LiveOperation, LiveReading } from '../../../../preload/contract/device/workspace.ts'
import type { CallOutput } from '../../../../preload/contract/index.ts'
import { say } from '../../../base/say.ts'
import { t } from '../../../base/texts.ts'
import { panelOf, type PanelName } from '../panels.ts'
import {
  valueAt,
  flagAt,
  numberAt,
  readReleaseDate,
  shareOf,
  textAt,
  withUnit
} from '../../../device/readings/values.ts'

export interface Problem {
  id: string
  tone: 'fail' | 'warn'
  text: string
  todo: string
  /** The section that shows the problem, and where to fix it. */
  section: PanelName
}

/** The worst problem in a section; undefined without one. */
export function toneOf(problems: readonly Problem[], section: PanelName): Problem['tone'] | undefined {
  const own = problems.filter((problem) => problem.section === section)
  return own.find(({ tone }) => tone === 'fail')?.tone ?? own[0]?.tone
}

/** The limits of the profile for this list. */
export type ProblemLimits = Pick<CallOutput<'workspace.limits'>, 'signalPassDbm' | 'signalWarnDbm'>

const littleFree = 0.1
const busyCpuPercent = 90
const clockOffS = 60
const oldSystemMonths = 24
const monthMs = 30.44 * 86_400_000

/** The problems of a device, worst first: links that the core judged as broken, then other problems in its readings. */
export function findProblems(
  readings: Partial<Record<LiveOperation, LiveReading>>,
  facts: LiveFacts,
  nowMs: number,
  limits: ProblemLimits | null
): Problem[] {
  const system = readings['system.info']?.value
  const found: Problem[] = [
    ...ofLines(readings['io.all']?.value, facts),
    ...ofPosition(facts),
    ...ofNetwork(facts, limits),
    ...ofSystem(system, nowMs)
  ]
  for (const [operation, { problems }] of Object.entries(readings)) {
    if (problems.length === 0) continue
    const section = panelOf(operation)
    found.push({
      id: `read-${operation}`,
      tone: 'warn',
      section,
      text: t('windowWorkspace.problem.unreadable', {
        area: t(`windowWorkspace.panel.${section}`),
        n: problems.length
      }),
      todo: problems.map(say).join('; ')
    })
  }
  return found.sort((a, b) => Number(b.tone === 'fail') - Number(a.tone === 'fail'))
}

function ofLines(lines: unknown, { links }: LiveFacts): Problem[] {
  const found: Problem[] = []
  const add = (id: string, tone: Problem['tone'], text: string, todo: string) =>
    void found.push({ id, tone, section: 'lines', text, todo })
  if (links?.power === 'broken')
    add('power', 'fail', t('windowWorkspace.problem.power'), t('windowWorkspace.problem.powerTodo'))
  if (flagAt(lines, 'TIG') === true && flagAt(lines, 'IGN') === false)
    add('ignition', 'fail', t('windowWorkspace.problem.ignition'), t('windowWorkspace.problem.ignitionTodo'))
  for (const n of [1, 2, 3, 4]) {
    if (flagAt(lines, `SO${String(n)}`))
      add(
        `short${String(n)}`,
        'fail',
        t('windowWorkspace.problem.short', { n }),
        t('windowWorkspace.problem.shortTodo')
      )
    if (flagAt(lines, `OUT${String(n)}`))
      add(`out${String(n)}`, 'warn', t('windowWorkspace.problem.out', { n }), t('windowWorkspace.problem.outTodo'))
  }
  return found
}

function ofPosition(facts: LiveFacts): Problem[] {
  const found: Problem[] = []
  const add = (id: string, tone: Problem['tone'], text: string, todo: string) =>
    void found.push({ id, tone, section: 'position', text, todo })
  if (facts.links?.fix === 'broken')
    add('fix', 'fail', t('windowWorkspace.problem.fix'), t('windowWorkspace.problem.fixTodo'))
  if (facts.clock && Math.abs(facts.clock.differenceS) > clockOffS) {
    add(
      'clock',
      'warn',
      t('windowWorkspace.problem.clock', { s: withUnit(facts.clock.differenceS, 's', 0) }),
      t('windowWorkspace.problem.clockTodo')
    )
  }
  return found
}

/** In the words of the diagnosis: the first broken link of SIM, registration and address; otherwise the signal. */
function ofNetwork({ links, linkTexts, modem }: LiveFacts, limits: ProblemLimits | null): Problem[] {
  const one = (id: string, tone: Problem['tone'], text: string, todo: string): Problem[] => [
    { id, tone, section: 'network', text, todo }
  ]
  const broken = (['sim', 'registration', 'address'] as const).find((link) => links?.[link] === 'broken')
  if (broken)
    return one(broken, 'fail', say(linkTexts?.[broken]?.sentence ?? null), say(linkTexts?.[broken]?.remedy ?? null))
  const signal = modem?.signal
  if (!signal || !limits || signal.dBm >= limits.signalPassDbm) return []
  const isTooWeak = signal.dBm < limits.signalWarnDbm
  return isTooWeak
    ? one(
        'signal',
        'fail',
        t('windowWorkspace.problem.noSignal', { signalDbm: signal.dBm }),
        t('windowWorkspace.problem.noSignalTodo')
      )
    : one(
        'signal',
        'warn',
        t('windowWorkspace.problem.signal', { signalDbm: signal.dBm }),
        t('windowWorkspace.problem.signalTodo')
      )
}

function ofSystem(system: unknown, nowMs: number): Problem[] {
  const found: Problem[] = []
  const add = (id: string, section: PanelName, text: string, todo: string) =>
    void found.push({ id, tone: 'warn', section, text, todo })
  for (const area of ['rootfs', 'datafs'] as const) {
    const free = shareOf(numberAt(system, area, 'free'), numberAt(system, area, 'total'))
    if (free !== undefined && free < littleFree)
      add(
        area,
        'overview',
        t(`windowWorkspace.problem.${area}`, { percent: Math.round(free * 100) }),
        t('windowWorkspace.problem.storageTodo')
      )
  }
  const memory = shareOf(numberAt(system, 'ram', 'available'), numberAt(system, 'ram', 'total'))
  if (memory !== undefined && memory < littleFree)
    add(
      'memory',
      'apps',
      t('windowWorkspace.problem.memory', { percent: Math.round(memory * 100) }),
      t('windowWorkspace.problem.memoryTodo')
    )
  const usage = numberAt(system, 'cpu', 'usage')
  if (usage !== undefined && usage > busyCpuPercent)
    add(
      'cpu',
      'apps',
      t('windowWorkspace.problem.cpu', { percent: Math.round(usage) }),
      t('windowWorkspace.problem.cpuTodo')
    )
  const released = readReleaseDate(textAt(system, 'releaseDate'))
  if (released && nowMs - released.getTime() > oldSystemMonths * monthMs) {
    add(
      'old',
      'updates',
      t('windowWorkspace.problem.old', { months: Math.floor((nowMs - released.getTime()) / monthMs) }),
      t('windowWorkspace.problem.oldTodo')
    )
  }
  return found
}

/** Names of required applications that are missing or inactive. */
export function missingApps(value: unknown, wanted: readonly string[]): { name: string; isInactive: boolean }[] {
  const apps = Array.isArray(value) ? value : []
  return wanted.flatMap((name): { name: string; isInactive: boolean }[] => {
    const app: unknown = apps.find((one) => textAt(one, 'name') === name)
    if (app === undefined) return [{ name, isInactive: false }]
    return valueAt(app, 'status') === 'active' ? [] : [{ name, isInactive: true }]
  })
}
