import { expect, test } from 'vitest'
import { readCatalogue } from '../../../../bin/messageTypes.ts'

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
  es: new Set([
    'terminal.notAFile',
    'windowWorkspace.position.dopPoor',
    'terminal.noSuch',
    'terminal.doctorGroup',
    'terminal.explainedWhere',
    'terminalDiagnose.witness',
    'terminalHelp.logs'
  ])
}

/**
 * The words of a text without placeholders and commands: their names are no words. Help begins with a command and its
 * options.
 */
function words(id: string, text: string): string {
  const said = id.startsWith('terminalHelp.') ? text.replace(/^[^\n]*\n/, '') : text
  return said
    .replace(/\{\s*\w+\s*(,\s*(plural|select|number)\s*,?|\})/g, ' ')
    .replace(/\b\w+\s*\{/g, ' ')
    .replace(/--\w+|fitter [a-z]+/g, ' ')
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

/**
 * Words and phrases that native readers stumble at: taken over from another language, passive, or meaning too much.
 * Beside each stands what to say instead.
 */
const neverPlain: Record<'en' | 'es', readonly (readonly [never: RegExp, instead: string])[]> = {
  en: [
    [/\ball the same\b/i, 'still, anyway'],
    [/\bonce more\b/i, 'again'],
    [/\b(by|of) (itself|themselves)\b/i, 'automatically'],
    [/\byoungest\b|\bnewest\b/i, 'latest'],
    [/\bvouch/i, 'confirm'],
    [/\b(is|are|was|were) not reached\b/i, 'cannot be reached'],
    [/\b(is|are) (away|not there)\b/i, 'cannot be reached, is missing'],
    [/\b(un)?proved\b/i, 'confirmed'],
    [/\bnot seen\b|\bshown on\b/i, 'not confirmed, not detected'],
    [/\btemplates?\b/i, 'checklist'],
    [/\bon its way\b|\bunder way\b|\bwhat waits\b/i, 'waiting work; name what runs'],
    [/\bmistake in Fitter\b/i, 'fault in Fitter'],
    [/\bback office\b/i, 'gateway administrator, support, SIM provider'],
    [/\b(of|by) somebody else\b/i, 'someone else’s'],
    [/\bwhoever\b/i, 'name the person'],
    [/\bas soon as (it|that|this|they)\b/i, 'when'],
    [
      /\bis not known (whether|if)\b|\bnobody (knows|could say|can say|can tell)\b|\bcannot be told\b/i,
      'we can’t tell'
    ],
    [/\bgo(es)? on (again|after|as|by|here|in|until|with|working)\b/i, 'continue'],
    [/\bmeanwhile\b/i, 'in the meantime'],
    [/\bmake room\b/i, 'free up space'],
    [/\bholds (a|an|no|more|nothing|the)\b/i, 'contains'],
    [/(?<!\bthere )\bis no (?!longer\b)/i, 'is not a'],
    [/\blooked (at|over|through|into)\b|\bto be looked\b/i, 'checked'],
    [/\bput (it |that |this |them )?right\b/i, 'correct'],
    [/\b(has|have) to (be|have|stand|use|lie)\b/i, 'must'],
    [/\bwanted (is|are|was|were)\b|\bordered was\b/i, 'ordered, expected'],
    [/\bnot readable\b/i, 'no reading'],
    [/\b(team|server)[’']s record\b|\brecord of the team\b/i, 'team log, team version'],
    [/\bbegun\b/i, 'started'],
    [/\b(came|come|comes) over\b/i, 'taken over'],
    [/\bthis machine\b/i, 'this computer'],
    [/(?<!\banother )\blaptops?\b/i, 'computer; a laptop is that of a member of a team']
  ],
  es: [
    [/\bordenador(es)?\b/i, 'computadora'],
    [/\buna vez más\b/i, 'otra vez'],
    [/\bpor sí (sol|mism)[oa]s?\b/i, 'automáticamente'],
    [/\boficina\b/i, 'administrador de la plataforma'],
    [/\baparca/i, 'estacionar'],
    [/\baña[dn]/i, 'agregar'],
    [/\bcuenta atrás\b/i, 'cuenta regresiva'],
    [/\bcuentakilómetros\b/i, 'odómetro'],
    [/\bdar fe\b/i, 'confirmar'],
    [/\bitinerancia\b/i, 'roaming'],
    [/\bpetici(ón|ones)\b/i, 'solicitud'],
    [/\bcopias? de seguridad\b/i, 'respaldo'],
    [/\b(tú|tienes|puedes|debes)\b/i, 'usted']
  ]
}

/** Topics of the team, whose members have laptops; and the test trip, where one lies beside the driver. */
const ofLaptops =
  /^(team|terminalTeam|windowTeam|windowTransfers\.|windowAssigned\.|assigned\.|terminalAssigned\.|terminalHelp\.team|terminal\.theLaptop$|testTrip\.|common\.thisJobWasChangedOnTwo$)/
/** The name of a column in a file that people write. */
const ofFiles = /^(reportTable\.column\.template|terminalBatch\.noTemplate|terminalHelp\.jobBatch|windowBatch\.empty)$/

test.for(['en', 'es'] as const)('no text has a word that its readers stumble at: %s', (language) => {
  const wrong: string[] = []
  for (const [id, text] of readCatalogue(language)) {
    for (const [never, instead] of neverPlain[language]) {
      const said = words(id, text).match(never)?.[0]
      if (
        said === undefined ||
        (/^laptop/i.test(said) && ofLaptops.test(id)) ||
        (/^template/i.test(said) && ofFiles.test(id))
      )
        continue
      wrong.push(`${id}: "${said}" (say: ${instead})`)
    }
  }
  expect(wrong).toEqual([])
})
