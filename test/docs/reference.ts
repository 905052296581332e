import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { createDeviceClient } from '../../main/device/client/client.ts'
import { findEndpoint } from '../../main/device/client/endpoints.ts'
import endpoints from '../../resources/endpoints.json' with { type: 'json' }
import { createEngineClient, createGatewayClient } from '../../main/gateway/client/client.ts'
import { documentedInputs } from '../../main/gateway/client/request/documentedInputs.ts'
import { engineEndpoints, gatewayEndpoints, type Endpoint } from '../../main/gateway/client/request/endpointTable.ts'
import { commandGroups } from '../../main/terminal/commands/index.ts'
import { exitCodeFor } from '../../main/terminal/output/exitCodes.ts'
import { helpOf } from '../../main/terminal/output/help.ts'
import { formRows } from '../../main/base/reading/formTable.ts'
import { templateSchemaJson } from '../../main/job/jobs/checklists/schema.ts'
import { openCatalogue } from '../../main/base/messages/catalogue.ts'
import { AppError, errorCodes } from '../../preload/contract/errors.ts'
import { events } from '../../preload/contract/events.ts'
import { calls } from '../../preload/contract/index.ts'
import { message } from '../../preload/contract/messages.ts'
import { elsewhere, panels } from '../../renderer/support/deviceSession/panels.ts'
import { handlers as simulatedDevice } from '../../simulator/device/handlers.ts'
import { engineOperations } from '../world/device/simulatedEngine.ts'
import { endpoints as simulatedGateway } from '../../simulator/gateway/endpoints.ts'
import { gatewayPlaces } from '../world/gateway/gatewayCoverage.ts'

/**
 * Writes docs/reference/ from the code: `npm run docs`. test/project/unit/reference.test.ts compares the files with
 * what this makes of the present code.
 */
const projectFolder = join(import.meta.dirname, '..', '..')
export const referenceFolder = join(projectFolder, 'docs', 'reference')

const head = (title: string, opening: string): string =>
  `# ${title}\n\n${opening} \`npm run docs\` writes this page from the code.\n`
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const row = (...cells: string[]): string => `| ${cells.map(cell).join(' | ')} |`
const table = (titles: string[], rows: string[]): string =>
  [row(...titles), `|${'---|'.repeat(titles.length)}`, ...rows].join('\n')

function hasMethod(client: object, id: string): boolean {
  const [area = '', verb = ''] = id.split('.')
  return typeof (client as Record<string, Record<string, unknown>>)[area]?.[verb] === 'function'
}

/** The method of a client; an operation without one breaks the page, and so its test. */
function clientCell(client: object, id: string): string {
  if (!hasMethod(client, id)) throw new Error(`${id} has no method of the client.`)
  return `\`${id}()\``
}

function deviceRow({
  id,
  method,
  path,
  params,
  optionalParams,
  body,
  mutates
}: ReturnType<typeof findEndpoint>): string {
  const shown = (Object.keys(panels) as (keyof typeof panels)[]).filter(
    (name) => (panels[name] as readonly string[]).includes(id) && name !== 'raw'
  )
  const window = shown.length > 0 ? `device: ${shown.join(', ')}` : id in elsewhere ? 'sign-in' : ''
  if (window === '') throw new Error(`${id} is not in the window.`)
  if (!(id in simulatedDevice)) throw new Error(`${id} is not in the simulator.`)
  const inputs = [...params.map((name) => (optionalParams.includes(name) ? `${name}?` : name)), ...body].join(', ')
  const client = createDeviceClient({ address: '127.0.0.1:1' })
  return row(
    `\`${id}\``,
    `\`${method} ${path}\``,
    inputs || 'none',
    clientCell(client, id),
    `\`device HOST call ${id}\``,
    window,
    'yes',
    mutates ? 'yes' : 'no'
  )
}

function gatewayRow(endpoint: Endpoint): string {
  const { id, method, path, mutates } = endpoint
  const place = gatewayPlaces[id]
  if (!place) throw new Error(`${id} has neither a place in the window nor a reason.`)
  if (![...simulatedGateway.map((one) => one.id), ...engineOperations].includes(id as never))
    throw new Error(`${id} is not in the simulator.`)
  const fields = documentedInputs(endpoint)
  const inputs = [fields.path, fields.query, fields.body]
    .flatMap((part) => [...part].map(([name, { isRequired }]) => (isRequired ? name : `${name}?`)))
    .join(', ')
  const clients = {
    ...createGatewayClient({ url: 'https://gateway.example/api', credentials: async () => undefined }),
    ...createEngineClient({ url: 'https://engine.example' })
  }
  return row(
    `\`${id}\``,
    `\`${method} ${path}\``,
    inputs || 'none',
    clientCell(clients, id),
    `\`gateway call ${id}\``,
    'call' in place ? `\`${place.call}\`` : place.reason,
    'yes',
    mutates ? 'yes' : 'no'
  )
}

const columns = [
  'Operation',
  'Request',
  'Inputs',
  'Client',
  'Terminal: `fitter …`',
  'Window',
  'Simulator',
  'Changes something'
]

function coveragePage(): string {
  return [
    head(
      'Coverage of both APIs',
      'After reading this page you know where each documented operation is in Fitter: client, terminal, window and simulator.'
    ),
    'A name in the column *Window* is a panel of the device, or the call that the window makes. Where there is none, the reason stands in its place.',
    'Contract tests: `test/device/integration/device-client.test.ts` and `workspace-coverage.test.ts` for each operation of the device, `test/gateway/integration/gateway-coverage.test.ts` and `test/gateway/unit/simulator/endpoints.test.ts` for each one of the gateway.',
    `\n## Device\n\n${table(
      columns,
      endpoints.device.map(({ id }) => deviceRow(findEndpoint(id)))
    )}`,
    `\n## Gateway\n\n${table(columns, [...gatewayEndpoints.values()].map(gatewayRow))}`,
    `\n## Report engine\n\n${table(columns, [...engineEndpoints.values()].map(gatewayRow))}\n`
  ].join('\n')
}

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  $ref?: string
  description?: string
}

/** A JSON schema as a TypeScript type; what lies deeper than `depth` is left out. */
function typeText(schema: Schema, depth: number): string {
  if (schema.$ref) return 'object'
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum)
    return schema.enum
      .map((one) => JSON.stringify(one))
      .join(' \\| ')
      .replaceAll('\\|', '|')
  const several = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (several) return [...new Set(several.map((one) => typeText(one, depth)))].join(' | ')
  if (schema.type === 'array')
    return depth <= 0 ? '…[]' : `(${typeText(schema.items ?? {}, depth)})[]`.replace(/^\((\w+)\)\[\]$/, '$1[]')
  if (schema.type === 'object') {
    if (!schema.properties)
      return typeof schema.additionalProperties === 'object'
        ? `Record<string, ${typeText(schema.additionalProperties, depth)}>`
        : 'object'
    const names = Object.entries(schema.properties)
    if (names.length === 0) return '{}'
    if (depth <= 0) return '{ … }'
    return `{ ${names.map(([name, one]) => `${name}${schema.required?.includes(name) ? '' : '?'}: ${typeText(one, depth - 1)}`).join('; ')} }`
  }
  if (Array.isArray(schema.type)) return schema.type.join(' | ')
  return schema.type === 'integer' ? 'number' : (schema.type ?? 'any')
}

function typeOf(schema: z.ZodType, io: 'input' | 'output', depth: number): string {
  return typeText(
    z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline', cycles: 'ref' }) as Schema,
    depth
  )
}

function callsPage(): string {
  const topics = Map.groupBy(
    Object.entries(calls).sort(([one], [other]) => (one < other ? -1 : 1)),
    ([name]) => name.split('.')[0] ?? ''
  )
  const parts = [...topics].map(([topic, list]) => {
    const entries = list.map(
      ([name, { input, output }]) =>
        `### ${name}\n\n\`\`\`ts\n(input: ${typeOf(input, 'input', 3)}) => ${typeOf(output, 'output', 2)}\n\`\`\``
    )
    return `\n## ${topic}\n\n${entries.join('\n\n')}`
  })
  const sent = Object.entries(events)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, schema]) => `- \`${name}\`: \`${typeOf(schema, 'output', 2)}\``)
  return [
    head(
      'Calls and events',
      `After reading this page you can make every call of the contract: ${Object.keys(calls).length} calls, ${sent.length} events.`
    ),
    'Each call checks its input by schema, refuses unknown keys, and answers with a value or an [error](errors.md). Deep types are shortened to `{ … }`; the schemas are in `preload/contract/`.',
    ...parts,
    `\n## Events\n\nMissing an event is harmless: each has a call with the complete state.\n\n${sent.join('\n')}\n`
  ].join('\n')
}

async function commandsPage(): Promise<string> {
  const find = openCatalogue('en')
  const parts: string[] = []
  for (const { title, commands } of commandGroups) {
    parts.push(`\n## ${find(title)}`)
    for (const { name } of commands) {
      const words = name.split(' ').filter((word) => word !== 'HOST')
      const help = (await helpOf(name.startsWith('device ') ? ['device', 'HOST', words[1] ?? ''] : words, 'en')) ?? ''
      const own = help.split('\n\n').find((one) => one.startsWith(name.replace(' HOST', ''))) ?? help
      parts.push(`\n### fitter ${name}\n\n\`\`\`text\n${own}\n\`\`\``)
    }
  }
  return [
    head(
      'Commands of the terminal',
      'After reading this page you can use every command of `fitter`, with its options and its time limit.'
    ),
    ...parts,
    `\n## Options of every command\n\n\`\`\`text\n${find('terminalHelp.common')}\n\`\`\`\n`
  ].join('\n')
}

function errorsPage(): string {
  const source = readFileSync(join(projectFolder, 'preload/contract/errors.ts'), 'utf8')
  const rows = errorCodes.map((code) => {
    const about = new RegExp(`'${code}',? // (.+)`).exec(source)?.[1]
    if (!about) throw new Error(`${code} has no explanation.`)
    return row(
      `\`${code}\``,
      about,
      String(exitCodeFor(new AppError(code, message('common.stopped'), { status: 404 })))
    )
  })
  return `${head('Error codes', 'After reading this page you know what each error code means, and the exit code of the terminal for it.')}\n${table(['Code', 'Meaning', 'Exit code'], rows)}\n\nExit code 0 is done, 1 a check that failed or something that needs attention, 2 a wrong command line or file.\n`
}

function checklistPage(): string {
  const schema = templateSchemaJson() as unknown as Schema & { properties: Record<string, Schema> }
  const steps = schema.properties['steps']?.items
  const kinds = steps?.oneOf ?? steps?.anyOf ?? []
  const common = ['id', 'kind', 'title', 'short', 'instruction', 'when', 'perItem', 'guide', 'requires', 'as']
  const top = Object.entries(schema.properties).map(([name, one]) =>
    row(
      `\`${name}\``,
      schema.required?.includes(name) ? 'yes' : 'no',
      name === 'steps' ? 'list of steps, see below' : `\`${typeText(one, 1)}\``
    )
  )
  const rows = kinds.map((kind) => {
    const own = Object.entries(kind.properties ?? {})
      .filter(([name]) => !common.includes(name))
      .map(([name, one]) => `\`${name}${kind.required?.includes(name) ? '' : '?'}: ${typeText(one, 1)}\``)
    return row(`\`${typeText(kind.properties?.['kind'] ?? {}, 0).replaceAll('"', '')}\``, own.join('<br>') || 'none')
  })
  if (rows.length < 20) throw new Error(`Only ${rows.length} kinds of step were found in the schema.`)
  return [
    head(
      'Format of a checklist',
      'After reading this page you can write a checklist file; `fitter templates check FILE` checks it.'
    ),
    `\n## Top level\n\n${table(['Field', 'Required', 'Type'], top)}`,
    `\n## Kinds of steps\n\nEvery step has \`id\`, \`kind\`, \`title\` and \`instruction\`, and may have \`when\`, \`perItem\`, \`guide\` and \`requires\` ([checklists](../checklists.md)). These are the settings of each kind.\n\n${table(['Kind', 'Settings'], rows)}\n`
  ].join('\n')
}

const seenWhere = { document: 'document', maker: 'maker', sdk: 'SDK', client: 'client' } as const

function formsPage(): string {
  const rowsOf = (side: 'device' | 'gateway'): string =>
    table(
      ['Where', 'Field', 'Form', 'Seen', 'Source', 'Reading', 'Simulator'],
      formRows
        .filter((one) => one.side === side)
        .map(({ where, field, form, seen, source, reading, spokenBy, notSpoken }) =>
          row(
            side === 'device' ? `\`${where}\`` : where,
            field,
            form,
            seenWhere[seen],
            source,
            reading,
            notSpoken ?? spokenBy.join(', ')
          )
        )
    )
  return [
    head(
      'Forms of fields',
      'After reading this page you know every form that a field has where the API documents leave it open, where it was seen, and how Fitter reads it.'
    ),
    'The table is `resources/forms.json`: client and simulator carry it out, and `test/base/unit/forms/formTable.test.ts` plays every row on both. A number that fits none of its forms is not shown: its unit is unknown.',
    `\n## Device\n\n${rowsOf('device')}`,
    `\n## Gateway\n\n${rowsOf('gateway')}\n`
  ].join('\n')
}

/** Each page by its file name. */
export async function referencePages(): Promise<Map<string, string>> {
  return new Map([
    ['api-coverage.md', coveragePage()],
    ['calls.md', callsPage()],
    ['commands.md', await commandsPage()],
    ['errors.md', errorsPage()],
    ['checklist.md', checklistPage()],
    ['forms.md', formsPage()]
  ])
}

if (process.argv[1] === import.meta.filename) {
  for (const [name, text] of await referencePages()) writeFileSync(join(referenceFolder, name), text)
}
