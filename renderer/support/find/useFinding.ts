import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { CallOutput } from '../../../preload/contract/index.ts'
import { call } from '../../base/bridge.ts'
import { language } from '../../base/say.ts'
import { useDevices } from '../../device/devices/devices.store.ts'
import { useGateway } from '../../base/shell/gateway.store.ts'
import { useJobs } from '../../base/shell/jobs.store.ts'
import { useToasts } from '../../base/shell/toasts.store.ts'
import type { TeamJob } from '../../../preload/contract/team/team.ts'
import { useTeam } from '../../base/shell/team.store.ts'
import { wantedWords } from './matching.ts'
import {
  absentLine,
  deviceLine,
  jobLine,
  partLines,
  teamJobLine,
  vehicleLine,
  type FoundLine,
  type FoundVehicle
} from './foundLines.ts'
import { t } from '../../base/texts.ts'
import { goDiagnose } from '../../base/shell/diagnoseSubject.ts'
import { subjectOf } from '../diagnosis/subjectLines.ts'
import type { ExplainedTerm } from '../../../preload/contract/app/knowledge.ts'
import { goTo } from '../../base/shell/router.ts'
import type { FindLine } from './findLine.ts'

export type Scope = 'all' | 'vehicle' | 'device' | 'job' | 'action'

const waitMs = 120
/** The gateway is asked only without a local copy, and when the person has stopped typing: its calls are limited. */
const gatewayWaitMs = 600
const shortestForGateway = 3
/** The team log is another computer: it is asked when the person has stopped typing. */
const teamWaitMs = 250
const ofTeamShown = 4
/** Of each kind. */
const mostFound = 20
const openShown = 3
/**
 * A bench has many devices; the parts of the first ones are found by name, those of the others from their own screen.
 */
const withParts = 3
const termsShown = 2

/** Results of the core and of this page's tables for the typed text. Answers to earlier text are dropped. */
export function useFinding() {
  const text = ref('')
  const scope = ref<Scope>('all')
  const kept = shallowRef<CallOutput<'find.kept'> | null>(null)
  /** The text that `kept` answers. */
  const answered = ref('')
  const terms = shallowRef<FoundLine[]>([])
  const ofTeam = shallowRef<readonly TeamJob[]>([])
  const fromGateway = shallowRef<FoundVehicle[]>([])
  const busy = ref(false)
  const devices = useDevices()
  const jobs = useJobs()
  const gateway = useGateway()
  const team = useTeam()
  const toasts = useToasts()
  let asked = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let gatewayTimer: ReturnType<typeof setTimeout> | undefined
  let teamTimer: ReturnType<typeof setTimeout> | undefined

  async function ask(wanted: string): Promise<void> {
    const own = ++asked
    askMeaning(wanted, own).catch(toasts.sayFailure)
    try {
      const answer = await call('find.kept', { text: wanted, limit: mostFound })
      if (own !== asked) return
      kept.value = answer
      answered.value = wanted
      const mayAsk =
        answer.vehicles.total === 0 &&
        wanted.length >= shortestForGateway &&
        gateway.status?.state !== 'notSet' &&
        gateway.status?.state !== 'signedOut'
      if (mayAsk) gatewayTimer = setTimeout(() => void askGateway(wanted, own), gatewayWaitMs)
    } catch (cause) {
      if (own === asked) toasts.sayFailure(cause)
    } finally {
      if (own === asked) busy.value = false
    }
  }

  async function askMeaning(wanted: string, own: number): Promise<void> {
    const code = askedAbout(wanted)
    if (code === '') return
    const { terms: found } = await call('knowledge.explain', { code, language: language.value })
    if (own === asked) terms.value = found.slice(0, termsShown).map(termLine)
  }

  async function askTeam(wanted: string, own: number): Promise<void> {
    // Local results are already shown: an unreachable team log removes none of them.
    const answer = await call('team.jobs', { search: wanted, limit: ofTeamShown }).catch(() => null)
    if (own === asked && answer) ofTeam.value = answer.jobs.filter(({ isMine }) => !isMine)
  }

  async function askGateway(wanted: string, own: number): Promise<void> {
    // Local results are already shown: an unreachable gateway removes none of them, and the strip shows its state.
    const answer = await call('gateway.findEntities', { kind: 'vehicle', text: wanted }).catch(() => null)
    if (own === asked && answer) fromGateway.value = answer.entities
  }

  watch(text, () => {
    clearTimeout(timer)
    clearTimeout(gatewayTimer)
    clearTimeout(teamTimer)
    asked += 1
    const wanted = wordsToDiagnose(text.value) ?? text.value.trim()
    fromGateway.value = []
    ofTeam.value = []
    terms.value = []
    if (wanted === '') {
      kept.value = null
      busy.value = false
      return
    }
    busy.value = true
    timer = setTimeout(() => void ask(wanted), waitMs)
    if (team.isJoined && !team.isAway) teamTimer = setTimeout(() => void askTeam(wanted, asked), teamWaitMs)
  })
  onScopeDispose(() => {
    asked += 1
    clearTimeout(timer)
    clearTimeout(gatewayTimer)
    clearTimeout(teamTimer)
  })

  /** Offline, the local copy's age is shown. */
  const copiedAt = computed(() =>
    gateway.status?.state === 'reachable' ? null : (kept.value?.vehicles.copiedAt ?? null)
  )
  const near = computed(() => devices.devices.map(deviceLine))
  const lines = computed<FoundLine[]>(() => {
    if (wordsToDiagnose(text.value) !== null) return found.value.flatMap(diagnoseLine)
    return found.value
  })
  const found = computed<FoundLine[]>(() => {
    if (text.value.trim() === '')
      return [
        ...jobs.openJobs.slice(0, openShown).map(jobLine),
        ...near.value.filter(({ device }) => device?.standing !== 'lost').slice(0, openShown)
      ]
    const isNear = new Set(devices.devices.map(({ imei }) => imei))
    const copied = kept.value?.vehicles
    return [
      ...(copied?.found ?? []).map((vehicle, n) => vehicleLine(vehicle, copiedAt.value, copied?.states[n])),
      ...fromGateway.value.map((vehicle) => vehicleLine(vehicle, copiedAt.value)),
      ...(kept.value?.jobs.found ?? []).map(jobLine),
      ...ofTeam.value.map(teamJobLine),
      ...near.value,
      ...devices.devices
        .filter(({ standing }) => standing === 'verified')
        .slice(0, withParts)
        .flatMap((device) => partLines(device, wantedWords(text.value))),
      ...terms.value,
      ...(kept.value?.devices.found ?? []).filter(({ imei }) => !isNear.has(imei)).map(absentLine)
    ]
  })

  return { text, scope, kept, answered, busy, lines }
}

const shortestVerb = 4

/** The text after the word "Diagnose" ("diag" is enough), if it was typed first and names a subject; otherwise null. */
export function wordsToDiagnose(text: string): string | null {
  const [typed = '', ...rest] = wantedWords(text)
  const [verb = ''] = wantedWords(t('windowDiagnosis.open'))
  return typed.length >= shortestVerb && verb.startsWith(typed) && rest.length > 0
    ? text.trim().replace(/^\S+\s+/, '')
    : null
}

/** A subject's line as one that diagnoses it. */
export function diagnoseLine(line: FoundLine): FoundLine[] {
  const subject = subjectOf(line)
  const title = t('windowPalette.diagnose', { name: line.title })
  return subject === null
    ? []
    : [{ ...line, id: `diagnose ${line.id}`, icon: 'pulse', title, act: () => goDiagnose(subject) }]
}

/** Found by the core for exactly the typed text: ranked after local items, before similar-sounding ones. */
const foundExactly = 1.5

/** The subject of a question: "what is HDOP?" is HDOP. */
function askedAbout(text: string): string {
  return text
    .trim()
    .replace(
      /^[¿"]*\s*(what(['’]s| is| are| does| do)|explain|qu[eé] (es|son|significa|significan|quiere decir)|explica(r)?)\s+(the\s+|an?\s+|el\s+|la\s+)?/i,
      ''
    )
    .replace(/\s+means?\s*\??$|\s*\?$/i, '')
    .trim()
}

/** A status, code or field that can be explained. */
function termLine({ id, name, codes, area, areaName }: ExplainedTerm): FindLine {
  return {
    id: `term ${id}`,
    kind: 'screen',
    icon: 'question',
    title: t('windowExplain.found', { name }),
    note: areaName,
    also: [...codes, t('windowPalette.explainWords')].join(' '),
    rank: foundExactly,
    act: () => goTo('explain', codes[0] ?? name, area)
  }
}
