import { z } from 'zod'
import { defineCalls, nothing } from '../define.ts'
import { messageSchema } from '../base/messageSchema.ts'
import { languageForm } from '../messages.ts'
import { isTimeZone, settings } from './settings.ts'
import { updateChannel } from './updates.ts'

/** An address of a gateway: https, or http for this computer itself. */
const gatewayAddress = z
  .url({ protocol: /^https?$/ })
  .max(400)
  .refine((url) => url.endsWith('/api') || url.endsWith('/api/'))

/**
 * Everything that a company can set for a computer, by the name in its policy file. A value that is set here takes
 * the place of the person's choice.
 */
export const policyKeys = {
  'company.name': z.string().min(1).max(120).describe('Shown where a value is set by the company.'),
  'contact.name': z.string().min(1).max(120).describe('Whom to ask about these values.'),
  'contact.mail': z.string().min(3).max(200).describe('Mail address of the contact.'),
  'contact.phone': z.string().min(1).max(60).describe('Telephone number of the contact.'),
  'reading.language': settings.shape.language.describe('Language of window, terminal and new reports.'),
  'reading.languages': z
    .array(z.string().regex(languageForm))
    .min(1)
    .max(50)
    .describe('The languages to choose from; the first one is used until the person chooses another.'),
  'reading.units': settings.shape.units.describe('Units of window, terminal and reports.'),
  'reading.timeZone': z.string().max(60).refine(isTimeZone).describe('IANA name of the time zone of all times.'),
  'gateway.address': gatewayAddress.describe('Base address of the gateway; ends in /api.'),
  'gateway.others': z.boolean().describe('False: only the gateway of gateway.address may be used.'),
  'gateway.sites': z
    .array(z.strictObject({ name: z.string().min(1).max(80), address: gatewayAddress }))
    .min(1)
    .max(50)
    .describe('The gateways to choose from, each with a name. No other gateway may be used, besides gateway.address.'),
  'gateway.callsPerMinute': z
    .number()
    .int()
    .min(5)
    .max(1_000)
    .describe('The most calls to the gateway in a minute; the gateway’s own limit always applies too.'),
  'gateway.proxy': z
    .union([z.enum(['system', 'none']), z.url({ protocol: /^https?$/ }).max(400)])
    .describe('The proxy for the gateway: "system", "none", or its address without a password.'),
  'gateway.certificates': z
    .array(
      z
        .string()
        .regex(/^-----BEGIN CERTIFICATE-----/)
        .max(20_000)
    )
    .max(20)
    .describe('Certificates (PEM) to trust for the gateway, besides those of the computer.'),
  'credentials.keep': z
    .enum(['keychain', 'session'])
    .describe('"session": passwords are never stored; they end when Fitter closes.'),
  'work.profile': z.string().min(1).max(60).describe('Id of the check profile.'),
  'work.deviceModels': z
    .array(z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/i))
    .max(50)
    .describe('Models to try when looking up an IMEI.'),
  'checklists.files': z
    .array(z.string().min(1).max(1_000))
    .min(1)
    .max(50)
    .describe(
      'Checklist files, or folders of them, that everybody can use; relative to the policy. One with the id of a built-in checklist takes its place.'
    ),
  'checklists.own': z
    .boolean()
    .describe('False: a person can neither save nor import checklists, and own ones are not offered.'),
  'deviceProfiles.files': z
    .array(z.string().min(1).max(1_000))
    .min(1)
    .max(50)
    .describe(
      'Files of device profiles, or folders of them, that are offered to everybody and cannot be changed; relative to the policy.'
    ),
  'support.mail': z
    .string()
    .regex(/^[^\s@]+@[^\s@]+$/)
    .max(200)
    .describe('The address to send support bundles to; shown when one is saved.'),
  'maps.file': z.string().min(1).max(1_000).describe('Path of the map file (PMTiles).'),
  'maps.online': z
    .union([
      z.literal(false),
      z.strictObject({ address: z.url({ protocol: /^https$/ }).max(400), attribution: z.string().min(1).max(200) })
    ])
    .describe('Online maps: false, or address ({z}, {x}, {y}) and attribution.'),
  'team.server': z.string().min(1).max(255).describe('The only host whose team log may be joined.'),
  'updates.mode': z
    .enum(['ask', 'off'])
    .describe('"off": Fitter never looks for new versions; the company installs them.'),
  'updates.version': z
    .string()
    .regex(/^\d+\.(x|\d+\.(x|\d+(-[0-9A-Za-z.-]+)?))$/)
    .max(60)
    .describe('The only version to update to: exact, "1.4.x" or "1.x".'),
  'updates.channel': updateChannel.describe('"beta": also versions that are still being tried.'),
  'updates.feed': z
    .url({ protocol: /^https$/ })
    .max(400)
    .describe('Folder of the company’s own update feed. Its feed files have Fitter’s signature.')
} as const
export type PolicyKey = keyof typeof policyKeys
export type PolicyValues = { [Key in PolicyKey]?: z.infer<(typeof policyKeys)[Key]> }

const policyProblem = z.object({
  /** Line in the file, from 1. */
  line: z.number(),
  /** Dotted name of the value; empty: the whole file. */
  key: z.string(),
  sentence: messageSchema
})
export type PolicyProblem = z.infer<typeof policyProblem>

/** What the company set on this computer. `file` is where the policy is expected, also when there is none. */
export const policyState = z.object({
  file: z.string(),
  isThere: z.boolean(),
  /** When the file was last changed; null: there is none. */
  changedAt: z.string().nullable(),
  company: z.string(),
  contact: z.object({ name: z.string(), mail: z.string(), phone: z.string() }),
  values: z.array(z.object({ key: z.string(), value: z.json(), line: z.number() })),
  problems: z.array(policyProblem)
})
export type PolicyState = z.infer<typeof policyState>

export const policyCalls = defineCalls({
  'policy.get': { input: nothing, output: policyState },
  /** The file as it is on the disk; empty when it is missing or cannot be opened. */
  'policy.text': { input: nothing, output: z.object({ text: z.string() }) }
})
