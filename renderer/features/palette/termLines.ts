import type { ExplainedTerm } from '../../../preload/contract/knowledge.ts'
import { goTo } from '../../router.ts'
import { t } from '../../texts.ts'
import type { FindLine } from './findLine.ts'

/** Found by the core under exactly what was typed: behind what a person has here, before what only sounds like it. */
const foundExactly = 1.5

/** What is asked about: "what is HDOP?" is HDOP. */
export function askedAbout(text: string): string {
  return text
    .trim()
    .replace(/^[¿"]*\s*(what(['’]s| is| are| does| do)|explain|qu[eé] (es|son|significa|significan|quiere decir)|explica(r)?)\s+(the\s+|an?\s+|el\s+|la\s+)?/i, '')
    .replace(/\s+means?\s*\??$|\s*\?$/i, '')
    .trim()
}

/** A status, code or field that can be explained. */
export function termLine({ id, name, codes, area, areaName }: ExplainedTerm): FindLine {
  return { id: `term ${id}`, kind: 'screen', icon: 'question', title: t('windowExplain.found', { name }), note: areaName, also: [...codes, t('windowPalette.explainWords')].join(' '), rank: foundExactly, act: () => goTo('explain', codes[0] ?? name, area) }
}
