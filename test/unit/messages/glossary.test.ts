import { expect, test } from 'vitest'
import { readCatalogue } from '../../../bin/messageTypes.ts'

/** One name for each thing. What is told here is never said; the word that is said instead stands beside it. */
const neverSaid: Record<'en' | 'es', readonly (readonly [never: RegExp, instead: string])[]> = {
  en: [
    [/\bwaiv(e|ed|er|ers|ing)\b/i, 'skip, skipped'],
    [/\btracker\b|\btracking unit\b/i, 'device'],
    [/\bplatform\b|\bbackend\b/i, 'gateway'],
    [/\binstaller\b/i, 'technician'],
    [/\bwork order\b|\bticket\b/i, 'job'],
    [/\bcheck list\b/i, 'checklist'],
    [/\blicen[cs]e plate number\b|\bnumber plate\b/i, 'plate']
  ],
  es: [
    [/\bdispositivos?\b/i, 'equipo'],
    [/\bpasarela\b|\bpuerta de enlace\b|\bgateway\b/i, 'plataforma'],
    [/\bsalta(r|do|da|dos|das)\b/i, 'omitir, omitido'],
    [/\btareas?\b|\borden de trabajo\b/i, 'trabajo (job), operación (operation)'],
    [/\blista de (control|verificación|chequeo)\b|\bchecklist\b/i, 'lista de comprobación'],
    [/\binstalador(a|es|as)?\b/i, 'técnico'],
    [/\bmatr[ií]culas?\b|\bpatente\b/i, 'placa'],
    [/\bcontrol remoto\b/i, 'mando']
  ]
}

/** Where such a word is another thing, or a name that programs read. */
const otherThings: Record<'en' | 'es', ReadonlySet<string>> = {
  // Cells of a table that spreadsheets and scripts take apart, and the word in the terminal's table of steps.
  en: new Set(['reportTable.column.waivers', 'reportTable.stepState.waived', 'terminal.stepState']),
  // A file of the operating system; a position that moves by itself; names of choices.
  es: new Set(['terminal.notAFile', 'windowWorkspace.position.dopPoor', 'terminal.noSuch', 'terminal.doctorGroup', 'terminal.explainedWhere', 'terminalDiagnose.witness'])
}

/** The words of a text without placeholders and commands: their names are no words. Help begins with a command and its options. */
function words(id: string, text: string): string {
  const said = id.startsWith('terminalHelp.') ? text.replace(/^[^\n]*\n/, '') : text
  return said.replace(/\{\s*\w+\s*(,\s*(plural|select|number)\s*,?|\})/g, ' ').replace(/\b\w+\s*\{/g, ' ').replace(/--\w+|fitter [a-z]+/g, ' ')
}

test.for(['en', 'es'] as const)('each thing has one name in the catalogue: %s', (language) => {
  const wrong: string[] = []
  for (const [id, text] of readCatalogue(language)) {
    if (otherThings[language].has(id)) continue
    for (const [never, instead] of neverSaid[language]) {
      const said = words(id, text).match(never)?.[0]
      if (said !== undefined) wrong.push(`${id}: "${said}" (say: ${instead})`)
    }
  }
  expect(wrong).toEqual([])
})
